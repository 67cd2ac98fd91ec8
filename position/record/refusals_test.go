package record_test

import (
	"errors"
	"strings"
	"testing"

	"gyre/position"
	"gyre/position/record"
)

// Texts that are no records, with the line and words that the reason must have.
func TestRecordsRefused(t *testing.T) {
	over := "[Position \"W2B/4W1B/2wwbww1/4b4/2bbwbb3/9/10/9/8/7/W2B w 2-2\"]\n1.b5-f5;xc3-c7xf5 "
	for _, test := range []struct {
		name, text string
		reason     []string
	}{
		{"nothing", "", []string{"nothing"}},
		{"only white space", " \n\t\n", []string{"nothing"}},
		{"only tags", "[White \"Anna\"]\n[Black \"Ben\"]\n", []string{"line 3", "without a result"}},
		{"no result", "1.e3\n2.a5\n", []string{"line 3", "without a result"}},
		{"two records", "1.e3 *\n2.a5 *", []string{"more than one"}},
		{"a tag in the middle", "1.e3\n[White \"Anna\"]\n2.a5 *", []string{"line 2", "a tag before the result"}},
		{"a tag without a value", "\n[White]\n*", []string{"line 2", "form"}},
		{"a tag without a name", "[\"Anna\"] *", []string{"line 1", "form"}},
		{"a tag's name with a sign", "[Wh-ite \"Anna\"] *", []string{"line 1", "form"}},
		{"a tag that is open", "[White \"Anna\" *", []string{"line 1", "form"}},
		{"a value that is open", "[White \"Anna] *", []string{"line 1", "form"}},
		{"a value with an unknown escape", `[White "An\na"] *`, []string{"line 1", "form"}},
		{"a value of two lines", "[White \"An\nna\"] *", []string{"line 1", "control"}},
		{"a value that is no text", "[White \"\xff\"] *", []string{"line 1", "UTF-8"}},
		{"the same tag twice", "[White \"Anna\"]\n[White \"Anna\"]\n*", []string{"line 2", "second tag"}},
		{"two results in tags", "[Result \"*\"]\n[Result \"*\"]\n*", []string{"line 2", "second tag"}},
		{"too many tags", manyTags(1000) + "*", []string{"line 201", "tags"}},
		{"unknown rules", "\n\n[Rules \"chess\"]\n*", []string{"line 3", "rules", "standard or blitz"}},
		{"a position that is none", "[Rules \"blitz\"]\n[Position \"4 w 0-0\"]\n*", []string{"line 2", "board", "columns"}},
		{"a position of other rules", "[Rules \"blitz\"][Position \"4/W6/wW6/9/W9/2ww1ww2/10/9/B7/B6/BBB1 b 2-0\"] *", []string{"line 1", "score"}},
		{"a comment that is open", "1.e3\n{and\nso on\n", []string{"line 2", "closing brace"}},
		{"a comment that is no text", "1.e3 {\xff} *", []string{"line 1", "UTF-8"}},
		{"a comment with a bell", "1.e3\n{\a} *", []string{"line 2", "control"}},
		{"a comment too long", "{" + strings.Repeat("long ", 1<<14) + "} *", []string{"line 1", "comment of more"}},
		{"comments too long together", strings.Repeat("{long long long}", 1<<12) + " *", []string{"line 1", "comment of more"}},
		{"a wrong number", "1.e3 3.a5 *", []string{"line 1", "number of turn 2"}},
		{"a number of chess", "1.e3 1...a5 *", []string{"line 1", "number of turn 2"}},
		{"black's number for white", "[Position \"" + position.StartText + "\"]\n2.e3 *", []string{"line 2", "number of turn 1"}},
		{"an illegal turn", "1.e3\n2.e3 *", []string{"line 2", "e3 is not vacant"}},
		{"no turn", "1.e3 2.e4+ *", []string{"line 1", "e4+"}},
		{"a word too long", "1.e3 " + strings.Repeat("x", 10000), []string{"line 1", "word of more"}},
		{"a turn after the end", over + "2.b7-b6 3-2", []string{"line 2", "over"}},
		{"another result than the board's", over + "3-1", []string{"line 2", "over with 3-2"}},
		{"no result though the board has one", over + "*", []string{"line 2", "over with 3-2"}},
		{"another result than the board's, explained", "[Termination \"time forfeit\"]\n" + over + "2-3", []string{"line 3", "over with 3-2"}},
		{"a tag with another result", "[Result \"2-3\"]\n" + over + "3-2", []string{"line 3", "the tag in line 1", "2-3"}},
		{"a tag without the result", "[Result \"*\"]\n[Termination \"time forfeit\"]\n1.e3 3-0", []string{"line 3", "the tag in line 1"}},
		{"a result without a reason", "1.e3\n0-3", []string{"line 2", "not over", "Termination"}},
		{"a result with a normal end", "[Termination \"normal\"]\n1.e3 0-3", []string{"line 2", "not over", "Termination"}},
		{"more rings than win", "[Termination \"adjudication\"]\n1.e3 0-4", []string{"line 2", "4 rings"}},
		{"more rings than win in blitz", "[Rules \"blitz\"][Termination \"adjudication\"]\n1.e3 0-2", []string{"line 2", "2 rings"}},
		{"two winners", "[Termination \"adjudication\"]\n1.e3 3-3", []string{"line 2", "both"}},
		{"far too long", "1.e3 " + strings.Repeat(" ", 2<<20) + " *", []string{"line 1", "longer than"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			game, err := record.Parse(test.text)
			if err == nil {
				t.Fatalf("accepted as %+v", game)
			}
			checkError(t, err, test.reason...)
		})
	}
}

