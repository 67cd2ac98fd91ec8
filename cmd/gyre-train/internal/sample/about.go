package sample

import (
	"fmt"
	"strings"
)

// About is what made a file: all that its games depend on, in the order for
// people to read.
type About []Field

// Field is a line of About. A name has no colon; neither part has line breaks,
// nor blanks at its ends.
type Field struct{ Name, Value string }

// Value returns the value of a name, empty if there is none.
func (a About) Value(name string) string {
	for _, f := range a {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Differences returns in words what a has otherwise than b, a line each.
func (a About) Differences(b About) (lines []string) {
	for _, f := range a {
		if other := b.Value(f.Name); other != f.Value {
			lines = append(lines, fmt.Sprintf("%s %q, not %q", f.Name, f.Value, other))
		}
	}
	for _, f := range b {
		if a.Value(f.Name) == "" && f.Value != "" {
			lines = append(lines, fmt.Sprintf("no %s, not %q", f.Name, f.Value))
		}
	}
	return lines
}

// text returns the lines.
func (a About) text() (string, error) {
	var text strings.Builder
	for _, f := range a {
		line := f.Name + ": " + f.Value
		if again, err := parseField(line); err != nil || again != f {
			return "", fmt.Errorf("%q: %q cannot be written as a line", f.Name, f.Value)
		}
		text.WriteString(line + "\n")
	}
	if text.Len() > mostText {
		return "", fmt.Errorf("%d bytes about a file: more than %d", text.Len(), mostText)
	}
	return text.String(), nil
}

// parseAbout reads what text writes.
func parseAbout(text string) (a About, err error) {
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		f, err := parseField(line)
		if !ended {
			err = fmt.Errorf("line %q has no end", line)
		}
		if err != nil {
			return nil, err
		}
		a = append(a, f)
	}
	return a, nil
}

// parseField reads a line.
func parseField(line string) (Field, error) {
	name, value, found := strings.Cut(line, ": ")
	if !found || name == "" || strings.ContainsAny(name, ":") || strings.ContainsAny(line, "\r\n") ||
		strings.TrimSpace(name) != name || strings.TrimSpace(value) != value {
		return Field{}, fmt.Errorf("line %q: not NAME: VALUE", line)
	}
	return Field{name, value}, nil
}
