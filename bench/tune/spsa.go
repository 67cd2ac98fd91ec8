package tune

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Parameter is an option whose value is sought, a whole number.
type Parameter struct {
	Name     string
	Value    int     // to begin with
	Min, Max int     // between which it stays
	Step     float64 // by how much it is moved up and down at the end, c in SPSA; more at first
}

// ParseParameter reads NAME=VALUE,MIN,MAX,STEP.
func ParseParameter(text string) (Parameter, error) {
	name, numbers, found := strings.Cut(text, "=")
	words := strings.Split(numbers, ",")
	if !found || name == "" || len(words) != 4 {
		return Parameter{}, fmt.Errorf("%q: not NAME=VALUE,MIN,MAX,STEP", text)
	}
	p := Parameter{Name: name}
	for i, number := range []*int{&p.Value, &p.Min, &p.Max} {
		var err error
		if *number, err = strconv.Atoi(words[i]); err != nil {
			return Parameter{}, fmt.Errorf("%s: %q: not a whole number", name, words[i])
		}
	}
	var err error
	if p.Step, err = strconv.ParseFloat(words[3], 64); err != nil {
		return Parameter{}, fmt.Errorf("%s: %q: the step is not a number", name, words[3])
	}
	return p, p.Check()
}

// Check returns what is wrong with the numbers, nil if nothing.
func (p Parameter) Check() error {
	switch {
	case p.Min >= p.Max:
		return fmt.Errorf("%s: least value %d, most %d: nothing between", p.Name, p.Min, p.Max)
	case p.Value < p.Min || p.Value > p.Max:
		return fmt.Errorf("%s: %d is out of range %d to %d", p.Name, p.Value, p.Min, p.Max)
	case !(p.Step > 0) || p.Step > float64(p.Max-p.Min):
		return fmt.Errorf("%s: a step of %g: it is above 0, and at most what lies between %d and %d", p.Name, p.Step, p.Min, p.Max)
	}
	return nil
}

// String returns the text that ParseParameter reads.
func (p Parameter) String() string {
	return fmt.Sprintf("%s=%d,%d,%d,%g", p.Name, p.Value, p.Min, p.Max, p.Step)
}

// SPSA is the method with its numbers. In iteration k, from 1, a value is moved by
// c_k = c / k^0.101 and then by what a_k = a / (A + k)^0.602 makes of the result, with
// the exponents that Spall advises ("Implementation of the Simultaneous Perturbation
// Algorithm for Stochastic Optimization", 1998), and A a tenth of all iterations. The last
// iteration has c_k = Step, and a_k = Rate Step^2, as fishtest counts them.
type SPSA struct {
	Parameters []Parameter
	Iterations int
	Rate       float64
	Seed       uint64
}

// The exponents, and the part of the iterations that is A.
const (
	alpha     = 0.602
	gamma     = 0.101
	stability = 0.1
)

// Check returns what is wrong, nil if nothing.
func (s *SPSA) Check() error {
	names := map[string]bool{}
	for _, p := range s.Parameters {
		if err := p.Check(); err != nil {
			return err
		}
		if name := strings.ToLower(p.Name); names[name] {
			return fmt.Errorf("%s: twice", p.Name)
		}
		names[strings.ToLower(p.Name)] = true
	}
	switch {
	case len(s.Parameters) == 0:
		return errors.New("which options are to be tuned?")
	case s.Iterations < 1:
		return fmt.Errorf("%d iterations: not at least 1", s.Iterations)
	case !(s.Rate > 0 && s.Rate <= 1):
		return fmt.Errorf("rate %g: not above 0 and at most 1", s.Rate)
	}
	return nil
}

// Start returns the values to begin with.
func (s *SPSA) Start() []float64 {
	var values []float64
	for _, p := range s.Parameters {
		values = append(values, float64(p.Value))
	}
	return values
}

// perturbation is c_k of a parameter in iteration k.
func (s *SPSA) perturbation(p *Parameter, k int) float64 {
	return p.Step * math.Pow(float64(s.Iterations)/float64(k), gamma)
}

// gain is a_k of a parameter in iteration k.
func (s *SPSA) gain(p *Parameter, k int) float64 {
	shift := stability * float64(s.Iterations)
	return s.Rate * p.Step * p.Step * math.Pow((shift+float64(s.Iterations))/(shift+float64(k)), alpha)
}

// Sides returns what the two sides of iteration k play with, from values on: each value
// moved up for one of them and down for the other. A fraction is rounded up by the chance
// that it is, for both sides alike, so that fractions count in the mean.
func (s *SPSA) Sides(values []float64, k int) (plus, minus []int) {
	rng := s.chance(k)
	for i := range s.Parameters {
		p := &s.Parameters[i]
		move := sign(rng) * s.perturbation(p, k)
		up := rng.Float64()
		plus = append(plus, p.whole(values[i]+move, up))
		minus = append(minus, p.whole(values[i]-move, up))
	}
	return plus, minus
}

// Learn moves values by the result of iteration k: by how many games more the side plus
// has won than the side minus.
func (s *SPSA) Learn(values []float64, k int, result float64) {
	rng := s.chance(k)
	for i := range s.Parameters {
		p := &s.Parameters[i]
		direction := sign(rng)
		rng.Float64() // as in Sides
		values[i] += direction * s.gain(p, k) / s.perturbation(p, k) * result
		values[i] = min(max(values[i], float64(p.Min)), float64(p.Max))
	}
}

// chance returns the source of the chances of iteration k.
func (s *SPSA) chance(k int) *rand.Rand { return rand.New(rand.NewPCG(s.Seed, uint64(k))) }

// Round returns the whole number next to a value.
func Round(value float64) int { return int(math.Round(value)) }

// sign returns 1 or -1.
func sign(rng *rand.Rand) float64 { return float64(2*rng.IntN(2) - 1) }

// whole returns a whole number next to a value, the lower one unless its fraction and up,
// from 0 to 1, come to 1.
func (p *Parameter) whole(value, up float64) int {
	return min(max(int(math.Floor(value+up)), p.Min), p.Max)
}
