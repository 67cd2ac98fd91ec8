// The viewer of a game: board, turns, and a chart of the scores.

// chanceOf returns White's expected score. score is in hundredths; beyond 10,000 it is a forced win.
function chanceOf(score) {
	if (Math.abs(score) > 10000) return score > 0 ? 1 : 0;
	return 1 / (1 + Math.exp(-score / 100));
}

// shortScore formats a score for White.
function shortScore(score) {
	if (score === null || score === undefined) return "";
	if (Math.abs(score) > 10000) return score > 0 ? "White wins" : "Black wins";
	return `${score < 0 ? "\u2212" : "+"}${(Math.abs(score) / 100).toFixed(2)}`;
}

// scoreText describes a score.
function scoreText(score) {
	const text = shortScore(score);
	if (text === "") return "no score";
	return Math.abs(score) > 10000 ? `forced win for ${score > 0 ? "White" : "Black"}` : `${text} for White`;
}

// endText says how a game ended.
function endText(game) {
	const winner = { white: game.white, black: game.black }[game.result];
	const detail = game.detail ? `, ${game.detail}` : "";
	if (!winner) return `drawn: ${game.reason}${detail}`;
	if (game.reason === "rings") return `${winner} won by removing ${game.rules === "blitz" ? "a ring" : "three rings"}`;
	return `${winner} won: ${game.reason}${detail}`;
}

// startOf returns the position at the start of a game.
function startOf(game) {
	return parseBoard(game.start ?? "4/7/8/9/10/9/10/9/8/7/4 w 0-0");
}

// positionsOf returns the positions of a game, from the start on.
function positionsOf(game) {
	const positions = [startOf(game)];
	for (const word of game.turns) positions.push(playTurn(positions.at(-1), word).board);
	return positions;
}

