// Package page holds the drawing of the board for pages that other programs write. These pages
// then look like gyre-board's, and draw with the same code.
package page

import (
	_ "embed"
	"strings"
)

var (
	//go:embed board/svg.js
	svgModule string
	//go:embed board/geometry.js
	geometryModule string
	//go:embed board/rules.js
	rulesModule string
	//go:embed board/plate.js
	plateModule string
	//go:embed board/pieces.js
	piecesModule string
	//go:embed board/marks.js
	marksModule string
	//go:embed board/drawing.js
	drawingModule string
	//go:embed style/board.css
	boardSheet string
)

// DrawingScript returns a script, not a module, that defines the class Drawing of
// board/drawing.js, and parseBoard, formatBoard and playTurn of board/rules.js.
func DrawingScript() string {
	var b strings.Builder
	b.WriteString("const { Drawing, parseBoard, formatBoard, playTurn } = (() => {\n")
	for _, module := range []string{svgModule, geometryModule, rulesModule, plateModule, piecesModule, marksModule, drawingModule} {
		for line := range strings.Lines(module) {
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

// DrawingStyle returns the style sheet of the drawing. The element around it needs the class
// "board".
func DrawingStyle() string {
	style := strings.Replace(boardSheet, `url("wood.svg") center / cover, `, "", 1)
	// A finger on the board scrolls the page: these boards have no rings to drag.
	return style + ".board, .board svg { touch-action: auto; }\n"
}
