package bga

import (
	"encoding/json"
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
		game, _, err := Read(log)
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
}

// TestLooks compares texts with a table that the board's page is tested with, too. Only the blanks of JSON may stand
// around the first key.
func TestLooks(t *testing.T) {
	var table [][2]any
	text, err := os.ReadFile("testdata/beginnings.json")
	if err == nil {
		err = json.Unmarshal(text, &table)
	}
	if err != nil || len(table) == 0 {
		t.Fatal(len(table), err)
	}
	for _, row := range table {
		if text := row[0].(string); Looks(text) != row[1] {
			t.Errorf("%q looks like a log: %t", text, Looks(text))
		}
	}
}

// TestEndsBlitz compares ends of games. Only the template of a single removed ring is that of a blitz game.
func TestEndsBlitz(t *testing.T) {
	for end, blitz := range map[string]bool{
		"${player_name} has removed 1 ring":       true,
		"${player_name} has removed one ring.":    true,
		"North: has removed, 1\u00a0ring!":        true,
		"${player_name} has removed 1 ring_":      true,
		"${player_name} has removed 3 rings":      false,
		"${player_name} has removed 1 rings":      false,
		"${player_name} has removed 11 ring":      false,
		"${player_name} has removed 1 ring\u00e9": false,
		"${player_name} has removed \u0661 ring":  false,
		"unremoved 1 ring":                        false,
		"r\u00e9removed one ring":                 false,
		"removed 1 ringe\u0301":                   false,
		"removed 1½ ring":                         false,
		"removed 1 ring\u0301":                    false,
		"":                                        false,
	} {
		if endsBlitz(end) != blitz {
			t.Errorf("%q ends a blitz game: %t", end, !blitz)
		}
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
	game, _, err := Read(short(`{"type":"x","log":"","args":[]}`, ring(1, "E5"), ring(2, "F6"), undo(2, "takes back"), ring(2, "F7"), undo(2, "restarts their turn"), ring(2, "F8")))
	if err != nil || len(game.Turns) != 2 || game.Turns[1].Turn.String() != "f8" || game.Tag("Date") != "2023.11.14" || game.Finished {
		t.Errorf("%+v, %v", game, err)
	}
}

// TestLongName checks that a very long player name is shortened.
func TestLongName(t *testing.T) {
	game, _, err := Read(strings.Replace(short(ring(1, "E5")), `"name":"A"`, `"name":"`+strings.Repeat("A ", 1e6)+`"`, 1))
	if name := game.Tag("White"); err != nil || len(name) < 1000 || len(name) > 1004 {
		t.Errorf("%d bytes, %v", len(name), err)
	}
}

// TestEnds reads a game that did not end on the board.
func TestEnds(t *testing.T) {
	game, _, err := Read(short(ring(1, "E5"), `{"type":"gameEnd","log":"${player_name} wins","args":{"player_id":2}}`))
	if err != nil || game.Result() != position.BlackWins || game.Tag("Termination") != "adjudication" {
		t.Errorf("%+v, %v", game, err)
	}
}

// TestRejectedLogs checks the place and the code of errors.
func TestRejectedLogs(t *testing.T) {
	first := "packet 1, notification 1"
	for _, test := range []struct{ text, where, code string }{
		{`{"logs"`, "", "not-a-log"},
		{`{"data":{"logs":[]}}`, "data.logs", "no-moves"},
		{short(`{"type":"x"}`), "data.logs", "no-moves"},
		{short(ring(2, "E5")), first, "not-first"},
		{short(ring(1, "Z9"), ring(1, "E5")), first, "bad-point"},
		{short(move(1, "moves a ring from ${x}", "E5", "E6"), ring(1, "E5")), first, "not-legal"},
	} {
		game, _, err := Read(test.text)
		fault, ok := errors.AsType[*record.Error](err)
		if !ok || fault.Code != test.code || fault.Part != test.where {
			t.Errorf("%.80s: %+v, %v, want %s in %s", test.text, game, err, test.code, test.where)
		}
	}
}

// TestIllegalMoves reads logs with an illegal or unknown move, or with a result that the moves do not
// have. The game ends before it, and the fault names its place.
func TestIllegalMoves(t *testing.T) {
	second, whole := "packet 1, notification 2", len(readLog(t, logOf(t, 1)).Turns)
	end := `{"type":"gameEnd","log":"${player_name} has removed %s","args":{"player_id":2}}`
	blitz, standard := fmt.Sprintf(end, "1 ring"), fmt.Sprintf(end, "3 rings")
	for _, test := range []struct {
		text, where, code string
		rules             position.Rules
		turns             int
		result            position.Result
	}{
		{short(ring(1, "E5"), ring(1, "E6"), standard), second, "other-side", position.Standard, 1, position.Ongoing},
		{short(ring(1, "E5"), ring(2, "E5"), ring(2, "F6"), blitz), second, "not-legal", position.Blitz, 1, position.Ongoing},
		{short(ring(1, "E5"), ring(2, "Z9"), ring(2, "F6"), standard), second, "bad-point", position.Standard, 1, position.Ongoing},
		{short(ring(1, "E5"), move(2, "dances on ${x}", "", ""), ring(2, "F6"), blitz), second, "unknown-move", position.Blitz, 1, position.Ongoing},
		{short(ring(1, "E5"), `{"type":"move","log":"","args":[]}`), second, "unknown-move", position.Standard, 1, position.Ongoing},
		{short(ring(1, "E5"), `{"type":"restartUndo","log":"","args":{"player_id":2}}`, ring(2, "F6")), second, "not-played", position.Standard, 1, position.Ongoing},
		{short(ring(1, "E5"), move(2, "removes a row of markers from ${x}", "A2", "A5")), second, "not-a-row", position.Standard, 1, position.Ongoing},
		{short(ring(1, "E5"), standard), second, "moves-missing", position.Standard, 1, position.Ongoing},
		{strings.Replace(logOf(t, 1), `has removed 3 rings","args":{"player_id":"1002"`, `has removed 3 rings","args":{"player_id":"1001"`, 1), "packet 68, notification 1", "other-winner", position.Standard, whole, position.BlackWins},
	} {
		game, skipped, err := Read(test.text)
		if err != nil || len(skipped) != 1 {
			t.Errorf("%.200s: skipped %v, %v", test.text, skipped, err)
			continue
		}
		if fault := skipped[0]; fault.Code != test.code || fault.Part != test.where {
			t.Errorf("%.200s: skipped %v (%s), want %s in %s", test.text, fault, fault.Code, test.code, test.where)
		}
		if len(game.Turns) != test.turns || game.Start.Rules() != test.rules || game.Result() != test.result || game.Tag("Black") == "" {
			t.Errorf("%.200s: %d turns, %v, %v, %v", test.text, len(game.Turns), game.Start.Rules(), game.Result(), game.Tags)
		}
	}
}

// readLog returns the game of a log.
func readLog(t *testing.T, text string) record.Game {
	t.Helper()
	game, skipped, err := Read(text)
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	return game
}

// FuzzRead checks that each log either can be written as a record or gives an error with a
// fault for the page.
func FuzzRead(f *testing.F) {
	for n := 1; n <= 3; n++ {
		f.Add(logOf(f, n))
	}
	f.Add(short(ring(1, "E5"), ring(2, "F6")))
	f.Fuzz(func(t *testing.T, text string) {
		game, _, err := Read(text)
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
