package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
)

// boardVariable makes the test's binary the command when it is started again.
const boardVariable = "GYRE_TEST_BOARD"

func TestMain(m *testing.M) {
	enginetest.Play()
	if os.Getenv(boardVariable) != "" {
		main()
	}
	status := m.Run()
	endBrowser()
	os.Exit(status)
}

// outcome is what a command line came to.
type outcome struct {
	Status         int
	Stdout, Stderr string
}

// runLine runs a command line that ends by itself.
func runLine(args ...string) outcome {
	var stdout, stderr strings.Builder
	status := command(context.Background(), session.DefaultPatience).RunAlone(args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

func TestWrongCommandLines(t *testing.T) {
	for _, test := range []struct {
		args    []string
		message string
	}{
		{[]string{"hello"}, `unexpected word "hello"`},
		{[]string{"export"}, "export: it takes one folder"},
		{[]string{"export", "a", "b"}, "export: it takes one folder"},
		{[]string{"export", "-fast", "a"}, "export: flag provided but not defined: -fast"},
		{[]string{"-speed"}, "flag provided but not defined: -speed"},
		{[]string{"-port", "x"}, `-port "x": not a port`},
		{[]string{"-port", "70000"}, `-port "70000": not a port`},
		{[]string{"-engine", "gyre"}, `invalid value "gyre" for flag -engine: not NAME=CMD`},
		{[]string{"-engine", "=x"}, `invalid value "=x" for flag -engine: not NAME=CMD`},
		{[]string{"-engine", "a="}, `invalid value "a=" for flag -engine: no command`},
		{[]string{"-engine", "a='x"}, `invalid value "a='x" for flag -engine: a quote that is not closed`},
		{[]string{"-engine", "gyre=sh"}, `invalid value "gyre=sh" for flag -engine: a second engine of the name "gyre"`},
		{[]string{"-engine", "a=./no-such-program"}, `invalid value "a=./no-such-program" for flag -engine: exec: "./no-such-program": stat ./no-such-program: no such file or directory`},
	} {
		want := outcome{commandline.ExitUsage, "", "gyre-board: " + test.message + "\nTry \"gyre-board -help\".\n"}
		if diff := cmp.Diff(want, runLine(test.args...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.args, diff)
		}
	}
}

func TestVersion(t *testing.T) {
	for _, word := range []string{"version", "-version", "--version"} {
		if got := runLine(word); got.Status != commandline.ExitSuccess || !strings.HasPrefix(got.Stdout, "gyre-board ") || !strings.Contains(got.Stdout, "\nrevision ") {
			t.Errorf("%s: %+v", word, got)
		}
	}
	want := outcome{commandline.ExitUsage, "", "gyre-board: version: unexpected word \"2\"\nTry \"gyre-board -help\".\n"}
	if diff := cmp.Diff(want, runLine("version", "2")); diff != "" {
		t.Errorf("version 2 (-want +got):\n%s", diff)
	}
}

func TestHelp(t *testing.T) {
	got := runLine("-help")
	if got.Status != commandline.ExitSuccess || got.Stderr != "" || !strings.HasPrefix(got.Stdout, "usage: gyre-board ") {
		t.Errorf("%+v", got)
	}
	for _, flag := range []string{"-addr", "-port", "-open", "-engine", "-host"} {
		if !strings.Contains(got.Stdout, "\n  "+flag) {
			t.Errorf("help does not tell %s:\n%s", flag, got.Stdout)
		}
	}
}

// TestFromStartToEnd runs a board, has an engine of its command line search, and
// ends it in the middle of that: with it ends the engine.
func TestFromStartToEnd(t *testing.T) {
	dir := t.TempDir()
	pids := t.TempDir()
	script, err := enginetest.Script(dir, enginetest.Good, pids)
	if err != nil {
		t.Skip(err)
	}
	s := serveSite(t, "-engine", "My engine="+script)
	if page := s.fetch(""); !strings.Contains(page, "<!doctype html>") && !strings.Contains(page, "<!DOCTYPE html>") {
		t.Errorf("the page is %.100s", page)
	}
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(s.address, "http", "ws", 1)+"socket", &websocket.DialOptions{Subprotocols: []string{"gyre", "token." + s.fetch("token")}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	for _, message := range []string{
		`{"id":1,"do":"think","search":1,"engine":"Gyre","path":{},"limits":{"infinite":true}}`,
		`{"id":2,"do":"engine","engine":"My engine"}`,
	} {
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	for {
		_, message, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(message), `{"id":2,"ok":{"name":"My engine","id":"Test"`) {
			break
		}
	}
	s.stop()
	if left, all, err := enginetest.Left(pids); err != nil || len(left) > 0 || all != 1 {
		t.Errorf("%d of %d engines still run, %v", len(left), all, err)
	}
}
