// Interaction with a chart: showing values and zooming.

Object.assign(Chart.prototype, {
	// values lists name, value and line at an index.
	values(at) {
		const found = [];
		this.data.series.forEach(({ name, x, y, low, high, games }, line) => {
			const i = x.indexOf(this.xs[at]);
			if (i < 0) return;
			let text = written(y[i], precision(y[i]));
			if (low) text += ` (${written(low[i], precision(low[i]))} to ${written(high[i], precision(high[i]))})`;
			if (games) text += ` (${written(games[i], 1)} ${games[i] === 1 ? "game" : "games"})`;
			found.push({ name: name || this.data.y, text, y: y[i], line: line % 6 });
		});
		return found;
	},

	// show marks an index, or none for -1, and shows its values.
	show(at) {
		this.at = at;
		this.cursor.replaceChildren();
		this.tip.hidden = at < 0;
		this.describe();
		if (at < 0) return;
		const x = this.x(this.xs[at]);
		const values = this.values(at);
		this.cursor.append(part("line", { x1: x, x2: x, y1: this.plot.top, y2: this.plot.bottom }));
		for (const { y, line } of values) {
			const height = this.y(y);
			if (height >= this.plot.top && height <= this.plot.bottom)
				this.cursor.append(part("circle", { cx: x, cy: height, r: 4, class: `f${line}` }));
		}
		this.tip.replaceChildren(
			html("b", "", this.heading(at)),
			...values.map(({ name, text }) => html("div", "", `${name}: ${text}`)),
		);
		const left = x > this.svg.clientWidth / 2 ? x - this.tip.offsetWidth - 12 : x + 12;
		this.tip.style.left = `${Math.max(0, Math.min(left, this.svg.clientWidth - this.tip.offsetWidth))}px`;
	},

	// heading returns the name of an index.
	heading(at) {
		const { labels, x } = this.data;
		return labels ? `${labels[this.xs[at]]} ${x}` : `${x} ${written(this.xs[at], 1)}`;
	},

	// describe sets the values for screen readers.
	describe() {
		const at = Math.max(this.at, 0);
		if (this.xs.length === 0) return;
		this.svg.setAttribute("aria-valuenow", this.xs[at]);
		this.svg.setAttribute(
			"aria-valuetext",
			`${this.heading(at)}: ` +
				this.values(at)
					.map(({ name, text }) => `${name} ${text}`)
					.join(", "),
		);
	},

	// nearest returns the visible index nearest to a pixel.
	nearest(pixel) {
		let best = -1;
		this.xs.forEach((value, i) => {
			if (value < this.view[0] || value > this.view[1]) return;
			if (best < 0 || Math.abs(this.x(value) - pixel) < Math.abs(this.x(this.xs[best]) - pixel)) best = i;
		});
		return best;
	},

	// step moves the mark, and scrolls if it leaves the visible part.
	step(places) {
		const first = this.nearest(this.plot.left);
		const at = this.at < 0 ? first : Math.max(0, Math.min(this.xs.length - 1, this.at + places));
		const value = this.xs[at];
		const [low, high] = this.view;
		if (value < low) this.look([value, value + high - low]);
		if (value > high) this.look([value - (high - low), value]);
		this.show(at);
		this.pick?.(value);
	},

	// scale zooms by a factor around the mark, or the middle.
	scale(factor) {
		const [low, high] = this.view;
		const middle = this.at < 0 ? (low + high) / 2 : this.xs[this.at];
		this.look([middle - (middle - low) * factor, middle + (high - middle) * factor]);
	},

	// look shows the part between two values of X: at most everything, at least two steps.
	look([low, high]) {
		low = Math.max(low, this.whole[0]);
		high = Math.min(high, this.whole[1]);
		const least = Math.min(2, this.whole[1] - this.whole[0]);
		if (high - low < least) {
			low = Math.max(this.whole[0], Math.min((low + high - least) / 2, this.whole[1] - least));
			high = low + least;
		}
		this.view = low === this.whole[0] && high === this.whole[1] ? this.whole : [low, high];
		if (this.at >= 0 && (this.xs[this.at] < low || this.xs[this.at] > high)) this.at = -1;
		this.draw();
	},
});

// precision returns the step to which a value is displayed.
function precision(value) {
	if (Number.isInteger(value)) return 1;
	return Math.abs(value) < 10 ? 0.01 : 0.1;
}

// listen handles the mouse, touch and keys.
function listen(chart) {
	const { svg } = chart;
	const pixel = (event) => event.clientX - svg.getBoundingClientRect().left;
	let from = null; // where a mouse drag began
	svg.addEventListener("pointermove", (event) => {
		chart.show(chart.nearest(pixel(event)));
		if (from === null) return;
		const ends = [from, pixel(event)].map((x) => Math.max(chart.plot.left, Math.min(chart.plot.right, x))).sort((a, b) => a - b);
		chart.cursor.append(
			part("rect", { x: ends[0], width: ends[1] - ends[0], y: chart.plot.top, height: chart.plot.bottom - chart.plot.top }),
		);
	});
	svg.addEventListener("pointerdown", (event) => {
		chart.show(chart.nearest(pixel(event)));
		if (event.pointerType === "touch" || event.button !== 0) return;
		from = pixel(event);
		svg.setPointerCapture(event.pointerId);
	});
	svg.addEventListener("pointerup", (event) => {
		const ends = from === null ? [0, 0] : [from, pixel(event)].sort((a, b) => a - b);
		from = null;
		if (ends[1] - ends[0] < 8) {
			const at = chart.nearest(pixel(event));
			if (at >= 0) chart.pick?.(chart.xs[at]);
			return;
		}
		const number = (x) => chart.view[0] + ((x - chart.plot.left) / (chart.plot.right - chart.plot.left)) * (chart.view[1] - chart.view[0]);
		chart.look(ends.map(number));
	});
	svg.addEventListener("pointercancel", () => {
		from = null;
	});
	svg.addEventListener("pointerleave", () => {
		if (from === null && svg !== document.activeElement) chart.show(-1);
	});
	svg.addEventListener("dblclick", () => chart.look(chart.whole));
	svg.addEventListener("blur", () => chart.show(-1));
	const tenth = () => Math.max(1, Math.round(chart.xs.length / 10));
	const keys = {
		ArrowLeft: () => chart.step(-1),
		ArrowRight: () => chart.step(1),
		PageDown: () => chart.step(-tenth()),
		PageUp: () => chart.step(tenth()),
		Home: () => chart.step(-chart.xs.length),
		End: () => chart.step(chart.xs.length),
		"+": () => chart.scale(0.5),
		"=": () => chart.scale(0.5),
		"-": () => chart.scale(2),
		0: () => chart.look(chart.whole),
		Escape: () => chart.show(-1),
	};
	svg.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys) || chart.xs.length === 0) return;
		event.preventDefault();
		keys[event.key]();
	});
}

const charts = dataOf(document).charts.map((data, i) => new Chart(document.getElementById(`chart-${i}`), data));
