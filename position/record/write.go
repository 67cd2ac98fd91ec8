package record

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gyre/position"
)

// firstTags are written before all other tags, in this order.
var firstTags = [...]string{"White", "Black", "Date", resultTag, rulesTag, positionTag, "TimeControl", terminationTag}

// maxLine is the maximum length of a line of turns in bytes. Only a longer word
// exceeds it.
const maxLine = 80

// Write writes the record in canonical form: the known tags in a fixed order, the
// other tags in their own order, an empty line, the turns in lines of at most 80
// bytes, and an empty line. Records can therefore follow one another. Write never
// writes a record that cannot be read back. If a turn is illegal, the result
// impossible, or a tag or comment invalid, the error is an [*position.Error] with the
// field "record". Errors of out are returned unchanged.
func (g *Game) Write(out io.Writer) error {
	end, err := g.End()
	if err != nil {
		return err
	}
	if reason := g.checkResult(&end); reason != "" {
		return reject("wrong-result", 0, g.resultWord(), "%s", reason)
	}
	var text strings.Builder
	if err := g.writeTags(&text); err != nil {
		return err
	}
	text.WriteByte('\n')
	if err := g.writeTurns(&text); err != nil {
		return err
	}
	text.WriteByte('\n')
	if text.Len() > maxText {
		return reject("too-long", 0, "", "longer than %d bytes", maxText)
	}
	_, err = io.WriteString(out, text.String())
	return err
}

// writeTags writes the tag lines.
func (g *Game) writeTags(text *strings.Builder) error {
	var others []Tag
	known := map[string]string{resultTag: g.resultWord(), rulesTag: g.Start.Rules().String()}
	if start := position.Start(g.Start.Rules()); g.Start != start {
		known[positionTag] = g.Start.String()
	}
	if len(g.Tags) > maxTags {
		return reject("too-long", 0, g.Tags[maxTags].Name, "more than %d tags", maxTags)
	}
	for i, tag := range g.Tags {
		if g.tagIndex(tag.Name) != i || isFieldTag(tag.Name) {
			return reject("duplicate-tag", 0, tag.Name, "duplicate tag")
		}
		if !isName(tag.Name) {
			return reject("bad-tag", 0, tag.Name, "a tag's name consists of letters, digits and underscores")
		}
		if err := checkLine(0, tag.Value); err != nil {
			return err
		}
		if slices.Contains(firstTags[:], tag.Name) {
			known[tag.Name] = tag.Value
		} else {
			others = append(others, tag)
		}
	}
	for _, name := range firstTags {
		if value, there := known[name]; there {
			writeTag(text, name, value)
		}
	}
	for _, tag := range others {
		writeTag(text, tag.Name, tag.Value)
	}
	return nil
}

// writeTag writes one tag line.
func writeTag(text *strings.Builder, name, value string) {
	value = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
	fmt.Fprintf(text, "[%s \"%s\"]\n", name, value)
}

// writeTurns writes the turns with their comments, and the result.
func (g *Game) writeTurns(text *strings.Builder) error {
	lines := wrapper{text: text}
	if err := lines.comment(g.Comment); err != nil {
		return err
	}
	for i, recorded := range g.Turns {
		lines.word(fmt.Sprintf("%d.%s", g.numberOf(i), recorded.Turn))
		if err := lines.comment(recorded.Comment); err != nil {
			return err
		}
	}
	lines.word(g.resultWord())
	text.WriteByte('\n')
	return nil
}

// wrapper wraps words into lines.
type wrapper struct {
	text   *strings.Builder
	column int
}

// word writes a word on the current line or the next one.
func (w *wrapper) word(word string) {
	switch {
	case w.column == 0:
	case w.column+1+len(word) > maxLine:
		w.text.WriteByte('\n')
		w.column = 0
	default:
		w.text.WriteByte(' ')
		w.column++
	}
	w.text.WriteString(word)
	w.column += len(word)
}

// comment writes a comment unless it is empty.
func (w *wrapper) comment(comment string) error {
	comment = oneSpaced(comment)
	if err := checkComment(0, comment); err != nil {
		return err
	}
	if comment != "" {
		for _, word := range strings.Split("{"+comment+"}", " ") {
			w.word(word)
		}
	}
	return nil
}
