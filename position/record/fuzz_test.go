package record_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position/record"
)

// FuzzRead reads any text as records and writes them. The written text must be
// stable.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/records.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, one := range strings.SplitAfter(string(text), "\n\n[") {
		f.Add(strings.TrimSuffix("["+one, "["))
	}
	f.Add(string(text))
	f.Add("[Rules \"blitz\"] {a}{b} 1. e3 2.\na5 *")
	f.Fuzz(func(t *testing.T, text string) {
		reader := record.NewReader(strings.NewReader(text))
		records, err := reader.ReadAll()
		if err != nil {
			checkError(t, err)
			return
		}
		written := writeAll(t, records)
		again, err := record.NewReader(strings.NewReader(written)).ReadAll()
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, written)
		}
		if diff := cmp.Diff(written, writeAll(t, again)); diff != "" {
			t.Fatalf("written again it differs:\n%s", diff)
		}
	})
}

func writeAll(t *testing.T, records []record.Game) string {
	t.Helper()
	var text strings.Builder
	for i := range records {
		if err := records[i].Write(&text); err != nil {
			t.Fatalf("record %d was read and cannot be written: %v", i, err)
		}
	}
	return text.String()
}
