package position_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gyre/position"
)

// page returns the text of a page, with single spaces between its words.
func page(t *testing.T, path string) (text, words string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content), strings.Join(strings.Fields(string(content)), " ")
}

// TestRulesPageCases plays the cases of RULES.md with the package and with the reference.
func TestRulesPageCases(t *testing.T) {
	text, _ := page(t, "RULES.md")
	_, list, _ := strings.Cut(text, "## Ten tricky cases\n")
	blocks := strings.Split(list, "```session\n")
	for i := 1; i <= 10; i++ {
		if len(blocks) != 11 || !strings.Contains(blocks[0], "\n"+strconv.Itoa(i)+". ") || !strings.HasPrefix(blocks[i], strconv.Itoa(i)+". ") {
			t.Fatalf("no case %d, or no session of it", i)
		}
	}
	for name, begin := range map[string]func(t *testing.T, text string) game{
		"package":   func(t *testing.T, text string) game { return &subject{mustParse(t, text, "standard")} },
		"reference": func(t *testing.T, text string) game { r := newReference(text, "standard"); return &r },
	} {
		for _, block := range blocks[1:] {
			session, _, _ := strings.Cut(block, "```")
			title, lines, _ := strings.Cut(session, "\n")
			t.Run(name+" "+title, func(t *testing.T) { playSession(t, lines, begin) })
		}
	}
}

// playSession executes the commands of a session, and compares the answers. It knows
// `position fen`, `moves` and the queries about the position.
func playSession(t *testing.T, lines string, begin func(t *testing.T, text string) game) {
	var g game
	var answer string
	play := func(turns []string) {
		for _, turn := range turns {
			if !g.turn(turn) {
				t.Fatalf("%s is not legal", turn)
			}
		}
	}
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch {
		case words[0] == "<":
			if answer == "" || line != "< response "+answer {
				t.Errorf("%s, want %s", line, answer)
			}
			continue
		case words[1] == "position" && words[2] == "fen":
			g = begin(t, strings.Join(words[3:6], " "))
			if len(words) > 6 && words[6] == "moves" {
				play(words[7:])
			}
			continue
		case words[1] == "moves":
			play(words[2:])
			continue
		}
		result, fen := g.outcome()
		switch words[1] + " " + words[2] {
		case "query moves":
			answer = strings.Join(sorted(g.words()), " ")
		case "query fen":
			answer = fen
		case "query gameover":
			answer = strconv.FormatBool(result != "ongoing")
		case "query result":
			answer = map[string]string{"white": "p1win", "black": "p2win", "draw": "draw", "ongoing": "none"}[result]
		default:
			t.Fatalf("cannot execute %s", line)
		}
	}
}

// TestRulesPageBoard compares the statements of RULES.md about the board with the package.
func TestRulesPageBoard(t *testing.T) {
	text, words := page(t, "RULES.md")
	start := position.Start(position.Standard)
	if !strings.Contains(text, "```\n"+start.Draw()+"```") {
		t.Errorf("no drawing of the board:\n%s", start.Draw())
	}
	for column := range position.Columns {
		first, last := position.ColumnNumbers(column)
		if numbers := "`" + string(rune('a'+column)) + "` " + strconv.Itoa(first) + "-" + strconv.Itoa(last); !strings.Contains(words, numbers) {
			t.Errorf("no %s", numbers)
		}
	}
	// From f6, the neighbors are the points that a lone ring reaches in one step.
	var near []string
	p := mustParse(t, "W3/W6/W7/W8/10/4W4/10/9/8/6B/BBBB w 0-0", "standard")
	for _, turn := range p.Turns(nil) {
		word := turn.String()
		if from, to, _ := strings.Cut(word, "-"); from == "f6" {
			if c, n := int(to[0])-'f', int(to[1])-'6'; len(to) == 2 && max(c, n, -c, -n) == 1 {
				near = append(near, to)
			}
		}
	}
	want := []string{"e5", "e6", "f5", "f7", "g6", "g7"}
	if slices.Sort(near); !slices.Equal(near, want) || !strings.Contains(words, "those of `f6` are `f5`, `f7`, `e6`, `g6`, `e5` and `g7`") {
		t.Errorf("the neighbors of f6 are %q, want %q", near, want)
	}
}

