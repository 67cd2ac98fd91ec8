package stats

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

// WriteReport writes what the counts say, a line `name value` each: elo,
// elo_error, nelo, nelo_error, los in percent, and, for a test that is not nil,
// llr, lower, upper and state. Numbers have six decimals or are inf or -inf; a
// state is one of continue, accept H0, accept H1. The error is w's.
func WriteReport(w io.Writer, c Counts, test *SPRT) error {
	var out bytes.Buffer
	line := func(name, value string) { fmt.Fprintf(&out, "%s %s\n", name, value) }
	elo, nelo := Elo(c), NormalizedElo(c)
	line("elo", number(elo.Value))
	line("elo_error", number(elo.Error))
	line("nelo", number(nelo.Value))
	line("nelo_error", number(nelo.Error))
	line("los", number(100*LOS(c)))
	if test != nil {
		lower, upper := test.Bounds()
		line("llr", number(test.LLR(c)))
		line("lower", number(lower))
		line("upper", number(upper))
		line("state", test.State(c).String())
	}
	_, err := w.Write(out.Bytes())
	return err
}

// number returns x with six decimals, without the sign of a zero.
func number(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	text := fmt.Sprintf("%.6f", x)
	if text == "-0.000000" {
		return text[1:]
	}
	return text
}
