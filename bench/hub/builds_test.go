package hub

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
)

// elsewhere is a system that no test runs on.
const elsewhere = "windows/arm64"

// TestBuildOthers has a program built for the systems of the workers that are there, of
// those that there are builds for, and sent for each.
func TestBuildOthers(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	ctx, h := context.Background(), s.connect("")
	for name, p := range map[string]Present{"same": {System: system, Slots: 1}, "other": {System: elsewhere, Slots: 1}, "odd": {System: "plan9/amd64", Slots: 1}, "gone": {System: "darwin/arm64"}} {
		if err := put(ctx, h, workersBucket, name, p); err != nil {
			t.Fatal(err)
		}
	}
	var built []string
	programs[0].Build = func(_ context.Context, system string) (string, error) {
		built = append(built, system)
		return programs[1].Path, nil
	}
	if err := h.BuildOthers(ctx, programs); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{elsewhere}, built); diff != "" {
		t.Errorf("built for (-want +got): %s", diff)
	}
	spec, blobs, err := newSpec(m, programs, nil, "client")
	if err != nil || len(blobs) != 3 {
		t.Fatalf("%d files, %v", len(blobs), err)
	}
	if other, own := spec.Engines[0].Others[elsewhere], spec.Engines[1].Program; other.SHA256 != own.SHA256 || len(spec.Engines[1].Others) > 0 {
		t.Errorf("sent for another system: %+v and %+v", spec.Engines[0].Others, spec.Engines[1].Others)
	}
	programs[0].Build = func(context.Context, string) (string, error) { return "", errEnough }
	if err := h.BuildOthers(ctx, programs); !errors.Is(err, errEnough) {
		t.Errorf("after a failure: %v", err)
	}
}

// TestOtherSystem has a worker take the program that was built for its system.
func TestOtherSystem(t *testing.T) {
	s := EngineSpec{Name: "one", System: elsewhere, Program: Blob{SHA256: "there"}, Checked: "as it is there", Others: map[string]Blob{system: {SHA256: "here"}}}
	fetched := ""
	fetch := func(_ context.Context, b *Blob) (string, error) { fetched = b.SHA256; return "/nowhere/file", nil }
	if e, err := s.engine(context.Background(), nil, fetch); err != nil || fetched != "here" || e.Program != s.Checked {
		t.Errorf("%q as %q, %v", fetched, e.Program, err)
	}
	w := &Worker{Allow: []string{"there"}}
	if err := w.allowed(&Spec{Engines: []EngineSpec{s}}); err == nil || !strings.Contains(err.Error(), "SHA-256 here") {
		t.Errorf("where that was not allowed: %v", err)
	}
	s.Others = map[string]Blob{"linux/mips": {}}
	if _, err := s.engine(context.Background(), nil, fetch); err == nil || err.Error() != "its program is for linux/mips, "+elsewhere {
		t.Errorf("where none is for this system: %v", err)
	}
}
