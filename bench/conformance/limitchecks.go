package conformance

import (
	"fmt"
	"slices"

	"gyre/position"
	"gyre/protocol"
)

var limitChecks = []Check{
	{Section: limits, Name: "depth ends a search", Needs: []string{givesTurn}, run: checkDepth,
		Advice: "`go depth N` ends when N turns are searched in full, and tells no greater depth"},
	{Section: limits, Name: "nodes end a search", Needs: []string{givesTurn}, run: checkNodes,
		Advice: "`go nodes N` ends after N positions, a few more at most"},
	{Section: limits, Name: "zero counts as one", Needs: []string{givesTurn}, run: endThemselves("go depth 0", "go nodes 0", "go movetime 0"),
		Advice: "a search with hardly any limit gives a turn at once"},
	{Section: limits, Name: "limits hold together, the first one reached ends the search", Needs: []string{givesTurn},
		run:    endThemselves("go depth 1 movetime 600000", "go movetime 600000 depth 1", "go nodes 1 depth 100000", "go depth 1 nodes 1000000000000"),
		Advice: "look at each limit that is given, whatever others are"},
	{Section: limits, Name: "searchmoves restricts the turns", Optional: true, Needs: []string{legalTurns}, run: checkSearchMoves,
		Advice: "look at the turns after searchmoves alone; an engine that cannot says so in an `info string`"},
	{Section: limits, Name: "mate finds a win in one turn", Optional: true, Needs: []string{legalTurns}, run: checkMate,
		Advice: "`go mate N` ends once a win within N turns is found"},
	{Section: limits, Name: "with nodestime times are counted in nodes", Optional: true, Needs: []string{givesTurn}, fresh: true, run: checkNodesTime,
		Advice: "with nodestime N a millisecond is N nodes, for movetime and for the clocks"},
}

func checkDepth(s *session) error {
	for depth := 1; depth <= 2; depth++ {
		if _, err := s.search(fmt.Sprint("go depth ", depth)); err != nil {
			return err
		}
		if told, _ := s.most("depth"); told > depth {
			return faultf("go depth %d: a report tells depth %d", depth, told)
		}
	}
	return nil
}

// nodesTried are limits in nodes; twice as many, and nodeSlack more, are put up with.
var nodesTried = []int{1, 1000, 10000}

const nodeSlack = 5000

func checkNodes(s *session) error {
	told := false
	for _, n := range nodesTried {
		if _, err := s.search(fmt.Sprint("go nodes ", n)); err != nil {
			return err
		}
		visited, tells := s.most("nodes")
		if visited > 2*n+nodeSlack {
			return faultf("go nodes %d: %d nodes are reported", n, visited)
		}
		told = told || tells
	}
	if !told {
		s.remark = "no report tells nodes"
	}
	return nil
}

// endThemselves is a check of searches that must end by themselves.
func endThemselves(commands ...string) func(s *session) error {
	return func(s *session) error {
		for _, command := range commands {
			if _, err := s.search(command); err != nil {
				return err
			}
		}
		return nil
	}
}

// checkSearchMoves has the engine choose between two turns, of which neither may be
// the one that it would choose itself, in positions of all kinds.
func checkSearchMoves(s *session) error {
	return onPositions(position.Standard, func(s *session, p position.Position) error {
		if p.Over() {
			return nil
		}
		if err := s.setUp(p); err != nil {
			return err
		}
		for _, t := range someTurns(&p, 2) {
			command := "go depth 1 searchmoves " + t.String()
			a, err := s.search(command)
			if err != nil {
				return err
			}
			if a.turn == t {
				continue
			}
			if _, said := s.first("info string"); said {
				return lackf("searchmoves is skipped, as it says")
			}
			return faultf("%s is answered %v", printable(command), a.turn)
		}
		return nil
	})(s)
}

func checkMate(s *session) error {
	problems, err := shortest(3)
	if err != nil {
		return err
	}
	for _, problem := range problems {
		if err := s.setUp(problem.Position); err != nil {
			return err
		}
		// The time is for engines that do not know the word.
		a, err := s.search("go mate 1 movetime 500")
		if err != nil {
			return err
		}
		if !slices.Contains(problem.Winning, a.turn) {
			return lackf("it found no win in one turn")
		}
	}
	return nil
}

// nodesAMillisecond and millisecondsOfNodes make a thousand nodes.
const (
	nodesAMillisecond   = 20
	millisecondsOfNodes = 50
)

func checkNodesTime(s *session) error {
	o, has := s.option("nodestime")
	if !has || o.Kind != protocol.SpinOption || o.Max < nodesAMillisecond {
		return lackf("there is no option nodestime")
	}
	if err := s.set("nodestime", fmt.Sprint(nodesAMillisecond)); err != nil {
		return err
	}
	for _, command := range []string{fmt.Sprint("go movetime ", millisecondsOfNodes), "go " + s.clocks(millisecondsOfNodes, millisecondsOfNodes)} {
		if _, err := s.search(command); err != nil {
			return err
		}
		const budget = nodesAMillisecond * millisecondsOfNodes
		if visited, told := s.most("nodes"); !told || visited > 2*budget+nodeSlack {
			return faultf("%s, %d nodes a millisecond: %d nodes are reported", command, nodesAMillisecond, visited)
		}
	}
	return nil
}
