// The list of games, and the results by opening. #game-NUMBER links to a game, #game-NUMBER-TURN
// to a turn of it.

// GameList is the list of games with the viewer of the open one.
class GameList {
	constructor(root, games, board) {
		Object.assign(this, { root, games, found: games });
		this.find = (name) => root.querySelector(`[data-games="${name}"]`);
		this.viewer = new Viewer(this.find, board, (game, turn) => history.replaceState(null, "", `#game-${game.id}-${turn}`));
		const reasons = [...new Set(games.map(({ reason }) => reason))].sort();
		for (const reason of reasons) this.find("reason").append(new Option(reason, reason));
		for (const name of ["text", "result", "reason", "order"]) this.find(name).addEventListener("input", () => this.list());
		this.find("before").addEventListener("click", () => this.step(-1));
		this.find("after").addEventListener("click", () => this.step(1));
		this.find("records").addEventListener("click", () => saveText("games.txt", "text/plain", this.found.map(recordOf).join("\n")));
		this.find("table").addEventListener("click", () => saveText("games.csv", "text/csv", tableOf(this.found)));
		const columns = [{ name: "game" }, { name: "White", text: true }, { name: "Black", text: true }, { name: "result", text: true }, { name: "end", text: true }, { name: "turns" }, { name: "sharpest swing", text: true }];
		this.rows = new Rows(this.find("rows"), columns, (game) => [
			gameLink(game.id, String(game.id)),
			game.white,
			game.black,
			game.result === "draw" ? "draw" : `${game.result === "white" ? "White" : "Black"} won`,
			game.reason,
			String(game.turns.length),
			game.swing ? `${game.swing}% at turn ${game.swingAt}` : "\u2013",
		]);
		addEventListener("hashchange", () => this.follow());
		this.list();
		this.follow();
	}

	// list shows the games that match the search fields, sorted.
	list() {
		const text = this.find("text").value.trim().toLowerCase();
		const result = this.find("result").value;
		const reason = this.find("reason").value;
		this.found = this.games.filter((game) => {
			if ((result && game.result !== result) || (reason && (reason === "faults" ? !game.fault : game.reason !== reason))) return false;
			return !text || `${game.id} ${game.white} ${game.black} ${openingOf(game)}`.toLowerCase().includes(text);
		});
		const order = { swing: (a, b) => b.swing - a.swing, length: (a, b) => b.turns.length - a.turns.length }[this.find("order").value];
		if (order) this.found.sort(order);
		this.rows.show(this.found);
		this.find("count").textContent = `${written(this.found.length, 1)} of ${written(this.games.length, 1)} games`;
	}

	// follow opens the game in the address.
	follow() {
		const named = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
		const game = named && this.games.find(({ id }) => id === Number(named[1]));
		if (game) this.open(game, named[2] === undefined ? null : Number(named[2]));
	}

	// open shows a game, and moves the focus to it, so that the arrow keys work. Without a turn,
	// it shows the end of the opening.
	open(game, turn) {
		const { viewer } = this;
		const opened = viewer.game !== game;
		viewer.show(game, turn ?? (opened ? game.opening : viewer.turn));
		const shown = this.find("viewer");
		shown.scrollIntoView({ block: "start" });
		shown.focus({ preventScroll: true });
	}

	// step opens another game of the list.
	step(places) {
		const at = this.found.indexOf(this.viewer.game);
		const game = this.found[at + places];
		if (game) location.hash = `#game-${game.id}`;
	}
}

// openingOf returns the turns of the opening.
function openingOf(game) {
	return game.turns.slice(0, game.opening).join(" ");
}

// gameLink returns a link to a game, or to a turn of it.
function gameLink(id, text, turn) {
	const link = html("a", "", text);
	link.href = turn === undefined ? `#game-${id}` : `#game-${id}-${turn}`;
	return link;
}

// tableOf returns games as comma-separated values.
function tableOf(games) {
	const quoted = (value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
	const rows = games.map((game) => [game.id, game.round, game.date, game.white, game.black, game.result, game.reason, game.score, game.turns.length, game.swing, game.swingAt, openingOf(game)]);
	return [["game", "round", "date", "white", "black", "result", "end", "rings", "turns", "swing_percent", "swing_turn", "opening"], ...rows]
		.map((row) => row.map((value) => quoted(String(value))).join(","))
		.join("\r\n");
}

// pairRows shows the results by opening.
function pairRows(box, pairs, games) {
	const columns = [{ name: "round" }, { name: "first", text: true }, { name: "second", text: true }, { name: "points" }, { name: "first as White", text: true }, { name: "first as Black", text: true }, { name: "opening", text: true }];
	const byID = new Map(games.map((game) => [game.id, game]));
	const end = (id) => (byID.has(id) ? gameLink(id, `${byID.get(id).result}, ${byID.get(id).reason}`) : "\u2013");
	new Rows(box, columns, ({ round, first, second, outcome, games: ids }) => {
		const game = byID.get(ids[0]) ?? byID.get(ids[1]);
		return [String(round), first, second, outcome, end(ids[0]), end(ids[1]), game ? gameLink(game.id, openingOf(game) || "start", game.opening) : "\u2013"];
	}).show(pairs);
}

const { games = [], pairs = [], board } = dataOf(document);
const gameList = new GameList(document.getElementById("games-section"), games, board);
pairRows(document.getElementById("pair-rows"), pairs, games);