// recordOf returns a game as a record.
function recordOf(game) {
	const tags = [
		["White", game.white],
		["Black", game.black],
		["Date", game.date],
		["Result", game.score],
		["Rules", game.rules ?? "standard"],
	];
	if (game.start) tags.push(["Position", game.start]);
	tags.push(["Round", String(game.id)]);
	if (game.termination) tags.push(["Termination", game.termination]);
	const escaped = (text) => text.replace(/["\\]/g, "\\$&");
	const first = startOf(game).side === "b" ? 2 : 1;
	const turns = game.turns.map((turn, i) => `${i + first}.${turn}`).join(" ");
	return `${tags.map(([name, text]) => `[${name} "${escaped(text)}"]`).join("\n")}\n\n${turns} ${game.score}\n`;
}

// boardLink returns the address of a game at a turn in a board at url.
function boardLink(url, game, turn) {
	const fields = [`rules=${game.rules ?? "standard"}`];
	if (game.start) fields.push(`start=${encodeURIComponent(game.start.replaceAll(" ", "_"))}`);
	fields.push(`turns=${encodeURIComponent(game.turns.join(","))}`, `at=${turn}`);
	fields.push(`white=${encodeURIComponent(game.white)}`, `black=${encodeURIComponent(game.black)}`);
	return `${url}#${fields.join("&")}`;
}

// Viewer shows one game. moved is called with the game and the turn when the reader moves to
// another turn.
class Viewer {
	constructor(find, board, moved) {
		Object.assign(this, { find, boardURL: board, moved, game: null, turn: 0 });
		for (const [name, to] of Object.entries({ first: () => 0, back: () => this.turn - 1, on: () => this.turn + 1, last: () => Infinity })) {
			find(name).addEventListener("click", () => this.go(to()));
		}
		find("sharpest").addEventListener("click", () => this.go(this.game.swingAt));
		find("position").addEventListener("click", () => copyText(formatBoard(this.positions[this.turn]), find("position")));
		find("record").addEventListener("click", () => copyText(recordOf(this.game), find("record")));
		find("turns").addEventListener("click", (event) => {
			const chosen = event.target.closest("[data-turn]");
			if (chosen) this.go(Number(chosen.dataset.turn));
		});
		find("viewer").addEventListener("keydown", (event) => {
			const to = { ArrowLeft: this.turn - 1, ArrowRight: this.turn + 1, Home: 0, End: Infinity }[event.key];
			if (to === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			this.go(to);
		});
	}

	// show shows a game at a turn.
	show(game, turn) {
		const fresh = this.game !== game;
		if (fresh) {
			this.game = game;
			this.positions = positionsOf(game);
			this.find("viewer").hidden = false;
			this.find("title").textContent = `Game ${game.id}: ${game.white} (White) against ${game.black}`;
			this.find("end").textContent = `${endText(game)} after ${game.turns.length} turns`;
			this.find("sharpest").hidden = !game.swingAt;
			this.list();
		}
		this.turn = Math.max(0, Math.min(turn, game.turns.length));
		const position = this.positions[this.turn];
		drawBoard(this.find("board"), position, game.turns[this.turn - 1], game.rules);
		const score = game.scores[this.turn - 1 - game.opening];
		const name = this.turn === 0 ? "before the first turn" : `${this.turn}. ${game.turns[this.turn - 1]}`;
		const state = this.turn <= game.opening ? "opening" : scoreText(score);
		this.find("now").replaceChildren(`${name}, ${state}; removed rings `, html("span", "whole", position.removed.join("\u2013")));
		this.find("board").setAttribute("aria-label", `Position after turn ${this.turn}: ${formatBoard(position)}`);
		this.find("open").href = boardLink(this.boardURL, game, this.turn);
		this.follow();
		if (fresh) this.graph();
		this.chart.mark(this.turn);
	}

	// go shows another turn.
	go(turn) {
		this.show(this.game, turn);
		this.moved(this.game, this.turn);
	}

	// list writes the turns with their scores, two to a line.
	list() {
		const { turns, opening, scores } = this.game;
		this.find("turns").replaceChildren(
			...turns.map((turn, i) => {
				const item = document.createElement("li");
				const choose = button("", () => {});
				choose.dataset.turn = i + 1;
				choose.tabIndex = -1;
				choose.append(html("span", "count", `${i + 1}.`), html("span", "turn", turn), html("span", "score", i < opening ? "opening" : shortScore(scores[i - opening])));
				if (i < opening) choose.classList.add("opened");
				item.append(choose);
				return item;
			}),
		);
	}

	// follow marks the turn in the list and scrolls the list to it.
	follow() {
		const list = this.find("turns");
		const before = list.querySelector("[aria-current]");
		before?.removeAttribute("aria-current");
		const first = list.querySelector("button");
		for (const other of [before, first]) if (other) other.tabIndex = -1;
		const here = list.querySelector(`[data-turn="${this.turn}"]`) ?? first;
		if (!here) return;
		here.tabIndex = 0;
		if (this.turn > 0) here.setAttribute("aria-current", "true");
		if (list.contains(document.activeElement)) here.focus({ preventScroll: true });
		const top = here.offsetTop; // in the list
		if (top < list.scrollTop || top + here.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
	}

	// graph draws the scores of both engines.
	graph() {
		const { turns, opening, scores, white, black } = this.game;
		const firstIsBlack = this.positions[opening].side === "b" ? 1 : 0;
		const series = [`${white} (White)`, `${black} (Black)`].map((name, side) => {
			const own = { name, x: [], y: [] };
			scores.forEach((score, i) => {
				if (score === null || (i + firstIsBlack) % 2 !== side) return;
				own.x.push(opening + i + 1);
				own.y.push(Math.round(1000 * chanceOf(score)) / 10);
			});
			return own;
		});
		const data = { title: "White's chances", x: "turn", y: "%", zero: true, axis: [0, 100], settled: 0, range: [0, Math.max(turns.length, 1)], series, bounds: [{ name: "even", y: 50 }] };
		if (this.chart) {
			this.chart.at = -1;
			this.chart.view = this.chart.whole;
			this.chart.take(data);
		} else {
			this.chart = new Chart(this.find("graph"), data, (turn) => this.go(turn));
		}
	}
}
