// Package drawing draws boards in browsers: the JavaScript modules and the style sheet that the
// page of gyre-board, the reports, the hub's page and the npm package share.
//
//	drawing.js   Drawing: plate, pieces, marks and arrows as SVG
//	rules.js     the rules: positions as text, playing a turn, the steps of a turn
//	geometry.js  points, lines and their places
package drawing

import (
	"embed"
	"strings"
)

// Files holds the modules and the style sheet.
//
//go:embed *.js *.css
var Files embed.FS

// Script returns a script, not a module, that defines the class Drawing of
// drawing.js, and parseBoard, formatBoard and playTurn of rules.js.
func Script() string {
	var b strings.Builder
	b.WriteString("const { Drawing, parseBoard, formatBoard, playTurn } = (() => {\n")
	for _, name := range []string{"svg", "geometry", "rules", "plate", "pieces", "marks", "drawing"} {
		for line := range strings.Lines(file(name + ".js")) {
			text := strings.TrimSpace(line)
			comment := strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") || strings.HasPrefix(text, "*")
			if text != "" && !comment && !strings.HasPrefix(text, "import ") {
				b.WriteString(strings.TrimPrefix(line, "export "))
			}
		}
	}
	b.WriteString("return { Drawing, parseBoard, formatBoard, playTurn };\n})();\n")
	return b.String()
}

// Style returns the style sheet of the drawing. The element around it needs the class
// "board".
func Style() string {
	// A finger on the board scrolls the page: these boards have no rings to drag.
	return file("board.css") + ".board, .board svg { touch-action: auto; }\n"
}

// file returns the content of one of Files.
func file(name string) string {
	content, err := Files.ReadFile(name)
	if err != nil {
		panic(err) // embedded
	}
	return string(content)
}