func manyTags(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString("[T" + strings.Repeat("x", i%90) + string(rune('a'+i/90)) + " \"\"]\n")
	}
	return text.String()
}

// Records that cannot be written, as they could not be read.
func TestRecordsNotWritten(t *testing.T) {
	start := mustParse(t, position.StartText, "standard")
	place, err := start.ParseTurn("f6")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		spoil  func(*record.Game)
		reason string
	}{
		{"an illegal turn", func(r *record.Game) { r.Add(place, "") }, "turn 2"},
		{"no turn", func(r *record.Game) { r.Add(position.None, "") }, "turn 2"},
		{"a closing brace in a comment", func(r *record.Game) { r.Turns[0].Comment = "a } b" }, "brace"},
		{"a comment that is no text", func(r *record.Game) { r.Comment = "\xff" }, "UTF-8"},
		{"a comment too long", func(r *record.Game) { r.Comment = strings.Repeat("x", 1<<15) }, "comment of more"},
		{"a value of two lines", func(r *record.Game) { r.SetTag("White", "a\nb") }, "control"},
		{"a name with a space", func(r *record.Game) { r.SetTag("Two words", "") }, "name"},
		{"no name", func(r *record.Game) { r.SetTag("", "x") }, "name"},
		{"a tag that a field holds", func(r *record.Game) { r.SetTag("Result", "*") }, "second tag"},
		{"a tag twice", func(r *record.Game) { r.Tags = []record.Tag{{Name: "A"}, {Name: "A"}} }, "second tag"},
		{"too many tags", func(r *record.Game) { r.Tags = make([]record.Tag, 1000) }, "tags"},
		{"too long", func(r *record.Game) { r.SetTag("A", strings.Repeat("x", 2<<20)) }, "longer than"},
		{"a result without a reason", func(r *record.Game) { r.Finished = true }, "Termination"},
		{"rings below none", func(r *record.Game) { r.Award(&start, position.Draw, "x"); r.Score[0] = -1 }, "-1 rings"},
	} {
		t.Run(test.name, func(t *testing.T) {
			game := record.New(start)
			game.Add(place, "")
			test.spoil(&game)
			var written strings.Builder
			err := game.Write(&written)
			if err == nil || written.Len() > 0 {
				t.Fatalf("written, with error %v:\n%.1000s", err, written.String())
			}
			checkError(t, err, test.reason)
		})
	}
}

// checkError checks that an error is one of a record, in a line of bearable
// length, and that its reason has some words.
func checkError(t *testing.T, err error, reason ...string) {
	t.Helper()
	var typed *position.Error
	if !errors.As(err, &typed) || typed.Field != "record" || typed.Reason == "" || len(err.Error()) > 1000 {
		t.Fatalf("%T with %d bytes: %.500q", err, len(err.Error()), err)
	}
	for _, words := range reason {
		if !strings.Contains(typed.Reason, words) {
			t.Errorf("reason is %q, without %q", typed.Reason, words)
		}
	}
}
