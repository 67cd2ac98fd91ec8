package protocol

// Dialect is which words of the protocol a side uses: those of the Universal
// Game Interface or those of the Universal Chess Interface.
type Dialect uint8

// The server takes both at any time; the handshake settles which it answers in.
const (
	UGI Dialect = iota
	UCI
)

// String returns the word that begins the handshake, `ugi` or `uci`.
func (d Dialect) String() string { return [2]string{"ugi", "uci"}[d&1] }

// accepted returns the word that ends the handshake.
func (d Dialect) accepted() string { return d.String() + "ok" }

// newGame returns the word that announces a new game.
func (d Dialect) newGame() string { return d.String() + "newgame" }
