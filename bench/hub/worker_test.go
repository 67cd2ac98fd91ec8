package hub

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/bench/game"
)

// TestOnce checks that a worker with Once ends after its first match.
func TestOnce(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	s := newSite(t)
	h := s.connect("one")
	ended := make(chan error, 1)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	go func() {
		w := &Worker{Hub: h, Name: "one", Slots: 1, Once: true, Cache: t.TempDir(), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
		ended <- w.Run(ctx)
	}()
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// TestEnvironment checks that engines run in their own folder, with only the environment that the
// match gives them.
func TestEnvironment(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	t.Setenv("GYRE_TEST_SECRET", "of this machine")
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	for i := range programs {
		text, err := os.ReadFile(programs[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		first, rest, _ := strings.Cut(string(text), "\n")
		// It writes into its own folder, which differs between this machine and the worker.
		told := "\necho \"$PWD|$GYRE_TEST_SECRET|$GYRE_TEST_GIVEN\" >\"$0.told\"\n"
		if err := os.WriteFile(programs[i].Path, []byte(first+told+rest), 0o700); err != nil {
			t.Fatal(err)
		}
		programs[i].Env = []string{"GYRE_TEST_GIVEN=by the match"}
		m.Engines[i].Start, m.Engines[i].Build = programs[i].Start, game.BuildOf(programs[i].Program)
	}
	s := newSite(t)
	var cache string
	s.work("one", func(w *Worker) { cache = w.Cache })
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	told, err := filepath.Glob(filepath.Join(cache, "*", "*.told"))
	if err != nil || len(told) == 0 {
		t.Fatalf("no engine told of itself: %v", err)
	}
	for _, path := range told {
		text, err := os.ReadFile(path)
		if want := filepath.Dir(path) + "||by the match\n"; err != nil || string(text) != want {
			t.Errorf("an engine told %q, not %q; %v", text, want, err)
		}
	}
}

// TestEngineThatDoesNotStart expects the name of a worker on which an engine cannot start, although
// it starts on the match's machine.
func TestEngineThatDoesNotStart(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	// It starts only where its file has the name that it has here.
	path := programs[1].Path
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(path, []byte(first+"\ntest \"$0\" = '"+path+"' || exit 3\n"+rest), 0o700); err != nil {
		t.Fatal(err)
	}
	m.Engines[1].Build = game.BuildOf(programs[1].Program)
	s := newSite(t)
	s.work("one", nil)
	err = s.untilWarned(m, programs, telling("engine good1 cannot play"))
	if !errors.Is(err, errEnough) {
		t.Errorf("the match ended with %v", err)
	}
}

// TestAllow checks that a worker with Allow runs only the allowed programs.
func TestAllow(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Slow)
	s := newSite(t)
	var all []string
	for i := range programs {
		sum, err := HashOf(programs[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sum)
	}
	stop := s.work("wary", func(w *Worker) { w.Allow = all[:1] })
	if err := s.untilWarned(m, programs, telling("SHA-256 "+all[1])); !errors.Is(err, errEnough) {
		t.Errorf("the match ended with %v", err)
	}
	_ = stop()
	s.work("other", func(w *Worker) { w.Allow = all })
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Error(err)
	}
}

// TestAllowWhole rejects a match that makes an allowed program run another one.
func TestAllowWhole(t *testing.T) {
	program := Blob{SHA256: "abc", Name: "engine"}
	engine := func(env ...string) *Spec {
		return &Spec{Engines: []EngineSpec{{Name: "one", Program: program, Env: env}}}
	}
	offered := func(option string, file *Blob) *Spec {
		return &Spec{Engines: []EngineSpec{{Name: "own", Offered: "own", Settings: []SettingSpec{{Name: option, Value: "1", File: file}}}}}
	}
	ranges := func(all ...ArgumentSpec) *Spec { return &Spec{Ranges: &RangesSpec{Program: program, Arguments: all}} }
	for _, test := range []struct {
		name string
		spec *Spec
		want string // in the error; empty for none
	}{
		{"an engine", engine(), ""},
		{"an engine with a library", engine("LD_PRELOAD=../def/file"), "has an environment"},
		{"ranges", ranges(ArgumentSpec{Text: "range"}, ArgumentSpec{Text: "-nodes=1"}), ""},
		{"another command", ranges(ArgumentSpec{Text: "learn"}), "accepts no other"},
		{"no command", ranges(), "accepts no other"},
		{"an engine of the worker's", offered("Hash", nil), ""},
		{"one that is to write a log", offered("LogFile", nil), "names a file"},
		{"one that is given a file", offered("Weights", &program), "names a file"},
		{"a file as a command", ranges(ArgumentSpec{File: &program}), "accepts no other"},
	} {
		err := (&Worker{Allow: []string{"abc"}}).checkAllowed(test.spec)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.name, err)
		}
		if err := (&Worker{}).checkAllowed(test.spec); err != nil {
			t.Errorf("%s, for a worker that allows all: %v", test.name, err)
		}
	}
}

// TestPrintable checks that no text of a match reaches the worker's terminal with control characters.
func TestPrintable(t *testing.T) {
	var told []string
	w := &Worker{Tell: func(text string) { told = append(told, text) }, Warn: func(err error) { told = append(told, err.Error()) }}
	w.tell("match of a\x1b[2J.jsonl")
	w.warn(errors.New("cannot play match:\nengine b\a"))
	told = append(told, (&SuspendedError{Faults{Last: []string{"\x1b[2J"}}}).Error())
	for _, text := range told {
		if printableUpTo(text, len(text)) != text {
			t.Errorf("%q", text)
		}
	}
}

// TestMatchForgotten checks that a worker forgets a match that is over.
func TestMatchForgotten(t *testing.T) {
	w := &Worker{}
	w.reset()
	play := func(keys ...string) {
		w.updateRunning(nil, func(running map[string]*runningMatch) {
			clear(running)
			for _, key := range keys {
				running[key] = &runningMatch{}
			}
		})
	}
	play("a", "b")
	for _, key := range []string{"a", "b"} {
		w.ready[key] = &preparation{}
		w.begin(key)()
	}
	late := w.begin("a")
	play("b")
	late() // a job that ends after its match
	play("b")
	for what, n := range map[string]int{"preparations": len(w.ready), "times": len(w.used), "typical times": len(w.typical)} {
		if n != 1 {
			t.Errorf("%d %s instead of that of b", n, what)
		}
	}
}
