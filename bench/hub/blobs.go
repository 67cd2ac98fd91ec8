package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"

	"github.com/nats-io/nats.go/jetstream"
)

// blobOf returns a file as a blob.
func blobOf(path string) (Blob, error) {
	sum, size, err := hashOf(path)
	return Blob{SHA256: sum, Size: size, Name: filepath.Base(path), path: path}, err
}

// hashOf returns the SHA-256 of a file, and its size in bytes.
func hashOf(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// HashOf returns the SHA-256 of a file, in hexadecimal.
func HashOf(path string) (string, error) {
	sum, _, err := hashOf(path)
	return sum, err
}

// IsHash tells whether a text is a SHA-256 in hexadecimal.
func IsHash(text string) bool { return sha256Text.MatchString(text) }

// putBlob sends a file to the hub, unless the hub has it and anew is false.
func (h *Hub) putBlob(ctx context.Context, b *Blob, anew bool) error {
	store, err := h.js.ObjectStore(ctx, blobsBucket)
	if err != nil {
		return err
	}
	if info, err := store.GetInfo(ctx, b.SHA256); err == nil && info.Size == uint64(b.Size) && !anew {
		return nil
	}
	if sum, _, err := hashOf(b.path); err != nil || sum != b.SHA256 {
		return errors.Join(fmt.Errorf("%s has changed since it was begun with, and a worker that does not have it needs it: put it back", b.path), err)
	}
	file, err := os.Open(b.path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err = store.Put(ctx, jetstream.ObjectMeta{Name: b.SHA256, Description: b.Name}, file); err != nil {
		return fmt.Errorf("sending %s to the hub: %w", b.path, err)
	}
	return nil
}

// cache keeps blobs in a folder, each under its hash.
type cache struct {
	dir string
	mu  sync.Mutex // one file at a time is fetched
}

// sha256Text is how a hash is written.
var sha256Text = regexp.MustCompile(`^[0-9a-f]{64}$`)

// path returns where a blob is kept: a folder of its own, in which its program runs.
func (c *cache) path(b *Blob) string {
	name := "file"
	if filepath.Ext(b.Name) == ".exe" { // Windows runs no other
		name = "file.exe"
	}
	return filepath.Join(c.dir, b.SHA256, name)
}

// lackError is why a file, or a match, is not here, which may be mended: the hub has it not
// whole, or there is no place for it.
type lackError struct {
	lacks string // its hash or key; empty if the hub has it
	err   error
}

// Error says what is wrong.
func (e *lackError) Error() string { return e.err.Error() }

// Unwrap returns what is wrong.
func (e *lackError) Unwrap() error { return e.err }

// fetch returns where a blob is, from the hub if it is not here. What is here is held
// against its hash each time, and what comes too: a wrong one is an error, and is not
// kept.
func (c *cache) fetch(ctx context.Context, h *Hub, b *Blob) (string, error) {
	if !sha256Text.MatchString(b.SHA256) {
		return "", fmt.Errorf("%q is no hash", b.SHA256)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	path := c.path(b)
	if sum, _, err := hashOf(path); err == nil && sum == b.SHA256 {
		return path, nil
	}
	store, err := h.js.ObjectStore(ctx, blobsBucket)
	if err != nil {
		return "", err
	}
	object, err := store.Get(ctx, b.SHA256)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", &lackError{b.SHA256, fmt.Errorf("the hub has no file %s (%s)", b.Name, b.SHA256)}
	}
	if err != nil {
		return "", err
	}
	defer object.Close()
	held, err := io.ReadAll(io.LimitReader(object, b.Size+1))
	if err == nil && !b.holds(held) {
		err = fmt.Errorf("the hub sent something else: its SHA-256 is %x, and has to be %s", sha256.Sum256(held), b.SHA256)
	}
	if err != nil {
		return "", &lackError{b.SHA256, fmt.Errorf("file %s: %w", b.Name, err)}
	}
	if err := keep(path, held); err != nil {
		return "", &lackError{"", fmt.Errorf("file %s cannot be kept: %w", b.Name, err)}
	}
	return path, nil
}

// holds tells whether a text is what the blob holds.
func (b *Blob) holds(text []byte) bool {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]) == b.SHA256
}

// keep writes a file to its place, whole or not at all.
func keep(path string, held []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	name, err := writeProgram(filepath.Dir(path), held)
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil && name != "" {
		_ = os.Remove(name) // the first error is the one to tell
	}
	return err
}

// writeProgram writes a new file. No process is begun meanwhile: it would have the file
// open for a moment, and Linux runs no program that is open for writing.
func writeProgram(dir string, text []byte) (name string, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	file, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	return file.Name(), errors.Join(err, file.Chmod(0o700), file.Sync(), file.Close())
}
