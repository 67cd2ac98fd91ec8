package conformance

import (
	"strings"
	"testing"

	"gyre/position"
)

func TestReadReport(t *testing.T) {
	start := position.Start(position.Standard)
	for line, wrong := range map[string]string{
		"info depth 3 seldepth 4 multipv 1 score cp -30 wdl 340 400 260 nodes 9 nps 1 hashfull 1000 time 0 pv f6 g7": "",
		"info":                                  "",
		"info score mate -3 lowerbound nodes 7": "",
		"info currmove f6 depth 2":              "",
		"info string depth x pv a1":             "",
		"info depth":                            "depth without a number",
		"info depth x":                          "depth x is not a whole number",
		"info nodes -1":                         "nodes -1 is not a whole number, or too low",
		"info score 30":                         "`cp N` or `mate N`",
		"info score cp":                         "`cp N` or `mate N`",
		"info score cp 0.3":                     "0.3 is not a whole number",
		"info wdl 500 500":                      "wdl without a number",
		"info wdl 500 500 500":                  "adds up to 1500",
		"info pv f6 f6":                         "f6 is not vacant",
		"info pv f6 depth 3":                    `"depth" is not legal`,
	} {
		_, err := readReport(line, &start)
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: error %v, want %q", line, err, wrong)
		}
	}
	r, err := readReport("info depth 3 score mate 1 upperbound pv f6 g7", &start)
	if depth, told := r.number("depth"); err != nil || depth != 3 || !told || r.mate != 1 || r.exact || len(r.pv) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// FuzzReadReport parses arbitrary lines.
func FuzzReadReport(f *testing.F) {
	f.Add("info depth 3 score cp 1 wdl 1 2 997 pv f6 g7")
	f.Add("info score mate -1 upperbound string x")
	f.Add("")
	start := position.Start(position.Standard)
	f.Fuzz(func(t *testing.T, line string) {
		if !isWord(line, "info") {
			return
		}
		r, err := readReport(line, &start)
		if err != nil && err.Error() == "" {
			t.Error("an error that says nothing")
		}
		p := start
		for _, turn := range r.pv {
			if !p.Legal(turn) {
				t.Fatalf("%v is not legal", turn)
			}
			p = after(p, turn)
		}
	})
}

func TestRecord(t *testing.T) {
	var r record
	r.add("> ", "go\x00 depth 1\xff")
	for range 100 {
		r.add("< ", "info depth 1")
	}
	r.add("< ", strings.Repeat("x", 1000))
	got := strings.Join(r.last(), "\n")
	want := "> go? depth 1?\n< info depth 1\n< info depth 1\n< " + strings.Repeat("x", maxRecordedLine) + "..."
	if got != want {
		t.Errorf("%s", got)
	}
	for range 100 {
		r.add("> ", "stop")
	}
	if n := len(r.last()); n != maxRecorded {
		t.Errorf("%d lines", n)
	}
}

func TestRespelled(t *testing.T) {
	for turn, want := range map[string]string{
		"f6": "F6", "e4-e10": "E4-E10", "pass": "PASS",
		"xe7-i11xd9;i7-i11;xi6-i10xh4": "xI11-E7xD9;I7-I11;xI10-I6xH4",
	} {
		if got := respelled(turn); got != want {
			t.Errorf("%s: %s", turn, got)
		}
	}
}