// TestPagesAreTrue checks the statements of PROTOCOL.md and RULES.md about turns and
// positions in games that are played to their end, on crowded boards and in the rulings.
func TestPagesAreTrue(t *testing.T) {
	type situation struct {
		p     *position.Position
		turns []position.Turn
	}
	every := func(turns []position.Turn, holds func(turn position.Turn) bool) bool {
		return !slices.ContainsFunc(turns, func(turn position.Turn) bool { return !holds(turn) })
	}
	won := func(p *position.Position, s position.Side) bool { return p.Removed(s) == p.Rules().WinningRings() }
	statements := []struct {
		page, says string
		applies    func(s situation) bool // nil for all situations
		holds      func(s situation) bool
	}{
		{"../PROTOCOL.md", "the side to move. In a finished game, the side that would be next.", nil,
			func(s situation) bool {
				return every(s.turns, func(turn position.Turn) bool {
					next := s.p.After(turn)
					return next.SideToMove() != s.p.SideToMove()
				})
			}},
		{"../PROTOCOL.md", "A side with fewer than five rings, on the board and removed together, is still placing.",
			func(s situation) bool { return s.p.Rings(s.p.SideToMove()).Count()+s.p.Removed(s.p.SideToMove()) < 5 },
			func(s situation) bool {
				return len(s.turns) > 0 && every(s.turns, func(turn position.Turn) bool { return turn.Kind() == position.Place })
			}},
		{"../PROTOCOL.md", "A row of the side to move is one that its turn begins with, unless the game is over.",
			func(s situation) bool { return s.p.HasRow(s.p.SideToMove()) && !s.p.Over() },
			func(s situation) bool {
				return len(s.turns) > 0 && every(s.turns, func(turn position.Turn) bool { return turn.Before() > 0 })
			}},
		{"../PROTOCOL.md", "Only a finished game may have a row of the other side",
			func(s situation) bool { return s.p.HasRow(s.p.SideToMove().Opponent()) },
			func(s situation) bool {
				return s.p.Over() && won(s.p, s.p.SideToMove().Opponent())
			}},
		{"../PROTOCOL.md", "If a removal ends the game before the ring moves, the turn has only removals.",
			func(s situation) bool {
				return slices.ContainsFunc(s.turns, func(turn position.Turn) bool {
					return turn.Kind() == position.RemovalsOnly
				})
			},
			func(s situation) bool {
				return every(s.turns, func(turn position.Turn) bool {
					parts := strings.Split(turn.String(), ";")
					next := s.p.After(turn)
					return len(parts) > turn.Removals() || next.Over()
				})
			}},
		{"../PROTOCOL.md", "Removing the same rows in another order is a different turn.", nil,
			func(s situation) bool {
				seen := map[string]bool{}
				return every(s.turns, func(turn position.Turn) bool {
					twice := seen[turn.String()]
					seen[turn.String()] = true
					return !twice
				})
			}},
		{"RULES.md", "You must not pass if you can move.",
			func(s situation) bool { return s.p.CanMove(s.p.SideToMove()) && !s.p.HasRow(s.p.SideToMove()) },
			func(s situation) bool {
				return every(s.turns, func(turn position.Turn) bool { return !strings.Contains(turn.String(), "pass") })
			}},
		{"RULES.md", "The game ends at once when a player has removed three rings; that player wins.",
			func(s situation) bool {
				return s.p.Rules() == position.Standard && (won(s.p, position.White) || won(s.p, position.Black))
			},
			func(s situation) bool {
				return len(s.turns) == 0 && (s.p.Result() == position.WhiteWins) == won(s.p, position.White) && s.p.Result() != position.Draw
			}},
		{"RULES.md", "after step 1 of a turn if the pool is empty or no ring of either player can move",
			func(s situation) bool {
				return !s.p.Placing() && !s.p.HasRow(s.p.SideToMove()) && !won(s.p, position.White) && !won(s.p, position.Black)
			},
			func(s situation) bool {
				stuck := !s.p.CanMove(position.White) && !s.p.CanMove(position.Black)
				return s.p.Over() == (s.p.Pool() == 0 || stuck)
			}},
		{"RULES.md", "Then the player who has removed more rings wins; equal numbers are a draw.",
			func(s situation) bool { return s.p.Over() },
			func(s situation) bool {
				ahead := s.p.Removed(position.White) - s.p.Removed(position.Black)
				return s.p.Result().For(position.White) == max(-1, min(1, ahead)) && len(s.turns) == 0
			}},
	}
	met := make([]int, len(statements))
	visit := func(t *testing.T, p *position.Position, turns []position.Turn) {
		for i, statement := range statements {
			s := situation{p, turns}
			if statement.applies != nil && !statement.applies(s) {
				continue
			}
			if met[i]++; !statement.holds(s) {
				t.Errorf("not true of %s, %s rules: %s", p, p.Rules(), statement.says)
			}
		}
	}
	everywhere(t, visit)
	for _, c := range rulingCases(t) {
		p := mustParse(t, c.position, c.rules)
		visit(t, &p, p.Turns(nil))
		for _, turn := range p.Turns(nil) {
			after := p.After(turn)
			visit(t, &after, after.Turns(nil))
		}
	}
	for i, statement := range statements {
		if met[i] == 0 {
			t.Errorf("no position to try: %s", statement.says)
		}
		if _, words := page(t, statement.page); !strings.Contains(words, statement.says) {
			t.Errorf("%s does not say: %s", statement.page, statement.says)
		}
	}
}
