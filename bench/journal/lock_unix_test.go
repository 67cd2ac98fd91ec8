//go:build unix

package journal

import (
	"io"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOpenedToTruncate checks that journals are opened without O_APPEND, with which Windows does not
// let them be truncated.
func TestOpenedToTruncate(t *testing.T) {
	journal, err := Open(filepath.Join(t.TempDir(), "journal"), func(io.Reader) (int64, error) { return 0, nil })
	if err != nil {
		t.Fatal(err)
	}
	file, regular := journal.file.(atEnd)
	if !regular {
		t.Fatalf("the file is a %T", journal.file)
	}
	flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_APPEND != 0 || flags&unix.O_ACCMODE != unix.O_RDWR {
		t.Errorf("flags %#o, %v", flags, err)
	}
	if err := journal.Close(); err != nil {
		t.Error(err)
	}
}
