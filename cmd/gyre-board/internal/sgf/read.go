package sgf

import (
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
)

// Read reads all games of a file. The error is an *Error.
func Read(text string) ([]Game, error) {
	l := &lexer{text: text, line: 1}
	games, err := l.games()
	if err != nil {
		return nil, err
	}
	var read []Game
	for _, g := range games {
		game, err := replay(g)
		if err != nil {
			return nil, err
		}
		read = append(read, *game)
	}
	return read, nil
}

// Looks tells whether a text looks like such a file rather than like a record
// or a position: it begins with a parenthesis.
func Looks(text string) bool {
	l := &lexer{text: text}
	return l.next() == '('
}

// place is where one is in a file, on one of the ways on.
type place struct {
	node  *Node // the last turn that is complete
	steps referee.Replay
	hand  hand
	sides [2]position.Side // of the players
	begun bool             // whether sides are known
	held  Notes            // of the turn in the making
}

// replaying is a game of which a part is replayed.
type replaying struct {
	place
	above []place // where the ways on began that are open
	nodes int     // of the file that have begun

	// Of the file's node that is being read:
	acted bool // whether a player did something in it
	notes Notes
	clock [2]*property // WL and BL
}

// replay replays a game along all its ways.
func replay(g game) (*Game, error) {
	line := g.mainLine()
	read := &Game{Root: &Node{}}
	var err error
	if read.Start, err = startOf(line); err != nil {
		return nil, err
	}
	read.Own = ownOf(line)
	r := &replaying{place: place{node: read.Root, steps: referee.NewReplay(read.Start)}}
	var main *place // the end of the main line
	for _, t := range append(g, token{kind: closeToken}) {
		if t.kind == propertyToken {
			if err := r.read(t.property); err != nil {
				return nil, err
			}
			continue
		}
		r.endNode()
		switch t.kind {
		case nodeToken:
			r.nodes++
		case openToken:
			r.above = append(r.above, r.place)
		case closeToken:
			r.node.Notes.add(r.held)
			if main == nil {
				end := r.place
				main = &end
			}
			if n := len(r.above); n > 0 {
				r.place, r.above = r.above[n-1], r.above[:n-1]
			}
		}
	}
	read.finish(tagsOf(line), main)
	return read, nil
}

// read reads a property of a node.
func (r *replaying) read(p property) error {
	switch p.name {
	case "C":
		r.notes.add(Notes{Comment: strings.ToValidUTF8(p.value(), "?")})
	case "DO":
		r.notes.Fault = Doubtful
	case "BM":
		r.notes.Fault = Bad
		if p.value() == "2" {
			r.notes.Fault = VeryBad
		}
	case "AR", "CR":
		r.readArrows(p)
	case "WL":
		r.clock[0] = &p
	case "BL":
		r.clock[1] = &p
	case ownNode:
		r.notes.Own = p.value()
	}
	for _, value := range p.values {
		a, ok, err := actionOf(p, value)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		r.acted = true
		if err := r.act(a); err != nil {
			return err
		}
	}
	return nil
}

// endNode puts the notes of a node of the file where they belong: to the turn that is
// complete in it, or else to the one that comes; those of the first node to the start.
func (r *replaying) endNode() {
	r.readClock()
	ours := r.acted && !r.steps.InTurn() && r.hand == (hand{}) || r.nodes <= 1 && !r.acted
	if ours {
		r.node.Notes.add(r.notes)
	} else {
		r.held.add(r.notes)
	}
	r.notes, r.clock, r.acted = Notes{}, [2]*property{}, false
}

// act does what an action does.
func (r *replaying) act(a action) error {
	switch a.verb {
	case "resign":
		r.node.End = &End{wins(r.sideOf(a.player).Opponent()), "resignation"}
		return nil
	case "acceptdraw":
		r.node.End = &End{position.Draw, "agreement"}
		return nil
	}
	step, ok := r.hand.step(a)
	if !ok {
		return nil
	}
	if !r.begun {
		// Whoever begins plays the side that does, whichever the number of the player.
		side := r.steps.Now().SideToMove()
		r.sides[a.player], r.sides[1-a.player], r.begun = side, side.Opponent(), true
	}
	if pass, passed := r.steps.PassFor(r.sideOf(a.player)); passed {
		r.add(pass)
	}
	turn, complete, err := r.steps.Do(r.sideOf(a.player), step)
	if err != nil {
		return refuse(a.line, "%s: %v", a.verb, err)
	}
	if complete {
		r.add(turn)
	}
	return nil
}

// sideOf returns the side of a player; before the first ring, player 0 is white.
func (p *place) sideOf(player int) position.Side {
	if !p.begun {
		return position.Side(player)
	}
	return p.sides[player]
}

// wins returns the result that a side wins.
func wins(side position.Side) position.Result {
	if side == position.White {
		return position.WhiteWins
	}
	return position.BlackWins
}

// add goes on by a turn that is complete.
func (r *replaying) add(turn position.Turn) {
	child := &Node{Turn: turn, Notes: r.held}
	r.node.Children = append(r.node.Children, child)
	r.node, r.held = child, Notes{}
}
