// Package plaintexttest tests every reader of text files with one table of odd files.
package plaintexttest

import (
	_ "embed"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"gyre/position/plaintext"
)

//go:embed forms.txt
var table string

// Name has letters that each encoding writes in its own way, but UTF-8 and Windows-1252 both
// know. A sample has it where its format holds names or comments.
const Name = "Zoë €"

// Run gives a reader the same sample in each form of the table. What it read, as text, must be what
// it reads of the sample as it is, or there must be a *plaintext.Error where the table says so,
// also in words that hold no raw bytes.
func Run(t *testing.T, sample string, read func(content string) (got string, err error)) {
	t.Helper()
	want, err := read(sample)
	if err != nil {
		t.Fatalf("the sample: %v", err)
	}
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		t.Run(words[0], func(t *testing.T) {
			head, err := hex.DecodeString(strings.TrimPrefix(words[2], "-"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := read(string(head) + encoded(t, sample, words[1]))
			if words[3] == "error" {
				if _, ok := errors.AsType[*plaintext.Error](err); !ok || strings.ContainsFunc(err.Error(), func(c rune) bool { return c < ' ' || c > '~' }) {
					t.Errorf("read %q, %v, want a *plaintext.Error in plain words", got, err)
				}
				return
			}
			if err != nil || got != want {
				t.Errorf("read %q, %v, want %q", got, err, want)
			}
		})
	}
}

// encoded returns a text in an encoding of the table.
func encoded(t *testing.T, text, encoding string) string {
	switch encoding {
	case "utf-8":
		return text
	case "utf-8-crlf":
		return strings.ReplaceAll(text, "\n", "\r\n")
	case "utf-8-cr":
		return strings.ReplaceAll(text, "\n", "\r")
	case "windows-1252":
		return strings.NewReplacer("ë", "\xeb", "€", "\x80").Replace(text)
	case "utf-16le", "utf-16be", "utf-32le", "utf-32be":
		var b strings.Builder
		for _, unit := range utf16.Encode([]rune(text)) { // no sample needs two units a character
			low, high := string([]byte{byte(unit)}), string([]byte{byte(unit >> 8)})
			b.WriteString(map[string]string{"utf-16le": low + high, "utf-16be": high + low, "utf-32le": low + high + "\x00\x00", "utf-32be": "\x00\x00" + high + low}[encoding])
		}
		return b.String()
	}
	t.Fatalf("unknown encoding %q", encoding)
	return ""
}
