package record

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gyre/position"
)

// firstTags are the tags that are written first, in this order.
var firstTags = [...]string{"White", "Black", "Date", resultTag, rulesTag, positionTag, "TimeControl", terminationTag}

// longestLine is the number of bytes that a line of turns has at most,
// where the length of words allows it.
const longestLine = 80

// Write writes the record in its canonical form: the known tags in their order,
// then the others in theirs, an empty line, the turns in lines of at most 80
// bytes, and an empty line, so that records can follow one another. What is
// written can be read: a record that has an illegal turn, a result that its end
// does not allow, or a tag or comment that cannot stand in one is refused with
// an [*position.Error] of the field "record". Other errors are those of out.
func (g *Game) Write(out io.Writer) error {
	end, err := g.End()
	if err != nil {
		return err
	}
	if reason := g.checkResult(&end); reason != "" {
		return refuse(0, g.resultWord(), "%s", reason)
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
	if text.Len() > longestText {
		return refuse(0, "", "longer than %d bytes", longestText)
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
	if len(g.Tags) > mostTags {
		return refuse(0, g.Tags[mostTags].Name, "more than %d tags", mostTags)
	}
	for i, tag := range g.Tags {
		if g.tagIndex(tag.Name) != i || isFieldTag(tag.Name) {
			return refuse(0, tag.Name, "a second tag of this name")
		}
		if !isName(tag.Name) {
			return refuse(0, tag.Name, "a tag's name is made of letters, digits and underscores")
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

// wrapper breaks words into lines.
type wrapper struct {
	text   *strings.Builder
	column int
}

// word writes a word on this line or the next.
func (w *wrapper) word(word string) {
	switch {
	case w.column == 0:
	case w.column+1+len(word) > longestLine:
		w.text.WriteByte('\n')
		w.column = 0
	default:
		w.text.WriteByte(' ')
		w.column++
	}
	w.text.WriteString(word)
	w.column += len(word)
}

// comment writes a comment, if it is not empty.
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
