package session

// greeting is what a page is told first.
type greeting struct {
	Version string       `json:"version"`
	Engines []engineView `json:"engines"`
	Levels  []levelView  `json:"levels"`
	Limits  Bounds       `json:"limits"`
}

// engineView is an engine as the page lists it.
type engineView struct {
	Name    string       `json:"name"`
	Options []optionView `json:"options"` // null while the engine was never started
}

type optionView struct{}
type levelView struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// hello tells what there is.
func (s *session) hello(struct{}) (greeting, error) {
	g := greeting{Version: s.room.version, Limits: s.room.bounds, Engines: []engineView{}, Levels: []levelView{}}
	for _, e := range s.room.engines {
		g.Engines = append(g.Engines, engineView{Name: e.Name})
	}
	return g, nil
}
