package bga

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/position/record"
)

// logOf returns a log in testdata.
func logOf(t testing.TB, n int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("testdata/game%d.json", n))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLogs compares logs with the same games in position's test data.
func TestLogs(t *testing.T) {
	text, err := os.ReadFile("../testdata/human.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") || n == 3 {
			continue
		}
		n++
		fields := strings.Split(line, "|")
		log := logOf(t, n)
		if !Looks(log) {
			t.Errorf("game %d does not look like a log", n)
		}
		game, err := Read(log)
		if err != nil {
			t.Errorf("game %d: %v", n, err)
			continue
		}
		var turns []string
		for _, turn := range game.Turns {
			turns = append(turns, turn.Turn.String())
		}
		score := fmt.Sprintf("%d-%d", game.Score[position.White], game.Score[position.Black])
		if diff := cmp.Diff(strings.Fields(fields[2]), turns); diff != "" || score != strings.TrimSpace(fields[1]) {
			t.Errorf("game %d: %s (-want +got):\n%s", n, score, diff)
		}
		if game.Tag("White") != "North" || game.Tag("Black") != "South" {
			t.Errorf("game %d: %v", n, game.Tags)
		}
	}
	if n != 3 {
		t.Errorf("%d games", n)
	}
	if Looks(`{"logs" is what he calls them} f6`) {
		t.Error("a record that begins with a comment looks like a log")
	}
}

// short returns a log with the given notifications.
func short(notifications ...string) string {
	return `{"data":{"players":[{"id":1,"name":"A","color":"ffffff"},{"id":"2","name":"B"}],"logs":[{"time":"1700000000","data":[` +
		strings.Join(notifications, ",") + `]}]}}`
}

// move returns the notification of a move.
func move(player int, template, from, to string) string {
	return fmt.Sprintf(`{"type":"move","log":"${player_name} %s","args":{"player_id":%d,"locationFrom":%q,"locationTo":%q}}`, template, player, from, to)
}

// ring returns the notification of a ring placement.
func ring(player int, to string) string { return move(player, "places a ring on ${x}", "@0", to) }

// TestUndo takes back one action, and then a whole turn.
func TestUndo(t *testing.T) {
	undo := func(player int, template string) string {
		return fmt.Sprintf(`{"type":"restartUndo","log":"${player_name} %s","args":{"player_id":"%d"}}`, template, player)
	}
	game, err := Read(short(`{"type":"x","log":"","args":[]}`, ring(1, "E5"), ring(2, "F6"), undo(2, "takes back"), ring(2, "F7"), undo(2, "restarts their turn"), ring(2, "F8")))
	if err != nil || len(game.Turns) != 2 || game.Turns[1].Turn.String() != "f8" || game.Tag("Date") != "2023.11.14" || game.Finished {
		t.Errorf("%+v, %v", game, err)
	}
}

// TestLongName checks that a very long player name is shortened.
func TestLongName(t *testing.T) {
	game, err := Read(strings.Replace(short(ring(1, "E5")), `"name":"A"`, `"name":"`+strings.Repeat("A ", 1e6)+`"`, 1))
	if name := game.Tag("White"); err != nil || len(name) < 1000 || len(name) > 1004 {
		t.Errorf("%d bytes, %v", len(name), err)
	}
}

// TestEnds reads a game that did not end on the board.
func TestEnds(t *testing.T) {
	game, err := Read(short(ring(1, "E5"), `{"type":"gameEnd","log":"${player_name} wins","args":{"player_id":2}}`))
	if err != nil || game.Result() != position.BlackWins || game.Tag("Termination") != "adjudication" {
		t.Errorf("%+v, %v", game, err)
	}
}

// TestRejectedLogs checks the place and the code of errors.
func TestRejectedLogs(t *testing.T) {
	second := "packet 1, notification 2"
	for _, test := range []struct{ text, where, code string }{
		{`{"logs"`, "", "not-a-log"},
		{`{"data":{"logs":[]}}`, "data.logs", "no-moves"},
		{short(`{"type":"x"}`), "data.logs", "no-moves"},
		{short(ring(1, "E5"), ring(1, "E6")), second, "other-side"},
		{short(ring(1, "E5"), ring(2, "E5")), second, "not-legal"},
		{short(ring(1, "E5"), ring(2, "Z9")), second, "bad-point"},
		{short(ring(1, "E5"), move(2, "dances on ${x}", "", "")), second, "unknown-move"},
		{short(ring(1, "E5"), `{"type":"move","log":"","args":[]}`), second, "unknown-move"},
		{short(ring(1, "E5"), `{"type":"restartUndo","log":"","args":{"player_id":2}}`), second, "not-played"},
		{short(ring(2, "E5")), "packet 1, notification 1", "not-first"},
		{short(ring(1, "E5"), move(2, "removes a row of markers from ${x}", "A2", "A5")), second, "not-a-row"},
		{short(ring(1, "E5"), `{"type":"gameEnd","log":"${player_name} has removed 3 rings","args":{"player_id":2}}`), second, "moves-missing"},
		{strings.Replace(logOf(t, 1), `has removed 3 rings","args":{"player_id":"1002"`, `has removed 3 rings","args":{"player_id":"1001"`, 1), "packet 68, notification 1", "other-winner"},
	} {
		game, err := Read(test.text)
		fault, ok := errors.AsType[*record.Error](err)
		if !ok || fault.Code != test.code || fault.Part != test.where {
			t.Errorf("%.80s: %+v, %v, want %s in %s", test.text, game, err, test.code, test.where)
		}
	}
}

// FuzzRead checks that each log either can be written as a record or gives an error with a
// fault for the page.
func FuzzRead(f *testing.F) {
	for n := 1; n <= 3; n++ {
		f.Add(logOf(f, n))
	}
	f.Add(short(ring(1, "E5"), ring(2, "F6")))
	f.Fuzz(func(t *testing.T, text string) {
		game, err := Read(text)
		if err != nil {
			if fault, ok := errors.AsType[*record.Error](err); !ok || fault.Code == "" {
				t.Errorf("the error is %v", err)
			}
			return
		}
		if err := game.Write(&strings.Builder{}); err != nil {
			t.Errorf("%v: %+v", err, game)
		}
	})
}
