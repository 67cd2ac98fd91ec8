package session

import (
	"context"

	"gyre/cmd/gyre-board/internal/rooms"
)

// WithRooms lets the hub's pages open and enter rooms, which are games between people on
// different machines. Call it before the first session. The exported page has no rooms: its
// program does not call WithRooms, so the linker omits them.
func (h *Hub) WithRooms(all *rooms.Rooms) {
	h.more = roomHandlers(all)
}

// roomHandlers are the requests about rooms by name.
func roomHandlers(all *rooms.Rooms) map[string]handler {
	return map[string]handler{
		"host":  answering(func(s *session, terms rooms.Terms) (rooms.Keys, error) { return all.Create(terms) }),
		"enter": answering(func(s *session, order enterOrder) (rooms.State, error) { return s.enterRoom(all, order) }),
		"leave": answering(func(s *session, order roomOrder) (nothing, error) {
			s.leaveRoom(order.Room)
			return nothing{}, nil
		}),
		// A page repeats a turn after a lost connection, which is harmless.
		"play": answering(func(s *session, order playOrder) (nothing, error) {
			return nothing{}, all.Play(order.Room, order.Key, order.Ply, order.Turn)
		}),
		"resign": answering(func(s *session, order roomOrder) (nothing, error) {
			return nothing{}, all.Resign(order.Room, order.Key)
		}),
		"rematch": answering(func(s *session, order roomOrder) (nothing, error) {
			return nothing{}, all.Rematch(order.Room, order.Key)
		}),
	}
}

// roomOrder is about a room. Without the key of a seat, the page can only watch.
type roomOrder struct {
	Room string `json:"room"`
	Key  string `json:"key,omitempty"`
}

// enterOrder enters a room. The name is shown to the others unless it is empty.
type enterOrder struct {
	roomOrder
	Name string `json:"name,omitempty"`
}

// roomEvent is sent when a room has changed that the page has entered.
type roomEvent struct {
	Event string      `json:"event"`
	State rooms.State `json:"state"`
}

// enterRoom enters a room. Every change of the room is an event until the page leaves it.
func (s *session) enterRoom(all *rooms.Rooms, order enterOrder) (rooms.State, error) {
	visitor, err := all.Enter(order.Room, order.Key, order.Name)
	if err != nil {
		return rooms.State{}, err
	}
	s.leaveRoom(order.Room)
	ctx, leave := context.WithCancel(s.ctx)
	s.visits[order.Room] = leave
	s.working.Go(func() {
		defer visitor.Leave()
		for {
			select {
			case <-ctx.Done():
				return
			case <-visitor.Changed():
				s.send(roomEvent{"room", visitor.State()})
			}
		}
	})
	return visitor.State(), nil
}

// leaveRoom leaves a room if the page has entered it.
func (s *session) leaveRoom(id string) {
	if leave, ok := s.visits[id]; ok {
		leave()
		delete(s.visits, id)
	}
}

// playOrder plays a turn in a room.
type playOrder struct {
	roomOrder
	Ply  int    `json:"ply"` // number of turns before this one
	Turn string `json:"turn"`
}
