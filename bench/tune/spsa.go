package tune

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Parameter is an integer option to tune.
type Parameter struct {
	Name     string
	Value    int     // initial value
	Min, Max int     // range
	Step     float64 // distance of the two sides from the value in the last iteration, c in SPSA; larger before
}

// ParseParameter parses NAME=VALUE,MIN,MAX,STEP.
func ParseParameter(text string) (Parameter, error) {
	name, numbers, found := strings.Cut(text, "=")
	words := strings.Split(numbers, ",")
	if !found || name == "" || len(words) != 4 {
		return Parameter{}, fmt.Errorf("%q: expected NAME=START,MIN,MAX,STEP, for example Margin=40,0,200,10", text)
	}
	p := Parameter{Name: name}
	for i, number := range []*int{&p.Value, &p.Min, &p.Max} {
		var err error
		if *number, err = strconv.Atoi(words[i]); err != nil {
			return Parameter{}, fmt.Errorf("%s: %q: expected an integer", name, words[i])
		}
	}
	var err error
	if p.Step, err = strconv.ParseFloat(words[3], 64); err != nil {
		return Parameter{}, fmt.Errorf("%s: %q: the step must be a number", name, words[3])
	}
	return p, p.Check()
}

// Check reports what is wrong with the parameter, or nil.
func (p Parameter) Check() error {
	switch {
	case p.Min >= p.Max:
		return fmt.Errorf("%s: the minimum %d must be less than the maximum %d", p.Name, p.Min, p.Max)
	case p.Value < p.Min || p.Value > p.Max:
		return fmt.Errorf("%s: %d is out of range %d to %d", p.Name, p.Value, p.Min, p.Max)
	case !(p.Step > 0) || p.Step > float64(p.Max-p.Min):
		return fmt.Errorf("%s: step %g: must be above 0 and at most the distance from %d to %d", p.Name, p.Step, p.Min, p.Max)
	}
	return nil
}

// String formats the parameter as ParseParameter reads it.
func (p Parameter) String() string {
	return fmt.Sprintf("%s=%d,%d,%d,%g", p.Name, p.Value, p.Min, p.Max, p.Step)
}

// SPSA holds the parameters of the method. Iteration k, counted from 1, moves a value by
// c_k = c / k^0.101 for its games, and then by a_k = a / (A + k)^0.602 times the gradient
// estimate. Spall recommends these exponents ("Implementation of the Simultaneous Perturbation
// Algorithm for Stochastic Optimization", 1998). A is a tenth of all iterations. In the last
// iteration c_k = Step and a_k = Rate Step^2, as in fishtest.
type SPSA struct {
	Parameters []Parameter
	Iterations int
	Rate       float64
	Seed       uint64
}

// The exponents, and the fraction of the iterations that is A.
const (
	alpha     = 0.602
	gamma     = 0.101
	stability = 0.1
)

// Check reports what is wrong, or nil.
func (s *SPSA) Check() error {
	names := map[string]bool{}
	for _, p := range s.Parameters {
		if err := p.Check(); err != nil {
			return err
		}
		if name := strings.ToLower(p.Name); names[name] {
			return fmt.Errorf("parameter %s is given twice", p.Name)
		}
		names[strings.ToLower(p.Name)] = true
	}
	switch {
	case len(s.Parameters) == 0:
		return errors.New("no parameters: name at least one option to tune")
	case s.Iterations < 1:
		return fmt.Errorf("%d iterations: must be at least 1", s.Iterations)
	case !(s.Rate > 0 && s.Rate <= 1):
		return fmt.Errorf("rate %g: must be above 0 and at most 1", s.Rate)
	}
	return nil
}

// Start returns the initial values.
func (s *SPSA) Start() []float64 {
	var values []float64
	for _, p := range s.Parameters {
		values = append(values, float64(p.Value))
	}
	return values
}

// perturbation returns c_k of a parameter.
func (s *SPSA) perturbation(p *Parameter, k int) float64 {
	return p.Step * math.Pow(float64(s.Iterations)/float64(k), gamma)
}

// gain returns a_k of a parameter.
func (s *SPSA) gain(p *Parameter, k int) float64 {
	shift := stability * float64(s.Iterations)
	return s.Rate * p.Step * p.Step * math.Pow((shift+float64(s.Iterations))/(shift+float64(k)), alpha)
}

// Sides returns the values of both sides in iteration k. Each value is moved up for one side
// and down for the other. Fractions are rounded randomly in proportion, in the same way for
// both sides, so that they count on average.
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

// Learn moves values by the result of iteration k: the wins of plus minus its losses.
func (s *SPSA) Learn(values []float64, k int, result float64) {
	rng := s.chance(k)
	for i := range s.Parameters {
		p := &s.Parameters[i]
		direction := sign(rng)
		rng.Float64() // keeps the sequence in step with Sides
		values[i] += direction * s.gain(p, k) / s.perturbation(p, k) * result
		values[i] = min(max(values[i], float64(p.Min)), float64(p.Max))
	}
}

// chance returns the random source of iteration k.
func (s *SPSA) chance(k int) *rand.Rand { return rand.New(rand.NewPCG(s.Seed, uint64(k))) }

// Round returns the integer nearest to value.
func Round(value float64) int { return int(math.Round(value)) }

// sign returns 1 or -1 at random.
func sign(rng *rand.Rand) float64 { return float64(2*rng.IntN(2) - 1) }

// whole rounds value down, or up if its fraction plus up reaches 1; up is from 0 to 1.
func (p *Parameter) whole(value, up float64) int {
	return min(max(int(math.Floor(value+up)), p.Min), p.Max)
}
