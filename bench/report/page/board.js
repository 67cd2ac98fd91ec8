// Boards, drawn as on gyre-board's page. The turns in a page are legal.

// drawings are the drawings by their elements.
const drawings = new WeakMap();

// drawBoard draws a position into an element, and marks the turn that led to it. rules are those
// of the game.
function drawBoard(box, position, turn, rules) {
	let drawing = drawings.get(box);
	if (!drawing) {
		drawing = new Drawing();
		drawings.set(box, drawing);
		box.append(drawing.element);
		new ResizeObserver(() => drawing.fit(box.clientWidth)).observe(box);
	}
	drawing.showTrays(rules === "blitz" ? 1 : 3);
	drawing.pieces.show(position.points, position.removed);
	drawing.marks.showLast(turn ? playTurn(position, turn).acts : []);
}
