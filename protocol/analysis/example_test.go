package analysis_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"gyre/position"
	"gyre/protocol"
	"gyre/protocol/analysis"
	"gyre/search"
)

// mobility is an analyst that looks one turn ahead and prefers positions in which its
// rings have more places to go than the opponent's.
type mobility struct{}

func (mobility) Search(_ context.Context, root position.Position, _ search.Limits, _ int, report func(protocol.Info)) {
	var best position.Turn
	bestScore, turns := 0, root.Turns(nil)
	for i, t := range turns {
		after := root.After(t)
		us := root.SideToMove()
		score := after.Mobility(us) - after.Mobility(us.Opponent())
		if i == 0 || score > bestScore {
			best, bestScore = t, score
		}
	}
	report(protocol.Info{
		Depth: 1, MultiPV: 1, Nodes: uint64(len(turns)), PV: []position.Turn{best},
		Score: protocol.Score{Value: bestScore}, HasScore: true,
	})
}

// A server answers each line of its input with one line per position.
func ExampleServer() {
	queries := `{"id":"opening","turns":["f6"],"maxNodes":1000}
{"id":"typo","turns":"f6"}
`
	server := analysis.NewServer([]analysis.Analyst{mobility{}}, analysis.Build{Name: "Mobility"}, timeless{})
	if err := server.Serve(context.Background(), []analysis.Input{{Reader: strings.NewReader(queries)}}); err != nil {
		fmt.Println(err)
	}
	progress := server.Progress()
	fmt.Println(progress.Answers, "answer,", progress.Faults, "rejected line")
	// Unordered output:
	// {"id":"typo","error":"\"f6\": not an array","field":"turns"}
	// {"id":"opening","turnNumber":1,"isDuringSearch":false,"fen":"4/7/8/9/10/4W4/10/9/8/7/4 b 0-0","sideToMove":"b","root":{"cp":2,"chance":0.505,"nodes":84,"depth":1,"proven":false},"lines":[{"turn":"d5","cp":2,"chance":0.505,"pv":["d5"]}]}
	// 1 answer, 1 rejected line
}

// Parse reads one query, for example to check it before sending it.
func ExampleParse() {
	request, unknown, err := analysis.Parse(`{"id":"1","turns":["f6","g7"],"maxNodes":5000,"color":"white"}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	query := request.(*analysis.Query)
	fmt.Println(query.ID, query.Turns, query.Limits.Nodes)
	fmt.Println("unknown:", unknown)

	_, _, err = analysis.Parse(`{"id":"2","multiPV":100}`)
	fmt.Println(err)
	// Output:
	// 1 [f6 g7] 5000
	// unknown: [color]
	// multiPV: 100: out of range 1 to 64
}

// timeless prints lines without the time that a search took.
type timeless struct{}

func (timeless) Write(line []byte) (int, error) {
	text, _, found := strings.Cut(string(line), `,"timeMs"`)
	if found {
		text += "}\n"
	}
	_, err := os.Stdout.WriteString(text)
	return len(line), err
}
