package hub

import (
	"context"
	"fmt"
	"slices"
)

// buildable are the systems that programs are built for: those of Gyre's releases.
var buildable = [...]string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// BuildOthers has the programs with a Build made for the systems of the workers that are
// there now, this machine's apart. A worker of another system that comes later has none of
// them, and says so. The error tells the first that could not be made.
func (h *Hub) BuildOthers(ctx context.Context, programs []Program) error {
	if !slices.ContainsFunc(programs, func(p Program) bool { return p.Build != nil }) {
		return nil
	}
	present, err := snapshot[Present](ctx, h, workersBucket)
	if err != nil {
		return fmt.Errorf("hub %s: %w", h.url, err)
	}
	wanted := map[string]bool{}
	for _, p := range present {
		wanted[p.System] = p.Slots > 0 || wanted[p.System]
	}
	for i := range programs {
		p := &programs[i]
		for _, target := range buildable {
			if p.Build == nil || !wanted[target] || target == system {
				continue
			}
			path, err := p.Build(ctx, target)
			if err != nil {
				return err
			}
			if p.others == nil {
				p.others = map[string]string{}
			}
			p.others[target] = path
		}
	}
	return nil
}
