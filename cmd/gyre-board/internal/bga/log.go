// Package bga reads games of YINSH from boardgamearena.com: the log of a saved replay,
// which is JSON.
//
//	log.go     the log, and what the players did by it
//	replay.go  the game that this makes
//
// The log is a list of packets of notifications. Those of the type "move" say by their
// English template what was done; points are in capitals. A marker is placed where the
// ring then leaves. "restartUndo" takes back: all that the same player has done since
// the other one did something, or the last action alone. "gameEnd" tells the result.
// All other types mean nothing here.
package bga

import (
	"encoding/json"
	"fmt"
	"strings"

	"gyre/position"
)

// Error is a log that cannot be read.
type Error struct {
	Where  string // the packet and the notification in it, from 1; empty for all of it
	Reason string
}

// Error returns where and why.
func (e *Error) Error() string { return strings.TrimPrefix(e.Where+": "+e.Reason, ": ") }

// refuse is short for an *Error whose reason is formatted.
func refuse(where, format string, args ...any) *Error {
	return &Error{Where: where, Reason: fmt.Sprintf(format, args...)}
}

// word is a text, or a number, which is taken as its text.
type word string

// UnmarshalJSON reads a text or a number; anything else is empty.
func (w *word) UnmarshalJSON(text []byte) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	switch value := value.(type) {
	case string:
		*w = word(value)
	case float64:
		*w = word(text)
	}
	return nil
}

// file is what a log holds of interest.
type file struct {
	Data struct {
		Players []player `json:"players"`
		Logs    []packet `json:"logs"`
	} `json:"data"`
}

// player is one of the two who play.
type player struct {
	ID    word   `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"` // "#ffffff" is white
}

// packet is what happened at once.
type packet struct {
	Time word           `json:"time"` // seconds since 1970
	Data []notification `json:"data"`
}

// notification is what players were told.
type notification struct {
	Type string          `json:"type"`
	Log  string          `json:"log"` // a template in English
	Args json.RawMessage `json:"args"`
}

// arguments are those of the notifications of interest.
type arguments struct {
	Player word   `json:"player_id"`
	From   string `json:"locationFrom"`
	To     string `json:"locationTo"`
}

// deed is what an action does.
type deed uint8

const (
	placeRing deed = iota
	placeMarker
	moveRing
	removeRow
	removeRing
)

// templates tell deeds by a part of their English template, and how many points they
// take: from, to.
var templates = []struct {
	part     string
	deed     deed
	from, to bool
}{
	{" places a ring on ", placeRing, false, true},
	{" places a marker on ", placeMarker, false, true},
	{" moves a ring from ", moveRing, true, true},
	{" removes a row of markers from ", removeRow, true, true},
	{" removes a ring from ", removeRing, true, false},
}

// action is what a player did.
type action struct {
	where    string
	player   word
	deed     deed
	from, to position.Point
}

// happened is a log's actions, without those taken back, and how the game ended.
type happened struct {
	actions []action
	end     string // the template of "gameEnd"; empty where there is none
	winner  word   // the player that it names
	at      string // where
}

// add adds a notification at a place of the log.
func (h *happened) add(n *notification, where string) error {
	if n.Type != "move" && n.Type != "restartUndo" && n.Type != "gameEnd" {
		return nil
	}
	var args arguments
	if err := json.Unmarshal(n.Args, &args); err != nil {
		return refuse(where, "the arguments of %q: %v", n.Type, err)
	}
	switch n.Type {
	case "restartUndo":
		return h.undo(args.Player, strings.Contains(n.Log, "restarts their turn"), where)
	case "gameEnd":
		h.end, h.winner, h.at = n.Log, args.Player, where
		return nil
	}
	for _, t := range templates {
		if !strings.Contains(n.Log, t.part) {
			continue
		}
		a := action{where: where, player: args.Player, deed: t.deed}
		var err error
		if t.from {
			a.from, err = position.ParsePoint(args.From)
		}
		if err == nil && t.to {
			a.to, err = position.ParsePoint(args.To)
		}
		if err != nil {
			return refuse(where, "%s: %v", strings.TrimSpace(t.part), err)
		}
		h.actions = append(h.actions, a)
		return nil
	}
	return refuse(where, "a move that is not known: %.80q", n.Log)
}

// undo takes back the last action of a player, or all since the other one's last.
func (h *happened) undo(player word, all bool, where string) error {
	n := len(h.actions)
	if n == 0 || h.actions[n-1].player != player {
		return refuse(where, "an action is taken back that is not there")
	}
	for n--; all && n > 0 && h.actions[n-1].player == player; n-- {
	}
	h.actions = h.actions[:n]
	return nil
}
