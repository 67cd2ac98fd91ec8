// Refreshes the page of a hub. It loads the page again and copies what changed. Charts stay, with
// their zoom and mark.

const refreshEvery = 5000; // milliseconds

// drawBoards draws the boards of the page from the positions in their attributes.
function drawBoards() {
	for (const board of document.querySelectorAll("[data-position]")) {
		drawBoard(board, parseBoard(board.dataset.position), board.dataset.turn, "standard");
	}
}

// shapeOf lists the parts of a page, without their contents.
function shapeOf(page) {
	return [...page.querySelectorAll("[data-part]")].map((shown) => shown.dataset.part).join(" ");
}

// renew refreshes the page. If its parts have changed, it reloads the page.
async function renew() {
	const lost = document.getElementById("lost");
	let text = "";
	try {
		const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
		if (answer.ok) text = await answer.text();
	} catch {} // retried at the next refresh
	lost.hidden = text !== "";
	if (text === "") return;
	const page = new DOMParser().parseFromString(text, "text/html");
	if (shapeOf(page) !== shapeOf(document)) {
		location.reload();
		return;
	}
	const fresh = [...page.querySelectorAll("[data-part]")];
	for (const [i, shown] of document.querySelectorAll("[data-part]").entries()) {
		if (shown.classList.contains("chart")) continue;
		if (shown.dataset.state) shown.dataset.state = fresh[i].dataset.state;
		const open = [...shown.querySelectorAll("details")].map((details) => details.open);
		if (shown.innerHTML === fresh[i].innerHTML) continue; // keeps the focus
		shown.replaceChildren(...fresh[i].childNodes);
		for (const [k, details] of shown.querySelectorAll("details").entries()) details.open = open[k];
	}
	for (const [i, data] of dataOf(page).charts.entries()) {
		charts[i].take(data);
		charts[i].draw();
	}
	drawBoards();
	document.dispatchEvent(new Event("renewed"));
}

setInterval(renew, refreshEvery);
drawBoards();
