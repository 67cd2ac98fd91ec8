package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nkeys"

	"gyre/bench/journal"
)

// Key is one of a hub's keys, the public part of a pair of Ed25519. The secret one has
// only its holder.
type Key struct {
	Name   string    `json:"name"`
	Role   Role      `json:"role"`
	Public string    `json:"public"`
	Added  time.Time `json:"added"`
}

// keysFile is the file of a store's keys. Kind tells it from other files.
type keysFile struct {
	Kind string `json:"kind"`
	Keys []Key  `json:"keys"`
}

const keysKind = "keys of a gyre hub"

func keysPath(store string) string { return filepath.Join(store, "keys.json") }

// ReadKeys returns the keys of a store, none if it has none.
func ReadKeys(store string) ([]Key, error) {
	text, err := os.ReadFile(keysPath(store))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var file keysFile
	if err == nil {
		err = json.Unmarshal(text, &file)
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
	text, err := json.MarshalIndent(keysFile{Kind: keysKind, Keys: keys}, "", "  ")
	if err != nil {
		return err
	}
	file, err := journal.Replace(keysPath(store), keysKind)
	if err != nil {
		return err
	}
	if _, err = file.Write(append(text, '\n')); err == nil {
		err = file.Publish()
	}
	return errors.Join(err, file.Close())
}

// AddKey adds a key to a store and writes its secret part to a new file, for its holder
// alone. A name that is taken and a file that exists are errors.
func AddKey(store, name string, role Role, path string) error {
	if !names.MatchString(name) {
		return fmt.Errorf("name %q: not 1 to 40 letters, digits, _ and -", name)
	}
	keys, err := ReadKeys(store)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(keys, func(k Key) bool { return k.Name == name }) {
		return fmt.Errorf("the hub has a key %s", name)
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
	_, err = fmt.Fprintf(secret, "# key of gyre-arena for a hub: keep it secret\n%s %s %s\n", role, name, seed)
	if err = errors.Join(err, secret.Close()); err != nil {
		return err
	}
	return writeKeys(store, append(keys, Key{Name: name, Role: role, Public: public, Added: time.Now().UTC().Truncate(time.Second)}))
}

// RemoveKey removes a key. A name that the hub has no key of is an error.
func RemoveKey(store, name string) error {
	keys, err := ReadKeys(store)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if at < 0 {
		return fmt.Errorf("the hub has no key %s", name)
	}
	return writeKeys(store, slices.Delete(keys, at, at+1))
}
