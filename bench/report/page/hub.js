// The page of a hub, kept as things are now: what changes is taken from the page as it is
// asked for again, and the charts stay, with what somebody looks at in them.

const askedEvery = 5000; // milliseconds

// drawBoards draws the boards of the page, which hold their positions as text.
function drawBoards() {
	for (const board of document.querySelectorAll("[data-position]")) {
		const touched = [...new Set(board.dataset.turn.match(/[a-k]\d+/g))].filter((point) => boardPoints.includes(point));
		drawBoard(board, { ...readPosition(board.dataset.position), touched });
	}
}

// shapeOf names all that a page shows, but not how it stands.
function shapeOf(page) {
	return [...page.querySelectorAll("[data-part]")].map((shown) => shown.dataset.part).join(" ");
}

// renew shows how things are now. A page of other matches is loaded anew.
async function renew() {
	const lost = document.getElementById("lost");
	let text = "";
	try {
		const answer = await fetch(location.pathname, { cache: "no-store" });
		if (answer.ok) text = await answer.text();
	} catch {} // it is asked again
	lost.hidden = text !== "";
	if (text === "") return;
	const page = new DOMParser().parseFromString(text, "text/html");
	if (shapeOf(page) !== shapeOf(document)) {
		location.reload();
		return;
	}
	const fresh = [...page.querySelectorAll("[data-part]")];
	for (const [i, shown] of document.querySelectorAll("[data-part]").entries()) {
		if (!shown.classList.contains("chart")) shown.replaceChildren(...fresh[i].childNodes);
	}
	for (const [i, data] of JSON.parse(page.getElementById("charts").textContent).entries()) {
		charts[i].take(data);
		charts[i].draw();
	}
	drawBoards();
}

setInterval(renew, askedEvery);
drawBoards();
