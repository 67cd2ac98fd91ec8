package stats

import (
	"fmt"
	"math"
)

// Model says in what unit the two hypotheses of a test give the strength.
type Model int

// The models: normalized Elo, which makes the length of a test independent of
// the share of draws, and logistic Elo.
const (
	Normalized Model = iota
	Logistic
)

// String returns "normalized" or "logistic".
func (m Model) String() string {
	if m == Logistic {
		return "logistic"
	}
	return "normalized"
}

// ParseModel reads "normalized" or "logistic".
func ParseModel(text string) (Model, error) {
	for _, m := range []Model{Normalized, Logistic} {
		if text == m.String() {
			return m, nil
		}
	}
	return 0, fmt.Errorf("model %q: neither normalized nor logistic", text)
}

// MarshalText returns the model's name, for flags and stored settings. It never
// fails.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what ParseModel reads.
func (m *Model) UnmarshalText(text []byte) error {
	model, err := ParseModel(string(text))
	if err == nil {
		*m = model
	}
	return err
}

// maxHypothesis bounds the Elo of a hypothesis, far beyond any that a match can
// tell apart, where the likelihoods are still exact.
const maxHypothesis = 1000

// Hypotheses are what a test decides between, and how often it may err. They are
// plain data, to be stored beside the games of a match.
type Hypotheses struct {
	Model Model   `json:"model"`
	Elo0  float64 `json:"elo0"`  // H0: the engine is stronger by Elo0, in the unit of Model
	Elo1  float64 `json:"elo1"`  // H1: by Elo1, which is more
	Alpha float64 `json:"alpha"` // chance to accept H1 where H0 holds
	Beta  float64 `json:"beta"`  // chance to accept H0 where H1 holds
}

// check returns what is wrong with h, nil if nothing.
func (h Hypotheses) check() error {
	for _, e := range []struct {
		name  string
		value float64
	}{{"elo0", h.Elo0}, {"elo1", h.Elo1}} {
		if !(math.Abs(e.value) <= maxHypothesis) {
			return fmt.Errorf("%s %v: not between -%d and %d", e.name, e.value, maxHypothesis, maxHypothesis)
		}
	}
	for _, e := range []struct {
		name  string
		value float64
	}{{"alpha", h.Alpha}, {"beta", h.Beta}} {
		if !(e.value > 0 && e.value < 1) {
			return fmt.Errorf("%s %v: not between 0 and 1", e.name, e.value)
		}
	}
	switch {
	case h.Model != Normalized && h.Model != Logistic:
		return fmt.Errorf("model %d: unknown", int(h.Model))
	case h.Elo0 >= h.Elo1:
		return fmt.Errorf("elo0 %v: not below elo1 %v", h.Elo0, h.Elo1)
	case h.Alpha+h.Beta >= 1:
		return fmt.Errorf("alpha %v and beta %v: their sum is not below 1", h.Alpha, h.Beta)
	}
	return nil
}

// State is where a test stands.
type State int

// The states of a test.
const (
	Continue State = iota
	AcceptH0
	AcceptH1
)

// String returns "continue", "accept H0" or "accept H1".
func (s State) String() string {
	switch s {
	case AcceptH0:
		return "accept H0"
	case AcceptH1:
		return "accept H1"
	}
	return "continue"
}

// SPRT is a sequential probability ratio test of checked hypotheses. It keeps no
// counts: each method is asked about all that were counted so far.
type SPRT struct {
	hypotheses Hypotheses
}

// NewSPRT returns the test of h. The error names the field that is wrong: Elo0
// and Elo1 must lie between -1000 and 1000 with Elo0 the lower, Alpha and Beta
// above 0 with a sum below 1.
func NewSPRT(h Hypotheses) (*SPRT, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	return &SPRT{hypotheses: h}, nil
}

// Hypotheses returns what the test decides between.
func (t *SPRT) Hypotheses() Hypotheses { return t.hypotheses }

// Bounds returns the log-likelihood ratios, one below and one above 0, at which
// the test accepts H0 and H1: ln(beta/(1-alpha)) and ln((1-beta)/alpha).
func (t *SPRT) Bounds() (lower, upper float64) {
	h := t.hypotheses
	return math.Log(h.Beta / (1 - h.Alpha)), math.Log((1 - h.Beta) / h.Alpha)
}

// LLR is the natural logarithm of the generalized likelihood ratio of H1 over H0
// under the counts. It is finite, and 0 for no games.
func (t *SPRT) LLR(c Counts) float64 {
	h := t.hypotheses
	return logLikelihoodRatio(h.Model, c, h.Elo0, h.Elo1)
}

// State says what the test concludes from the counts.
func (t *SPRT) State(c Counts) State {
	llr := t.LLR(c)
	lower, upper := t.Bounds()
	switch {
	case llr >= upper:
		return AcceptH1
	case llr <= lower:
		return AcceptH0
	}
	return Continue
}
