package protocol

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// mostStrays is how many lines that mean nothing are put up with while one
// waits for an answer. Engines do print a banner or a board.
const mostStrays = 10_000

// answerWords begin the lines that an engine may say.
var answerWords = []string{"info", "id", "option", "bestmove", "readyok", "response",
	"ugiok", "uciok", "copyprotection", "registration"}

// strays counts the lines that mean nothing, and keeps the first word of them.
type strays struct {
	count int
	first string
}

// tooMany counts a line, given as its words, and reports whether the engine
// talks nonsense. Empty lines do not count.
func (s *strays) tooMany(words []string) bool {
	if len(words) > 0 && !slices.Contains(answerWords, words[0]) {
		s.count++
		if s.first == "" {
			s.first = words[0]
		}
	}
	return s.count > mostStrays
}

// fail makes f the reason why the engine cannot be used any more, unless there
// is one already, and returns the reason.
func (c *Client) fail(f *Failure) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		c.failure = f
	}
	return c.failure
}

// diagnose finds out what is behind an error of the wire while command waited
// for its answer; silent is the failure when the engine is merely silent.
func (c *Client) diagnose(err error, silent FailureKind, command Command) *Failure {
	f := &Failure{Kind: silent, Engine: c.config.Name, Detail: "after " + quoted(command.String()), Complaint: c.lastComplaint()}
	if errors.Is(err, errEnded) {
		f.Kind = ClosedOutput
	}
	if c.process == nil {
		return f
	}
	if f.Kind == ClosedOutput {
		// The end of the output and that of the process come close together.
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if c.process.waitExit(ctx) == nil {
			f.Kind, f.Status = Died, c.process.Status()
		}
	}
	f.Stderr = c.process.Stderr()
	return f
}

// broken is a failure of an engine that breaks the protocol.
func (c *Client) broken(detail string) *Failure {
	return &Failure{Kind: Garbage, Engine: c.config.Name, Detail: detail, Complaint: c.lastComplaint()}
}

// overhear takes a line that is not the answer waited for: it remembers what the
// engine complains of, and notices a turn that nobody asked for. After stop one
// may come from an engine that answers it although its search was over.
func (c *Client) overhear(line string) {
	if !strings.HasPrefix(line, "info string") && !strings.HasPrefix(line, "bestmove") {
		return
	}
	words := strings.Fields(line[:min(len(line), longestText)])
	switch {
	case len(words) >= 3 && words[0] == "info" && words[1] == "string" && strings.EqualFold(strings.TrimSuffix(words[2], ":"), "error"):
		c.mu.Lock()
		c.complaint = printable(cmp.Or(strings.Join(words[3:], " "), "error"))
		c.mu.Unlock()
	case len(words) >= 1 && words[0] == "bestmove":
		c.mu.Lock()
		stopped := c.stopped
		c.mu.Unlock()
		if !stopped {
			c.fail(c.broken("a turn that nobody asked for: " + quoted(strings.Join(words[1:], " "))))
		}
	}
}

// noteStop remembers that stop is said to the search of the moment.
func (c *Client) noteStop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
}

// lastComplaint returns the engine's last `info string error` since
// forgetComplaint; empty for none.
func (c *Client) lastComplaint() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.complaint
}

// forgetComplaint begins to listen for complaints anew.
func (c *Client) forgetComplaint() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complaint = ""
}
