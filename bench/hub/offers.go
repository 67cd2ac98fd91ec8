package hub

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gyre/bench/game"
	"gyre/protocol"
)

// Offer is an engine that a worker has, and that is not sent: a match asks for it by name.
type Offer struct {
	Program  protocol.Program
	Settings []game.Setting // before those of the match
}

// CheckOffer returns what is wrong with the name of an engine that is offered, nil if
// nothing.
func CheckOffer(name string) error {
	if !names.MatchString(name) {
		return fmt.Errorf("the engine %q that is offered: a name has 1 to 40 letters, digits, _ and -", name)
	}
	return nil
}

// Offered returns what an engine that workers offer under a name is called among programs,
// whatever builds of it they have: see game.Engine.
func Offered(name string) string { return "offered " + name }

// offer returns an engine that this worker offers, if it does.
func (s *EngineSpec) offer(offers map[string]Offer) (game.Engine, error) {
	own, has := offers[s.Offered]
	if !has {
		return game.Engine{}, fmt.Errorf("this worker offers no %.40q", s.Offered)
	}
	return game.Engine{Start: own.Program.Start, Program: Offered(s.Offered), Settings: slices.Clone(own.Settings)}, nil
}

// needs returns the engines that a match wants its workers to offer, in order.
func (s *Spec) needs() []string {
	all := map[string]bool{}
	for i := range s.Engines {
		if name := s.Engines[i].Offered; name != "" {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// offersAll tells whether a worker offers all engines that a match needs.
func offersAll[T any](offers map[string]T, needs []string) bool {
	return !slices.ContainsFunc(needs, func(name string) bool { _, has := offers[name]; return !has })
}

// alone returns why nobody plays a match.
func alone(needs []string) error {
	if len(needs) == 0 {
		return errAlone
	}
	return fmt.Errorf("no worker is there yet that offers %s: games begin when one comes", strings.Join(needs, " and "))
}
