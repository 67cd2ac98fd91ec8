package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nkeys"

	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
	"gyre/position/plaintext"
)

// Key is a key of a hub.
type Key = wire.Key

// keysFile is the format of a store's file of keys.
type keysFile struct {
	Kind string `json:"kind"` // keysKind
	Keys []Key  `json:"keys"`
}

const keysKind = "keys of a gyre hub"

func keysPath(store string) string { return filepath.Join(store, "keys.json") }

// ReadKeys returns the keys of a store. A store without a file of keys has none.
func ReadKeys(store string) ([]Key, error) {
	text, err := os.ReadFile(keysPath(store))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err // names the file
	}
	var file keysFile
	decoded, err := plaintext.Decode(string(text))
	if err == nil {
		err = json.Unmarshal([]byte(decoded), &file)
	}
	if err == nil && file.Kind != keysKind {
		err = fmt.Errorf("its kind is %q, not %q", file.Kind, keysKind)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keysPath(store), err)
	}
	return file.Keys, nil
}

func writeKeys(store string, keys []Key) error {
	return journal.WriteFile(keysPath(store), keysKind, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(keysFile{Kind: keysKind, Keys: keys})
	})
}

// AddKey adds a key for a role to a store and writes its secret part to a new file that only
// its owner can read. The name and the file must not exist. jobs is how many jobs the key's matches
// together may have out; 0 for any number.
func AddKey(store, name string, role wire.Role, jobs int, path string) error {
	if !wire.Name.MatchString(name) {
		return fmt.Errorf("name %q: use 1 to 40 letters, digits, _ and -", name)
	}
	keys, err := ReadKeys(store)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(keys, func(k Key) bool { return k.Name == name }) {
		return fmt.Errorf("the hub already has a key %s", name)
	}
	if err := os.MkdirAll(store, 0o700); err != nil {
		return err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return err
	}
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	secret, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(secret, "# key for a gyre-hub: keep it secret\n%s %s %s\n", role, name, seed)
	if err = errors.Join(err, secret.Close()); err != nil {
		return err
	}
	return writeKeys(store, append(keys, Key{Name: name, Role: role, Public: public, Added: time.Now().UTC().Truncate(time.Second), Jobs: jobs}))
}

// RemoveKey removes a key from a store.
func RemoveKey(store, name string) error {
	keys, err := ReadKeys(store)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if at < 0 {
		return fmt.Errorf("%s: the hub has no key %s", store, name)
	}
	return writeKeys(store, slices.Delete(keys, at, at+1))
}

// WriteAccount writes the account of a hub in the form of a configuration of NATS: its users with what
// each may do.
func WriteAccount(w io.Writer, keys []Key) error {
	var text strings.Builder
	text.WriteString("accounts {\n  GYRE {\n    users: [\n")
	for _, k := range keys {
		publish, subscribe := wire.Permissions(k, false)
		fmt.Fprintf(&text, "      # %s, for %s\n      { nkey: %s, permissions: {\n          publish: [\"%s\"]\n          subscribe: [\"%s\"] } }\n",
			k.Name, k.Role, k.Public, strings.Join(publish, `", "`), strings.Join(subscribe, `", "`))
	}
	text.WriteString("    ]\n  }\n}\n")
	_, err := io.WriteString(w, text.String())
	return err
}
