package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gyre/bench/conformance"
	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestCheckPasses checks the engine with both searches, and the starter engine.
// The README shows what comes of the latter.
func TestCheckPasses(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	a := newArena(t)
	for _, program := range []string{"gyre/cmd/gyre", "gyre/protocol/starter"} {
		if output, err := exec.Command("go", "build", "-o", a.dir, program).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
	all := len(conformance.Checks())
	for spec, want := range map[string]string{
		"cmd=./gyre":                    fmt.Sprintf("%d checks, %d ok\n", all, all),
		"cmd=./gyre option.Search=mcts": fmt.Sprintf("%d checks, %d ok\n", all, all),
		"cmd=./starter":                 fmt.Sprintf("%d checks, %d ok, 5 not offered\n", all, all-5),
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			output, status := a.run("check", spec, "-margin", "2s")
			if status != commandline.ExitSuccess || !strings.HasSuffix(output, "\n"+want) {
				t.Errorf("status %d, not %q: %s", status, want, output)
			}
			if readme := readText(t, "../../README.md"); strings.Contains(spec, "starter") && !strings.Contains(readme, want) {
				t.Errorf("the README does not show %q", want)
			}
		})
	}
}

// TestCheckReportsFaults checks engines that fail early.
func TestCheckReportsFaults(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	all := len(conformance.Checks())
	for kind, want := range map[string][]string{
		enginetest.Exits:  {"1h", "the engine ended instead of ugiok: exit status 3; its standard error: no weights", "\n           > ugi\n", "PROTOCOL.md, Commands: ", fmt.Sprintf("\n           %d not tested (needs: the engine answers ugi or uci)\n", all-1)},
		enginetest.Silent: {"200ms", "no ugiok within 100ms after ugi and no uciok", " > uci\n"},
	} {
		_, path, _ := strings.Cut(a.engine("", kind), "cmd=")
		output, status := a.run("check", "cmd="+path, "-patience", want[0])
		for _, word := range append(want[1:], "handshake  the engine answers ugi or uci: fails\n", fmt.Sprintf("%d checks, 1 fails, %d not tested\n", all, all-1),
			fmt.Sprintf("gyre-arena: the engine violates the protocol in 1 of %d checks\n", all)) {
			if status != commandline.ExitFailure || !strings.Contains(output, word) {
				t.Errorf("%s: status %d, no %q: %s", kind, status, word, output)
			}
		}
	}
	output, status := a.run("check", "cmd=./missing")
	if status != commandline.ExitFailure || !strings.HasPrefix(output, "gyre-arena: the engine cannot be started: ") || strings.Count(output, "\n") != 1 {
		t.Errorf("a missing program: status %d: %s", status, output)
	}
}

// TestCheckAsJSON parses the verdicts.
func TestCheckAsJSON(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	_, path, _ := strings.Cut(a.engine("", enginetest.Exits), "cmd=")
	command, _ := a.command("check", "cmd="+path, "-json", "-only", "handshake")
	command.Stdout, command.Stderr = nil, nil
	text, _ := command.Output()
	if command.ProcessState.ExitCode() != commandline.ExitFailure {
		t.Errorf("%v", command.ProcessState)
	}
	var verdicts []conformance.Verdict
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		var v conformance.Verdict
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&v); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		verdicts = append(verdicts, v)
	}
	if len(verdicts) != len(conformance.Of()) {
		t.Fatalf("%d verdicts: %s", len(verdicts), text)
	}
	first := verdicts[0]
	if first.Section != "handshake" || !first.Required || first.Outcome != conformance.Fails || first.Detail == "" || first.Advice == "" || len(first.Lines) != 1 {
		t.Errorf("%+v", first)
	}
	if verdicts[1].Outcome != conformance.NotTested {
		t.Errorf("%+v", verdicts[1])
	}
}

func TestCheckUsage(t *testing.T) {
	for args, message := range map[string]string{
		"check":                                 "check: 0 engines; give one, in one argument such as 'cmd=./gyre'",
		"check cmd=a cmd=b":                     "check: 2 engines; give one, in one argument such as 'cmd=./gyre'",
		"check ./gyre":                          `check: "./gyre" is not KEY=VALUE`,
		"check name=gyre":                       "check: the program is missing; give cmd=COMMAND",
		"check reference=random":                "check: the program is missing; give cmd=COMMAND",
		"check cmd=a -only stops":               "check: -only \"stops\": unknown section; did you mean stop? The sections are handshake, options, positions, turns, ends, answers, limits, time, waiting, stop, ponder, errors, lines, end",
		"check cmd=a -patience 0s":              "check: -patience must be positive, and -margin at least 0",
		"check cmd=a more -json":                "check: 2 engines; give one, in one argument such as 'cmd=./gyre'",
		"check cmd=a -json more":                `check: unexpected argument "more"`,
		"check cmd='./gyre_option.Rules=blitz'": "check: option.Rules: the check sets the rules itself",
	} {
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.NewReplacer("_", " ", "'", "").Replace(words[i])
		}
		var stdout, stderr strings.Builder
		status := program().Run(words, &stdout, &stderr)
		if want := "gyre-arena: " + message + "\nTry \"gyre-arena help check\".\n"; status != commandline.ExitUsage || stderr.String() != want {
			t.Errorf("%s: status %d: %s", args, status, stderr.String())
		}
	}
}

// TestInterruptedCheck ends a check while the engine hangs.
func TestInterruptedCheck(t *testing.T) {
	t.Parallel()
	a := newArena(t) // its cleanup looks for engines left
	_, path, _ := strings.Cut(a.engine("", enginetest.Silent), "cmd=")
	command, output := a.command("check", "cmd="+path, "-patience", "1h")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if files, _ := filepath.Glob(filepath.Join(a.pids, "*")); len(files) > 0 {
			break
		}
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Skip(err)
	}
	if err := command.Wait(); command.ProcessState.ExitCode() != commandline.ExitInterrupted {
		t.Errorf("%v: %s", err, output)
	}
}
