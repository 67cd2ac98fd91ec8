// Draws boards from positions, and computes positions from turns. The turns in a page are
// legal.

const columnLetters = "abcdefghijk";
const lowestNumbers = [2, 1, 1, 1, 1, 2, 2, 3, 4, 5, 7];
const highestNumbers = [5, 7, 8, 9, 10, 10, 11, 11, 11, 11, 10];
const between = 40; // distance of neighboring points in pixels

// boardPoints lists the names of all points, by column and then by number.
const boardPoints = lowestNumbers.flatMap((low, column) =>
	Array.from({ length: highestNumbers[column] - low + 1 }, (_, i) => columnLetters[column] + (low + i)),
);

// placeOf returns the column and the number of a point.
function placeOf(point) {
	return [columnLetters.indexOf(point[0]), Number(point.slice(1))];
}

// drawnAt returns the coordinates of a point.
function drawnAt(point) {
	const [column, number] = placeOf(point);
	return [(column - 5) * (Math.sqrt(3) / 2) * between, -(number - 6 - (column - 5) / 2) * between];
}

// lineOf returns the points of a line between two points, including both.
function lineOf(from, to) {
	const [c1, n1] = placeOf(from);
	const [c2, n2] = placeOf(to);
	const steps = Math.max(Math.abs(c2 - c1), Math.abs(n2 - n1));
	return Array.from({ length: steps + 1 }, (_, i) => {
		const share = steps ? i / steps : 0;
		return columnLetters[c1 + Math.round((c2 - c1) * share)] + (n1 + Math.round((n2 - n1) * share));
	});
}

// readPosition parses BOARD SIDE SCORE: the pieces by point, w or b to move, and the removed
// rings of each side.
function readPosition(text) {
	const [board, side, score] = text.split(" ");
	const on = {};
	let next = 0;
	for (const [piece] of board.matchAll(/\d+|[WBwb]/g)) {
		if (/\d/.test(piece)) next += Number(piece);
		else on[boardPoints[next++]] = piece;
	}
	return { on, side, removed: score.split("-").map(Number) };
}

// playTurn returns the position after a turn and the points that it touched.
function playTurn({ on: before, side, removed: rings }, turn) {
	const on = { ...before };
	const removed = [...rings];
	const touched = [];
	const [ring, marker] = side === "w" ? ["W", "w"] : ["B", "b"];
	for (const part of turn === "pass" ? [] : turn.split(";")) {
		// A part is a placement, a move followed by removed rows, or removed rows alone.
		for (const [, taken, from, to] of part.matchAll(/(x?)([a-k]\d+)(?:-([a-k]\d+))?/g)) {
			touched.push(...(to ? [from, to] : [from]));
			if (taken && to) for (const point of lineOf(from, to)) delete on[point];
			else if (taken) {
				delete on[from];
				removed[side === "w" ? 0 : 1]++;
			} else if (to) {
				for (const point of lineOf(from, to).slice(1, -1)) {
					if (on[point]) on[point] = on[point] === "w" ? "b" : "w";
				}
				on[from] = marker;
				on[to] = ring;
			} else on[from] = ring;
		}
	}
	return { on, side: side === "w" ? "b" : "w", removed, touched };
}

// positionText formats a position as readPosition reads it.
function positionText({ on, side, removed }) {
	const columns = [...columnLetters].map((letter) => {
		let text = "";
		let empty = 0;
		for (const point of boardPoints.filter((name) => name[0] === letter)) {
			if (!on[point]) {
				empty++;
				continue;
			}
			text += (empty || "") + on[point];
			empty = 0;
		}
		return text + (empty || "");
	});
	return `${columns.join("/")} ${side} ${removed.join("-")}`;
}

// boardLines is the SVG path of the board's lines.
const boardLines = boardPoints
	.flatMap((point) => {
		const [column, number] = placeOf(point);
		return [
			[0, 1],
			[1, 0],
			[1, 1],
		]
			.map(([c, n]) => columnLetters[column + c] + (number + n))
			.filter((name) => boardPoints.includes(name))
			.map((name) => `M${drawnAt(point).map((x) => x.toFixed(1))}L${drawnAt(name).map((x) => x.toFixed(1))}`);
	})
	.join("");

// drawBoard draws a position into an SVG element.
function drawBoard(svg, { on, removed, touched = [] }) {
	svg.replaceChildren(part("path", { d: boardLines, class: "boardline" }));
	columnLetters.split("").forEach((letter, column) => {
		const [x, y] = drawnAt(letter + lowestNumbers[column]);
		svg.append(part("text", { x, y: y + 29, class: "boardname", "text-anchor": "middle" }, letter));
	});
	for (let number = 1; number <= 11; number++) {
		const [x, y] = drawnAt(boardPoints.find((point) => placeOf(point)[1] === number));
		svg.append(part("text", { x: x - 16, y: y - 6, class: "boardname", "text-anchor": "end" }, number));
	}
	for (const point of touched) {
		const [cx, cy] = drawnAt(point);
		svg.append(part("circle", { cx, cy, r: 19, class: "touched" }));
	}
	// A rim around each ring separates it from a board of its color.
	const piece = (cx, cy, kind) => {
		const color = kind.toLowerCase() === "w" ? "white" : "black";
		if (kind === "W" || kind === "B") return [part("circle", { cx, cy, r: 14, class: "rim" }), part("circle", { cx, cy, r: 14, class: `ring ${color}` })];
		return [part("circle", { cx, cy, r: 11, class: `marker ${color}` })];
	};
	for (const [point, kind] of Object.entries(on)) svg.append(...piece(...drawnAt(point), kind));
	removed.forEach((count, side) => {
		for (let i = 0; i < count; i++) svg.append(...(side ? piece(190 - 32 * i, -200, "B") : piece(-190 + 32 * i, 200, "W")));
	});
}
