package conformance

import (
	"gyre/position"
)

const goWhenOver = "go in a game that is over is answered `bestmove none`"

var endChecks = []Check{
	{Section: ends, Name: "query gameover and query result tell how games stand", Needs: []string{takesPositions}, run: onPositions(position.Standard, checkResult),
		Advice: "the third ring removed wins; else a game ends when the pool of 51 markers is empty or neither side can move, and more rings removed win"},
	{Section: ends, Name: "query gameover and query result tell how games of blitz stand", Optional: true, Needs: []string{takesBlitz}, run: onPositions(position.Blitz, checkResult),
		Advice: "the first ring removed wins"},
	{Section: ends, Name: "games played to their end are over", Needs: []string{ready}, run: onGames(position.Standard, checkGameEnd(position.Standard)),
		Advice: "play the turns of the lines: after the last one the game is over, before it is not"},
	{Section: ends, Name: "games of blitz played to their end are over", Optional: true, Needs: []string{takesBlitz}, run: onGames(position.Blitz, checkGameEnd(position.Blitz)),
		Advice: "play the turns of the lines: after the last one the game is over, before it is not"},
	{Section: ends, Name: goWhenOver, Needs: []string{givesTurn, takesPositions}, run: onPositions(position.Standard, checkNoTurn),
		Advice: "every `go` gets a bestmove, also where there is no turn"},
}

// result is the answer to `query result`.
func result(p *position.Position) string {
	switch p.Result() {
	case position.WhiteWins:
		return "p1win"
	case position.BlackWins:
		return "p2win"
	case position.Draw:
		return "draw"
	}
	return "none"
}

func checkResult(s *session, p position.Position) error {
	if err := s.setUp(p); err != nil {
		return err
	}
	return s.knowsResult()
}

// knowsResult checks the answers to the queries that the engine knows.
func (s *session) knowsResult() error {
	if s.known.queries["gameover"] {
		over := "false"
		if s.root.Over() {
			over = "true"
		}
		if err := s.answersTo("gameover", over); err != nil {
			return err
		}
	}
	if s.known.queries["result"] {
		if err := s.answersTo("result", result(&s.root)); err != nil {
			return err
		}
	}
	if s.known.queries["p1turn"] {
		return s.answersTo("p1turn", turnOfWhite(&s.root))
	}
	return nil
}

func checkGameEnd(rules position.Rules) func(s *session, game []position.Turn) error {
	return func(s *session, game []position.Turn) error {
		for _, played := range [][]position.Turn{game[:len(game)-1], game} {
			if err := s.setUp(position.Start(rules), played...); err != nil {
				return err
			}
			if err := s.knowsResult(); err != nil {
				return err
			}
		}
		return nil
	}
}

func checkNoTurn(s *session, p position.Position) error {
	if !p.Over() {
		return nil
	}
	if err := s.setUp(p); err != nil {
		return err
	}
	_, err := s.search("go depth 1")
	return err
}
