// The list of games, and a viewer with a board and a score graph. #game-NUMBER links to a game,
// #game-NUMBER-TURN to a turn of it.

const pageSize = 50; // rows of the list

// chanceOf returns White's expected score. score is in hundredths; beyond 10,000 it is a forced win.
function chanceOf(score) {
	if (Math.abs(score) > 10000) return score > 0 ? 1 : 0;
	return 1 / (1 + 10 ** (-score / 400));
}

// scoreText formats a score for White.
function scoreText(score) {
	if (score === null || score === undefined) return "no score";
	if (Math.abs(score) > 10000) return `forced win for ${score > 0 ? "White" : "Black"}`;
	return `${score < 0 ? "\u2212" : "+"}${(Math.abs(score) / 100).toFixed(2)} for White`;
}

// endText says how a game ended.
function endText(winner, reason) {
	if (!winner) return `drawn: ${reason}`;
	return reason === "rings" ? `${winner} won by removing the winning ring` : `${winner} won: ${reason}`;
}

// GameList is the list of games and the viewer of the open one.
class GameList {
	constructor(root, games) {
		Object.assign(this, { root, games, open: null, turn: 0, shown: pageSize });
		this.find = (name) => root.querySelector(`[data-games="${name}"]`);
		const reasons = [...new Set(games.map(({ reason }) => reason))].sort();
		for (const reason of reasons) this.find("reason").append(new Option(reason, reason));
		for (const name of ["text", "result", "reason", "order"]) {
			this.find(name).addEventListener("input", () => {
				this.shown = pageSize;
				this.list();
			});
		}
		this.find("more").addEventListener("click", () => {
			this.shown += pageSize;
			this.list();
		});
		for (const [name, to] of Object.entries({ first: () => 0, back: () => this.turn - 1, on: () => this.turn + 1, last: () => Infinity })) {
			this.find(name).addEventListener("click", () => this.go(to()));
		}
		this.find("sharpest").addEventListener("click", () => this.go(this.open.swingAt));
		this.find("graph").addEventListener("click", (event) => {
			const box = this.find("graph").getBoundingClientRect();
			this.go(Math.round(((event.clientX - box.left) / box.width) * this.open.turns.length));
		});
		this.find("viewer").addEventListener("keydown", (event) => {
			const to = { ArrowLeft: this.turn - 1, ArrowRight: this.turn + 1, Home: 0, End: Infinity }[event.key];
			if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			this.go(to);
		});
		addEventListener("hashchange", () => this.follow());
		this.list();
		this.follow();
	}

	// found returns the games that match the search fields, sorted.
	found() {
		const text = this.find("text").value.trim().toLowerCase();
		const result = this.find("result").value;
		const reason = this.find("reason").value;
		const found = this.games.filter(
			(game) =>
				(!result || game.result === result) &&
				(!reason || (reason === "faults" ? game.fault : game.reason === reason)) &&
				(!text || `${game.id} ${game.white} ${game.black} ${game.turns.slice(0, game.opening).join(" ")}`.toLowerCase().includes(text)),
		);
		const order = { swing: (a, b) => b.swing - a.swing, length: (a, b) => b.turns.length - a.turns.length }[this.find("order").value];
		return order ? found.sort(order) : found;
	}

	// list updates the table.
	list() {
		const found = this.found();
		this.find("rows").replaceChildren(
			...found.slice(0, this.shown).map((game) => {
				const row = document.createElement("tr");
				const link = html("a", "", String(game.id));
				link.href = `#game-${game.id}`;
				const cells = [game.white, game.black, game.result, game.reason, game.turns.length, game.swing ? `${game.swing}% at ${game.swingAt}` : ""];
				row.append(document.createElement("td"), ...cells.map((text) => html("td", typeof text === "string" ? "text" : "", text)));
				row.firstChild.append(link);
				return row;
			}),
		);
		this.find("count").textContent = `${found.length} of ${this.games.length} games`;
		this.find("more").hidden = found.length <= this.shown;
	}

	// follow opens the game in the address.
	follow() {
		const named = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
		const game = named && this.games.find(({ id }) => id === Number(named[1]));
		if (!game) return;
		const opened = this.open !== game;
		this.show(game, named[2] === undefined ? (opened ? game.opening : this.turn) : Number(named[2]));
		if (opened) this.find("viewer").scrollIntoView({ block: "start" });
	}

	// show shows a game at a turn.
	show(game, turn) {
		if (this.open !== game) {
			this.open = game;
			this.positions = [readPosition(game.start)];
			for (const word of game.turns) this.positions.push(playTurn(this.positions.at(-1), word));
			this.find("title").textContent = `Game ${game.id}: ${game.white} (White) against ${game.black}`;
			const winner = { white: game.white, black: game.black }[game.result];
			this.find("end").textContent = `${endText(winner, game.reason)}${game.detail ? `, ${game.detail}` : ""}`;
			this.find("sharpest").hidden = !game.swingAt;
			this.find("viewer").hidden = false;
		}
		this.turn = Math.max(0, Math.min(turn, game.turns.length));
		const position = this.positions[this.turn];
		drawBoard(this.find("board"), position);
		this.graph();
		const score = game.scores[this.turn - 1 - game.opening];
		const name = this.turn === 0 ? "before the first turn" : `${this.turn}. ${game.turns[this.turn - 1]}`;
		const state = this.turn <= game.opening ? "opening" : scoreText(score);
		this.find("now").textContent = `${name}, ${state}; removed rings ${position.removed.join("\u2013")}`;
		this.find("board").setAttribute("aria-label", `Position after turn ${this.turn}: ${positionText(position)}`);
	}

	// go shows another turn of the game and puts it into the address.
	go(turn) {
		const to = Math.max(0, Math.min(turn, this.open.turns.length));
		history.replaceState(null, "", `#game-${this.open.id}-${to}`);
		this.show(this.open, to);
	}

	// graph draws White's expected score over the game.
	graph() {
		const { turns, opening, scores } = this.open;
		const svg = this.find("graph");
		svg.setAttribute("viewBox", `0 0 ${Math.max(turns.length, 1)} 100`);
		let share = 0.5;
		let d = `M0 100L0 50L${opening} 50`;
		scores.forEach((score, i) => {
			if (score !== null) share = chanceOf(score);
			const y = (100 * (1 - share)).toFixed(1);
			d += `L${opening + i} ${y}L${opening + i + 1} ${y}`;
		});
		svg.replaceChildren(
			part("path", { d: `${d}L${turns.length} 100Z`, class: "chances" }),
			part("path", { d: `M0 50H${turns.length}`, class: "even" }),
			part("path", { d: `M${this.turn} 0V100`, class: "here" }),
		);
	}
}

new GameList(document.getElementById("games-list"), JSON.parse(document.getElementById("games").textContent));
