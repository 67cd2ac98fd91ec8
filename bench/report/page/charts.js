// Draws the charts of the page from its data. The mouse, touch and keys show values. Dragging
// the mouse, buttons and keys zoom.

const chartHeight = 280; // pixels, without the caption
const fewGames = 10; // games behind a value, below which it is drawn faintly

// Chart draws one chart into its figure. pick, if given, is called with the X that the reader
// chooses.
class Chart {
	constructor(figure, data, pick) {
		Object.assign(this, { figure, at: -1, pick });
		this.svg = part("svg", { tabindex: 0, role: "slider" });
		this.legend = html("div", "legend");
		this.take(data);
		this.tip = html("div", "tip");
		this.tip.hidden = true;
		this.stage = html("div", "stage");
		this.stage.append(this.svg, this.tip);
		if (data.note) figure.append(html("p", "note", data.note));
		figure.append(this.legend, this.stage);
		new ResizeObserver(() => {
			if (this.stage.clientWidth !== this.width) this.draw(); // not if drawing changed the height
		}).observe(this.stage);
		listen(this);
		this.describe();
	}

	// take sets the data, initially and on a refresh. The zoom stays, and the mark stays at its
	// X or moves to the last one before it.
	take(data) {
		const marked = this.xs?.[this.at];
		const names = (of) => [of?.title, ...(of ? [...of.series, ...of.bounds] : []).map(({ name }) => name)].join("\n");
		const renamed = names(this.data) !== names(data);
		this.data = data;
		if (renamed) this.name();
		this.xs = [...new Set(data.series.flatMap(({ x }) => x))].sort((a, b) => a - b);
		const margin = data.bars ? 0.5 : 0;
		const whole = data.range ?? [this.xs[0] - margin, this.xs.at(-1) + margin];
		if (this.view === this.whole) this.view = whole;
		this.whole = whole;
		this.at = this.xs.findLastIndex((x) => x <= marked);
		this.svg.setAttribute("aria-valuemin", this.xs[0] ?? 0);
		this.svg.setAttribute("aria-valuemax", this.xs.at(-1) ?? 0);
	}

	// name writes the title, the names of the lines and the zoom buttons.
	name() {
		this.svg.setAttribute("aria-label", `${this.data.title}: ${this.data.y} by ${this.data.x}`);
		this.legend.replaceChildren();
		const entry = (name, line) => {
			const key = html("span", "key", name);
			key.prepend(part("svg", { width: 24, height: 10, "aria-hidden": true }, part("line", { x1: 0, x2: 24, y1: 5, y2: 5, class: line })));
			this.legend.append(key);
		};
		this.data.series.forEach(({ name }, i) => name && entry(name, `line s${i % 6}`));
		this.data.bounds.forEach(({ name }, i) => entry(name, `bound b${i}`));
		if (this.data.labels) return; // a few bars need no zoom
		const buttons = html("span", "buttons");
		for (const [text, label, act] of [
			["+", "Zoom in", () => this.scale(0.5)],
			["\u2212", "Zoom out", () => this.scale(2)],
			["\u21ba", "Show all", () => this.look(this.whole)],
		]) {
			const zoom = button(text, act);
			zoom.dataset.act = label.toLowerCase();
			zoom.ariaLabel = `${label}: ${this.data.title}`;
			zoom.title = label;
			buttons.append(zoom);
		}
		this.legend.append(buttons);
	}

	// visible lists the values that set the vertical scale. The whole chart is scaled by the
	// values from settled on, because earlier ones vary widely.
	visible() {
		if (this.data.axis) return this.data.axis;
		const from = this.view === this.whole ? Math.max(this.view[0], this.data.settled) : this.view[0];
		const values = this.data.bounds.map(({ y }) => y);
		if (this.data.zero) values.push(0);
		for (const { x, y, low, high, games } of this.data.series) {
			const many = games?.some((n) => n >= fewGames);
			x.forEach((at, i) => {
				if (at < from || at > this.view[1] || (many && games[i] < fewGames)) return;
				values.push(y[i], ...(low ? [low[i], high[i]] : []));
			});
		}
		if (this.data.labels) values.push(1.1 * Math.max(...values)); // room for the numbers
		return values;
	}

	// draw redraws the chart in the available width.
	draw() {
		this.width = this.stage.clientWidth;
		const width = Math.max(this.width, 200);
		this.svg.setAttribute("width", width);
		this.svg.setAttribute("height", chartHeight);
		const clip = `clip-${this.figure.id}`;
		this.plot = { top: 10, bottom: chartHeight - 46 };
		this.vertical = valueAxis(this.visible(), this.plot.bottom - this.plot.top, this.data.least);
		const labels = this.vertical.ticks.map((value) =>
			part("text", { class: "tick", "text-anchor": "end" }, written(value, this.vertical.step)),
		);
		this.svg.replaceChildren(...labels); // so that they can be measured
		this.plot.left = Math.ceil(Math.max(...labels.map((label) => label.getComputedTextLength()))) + 30;
		this.plot.right = width - 28; // room for half of the last label
		this.horizontal = countAxis(this.view, this.data.labels ? Infinity : this.plot.right - this.plot.left);
		const area = part("rect", {
			x: this.plot.left,
			y: this.plot.top,
			width: this.plot.right - this.plot.left,
			height: this.plot.bottom - this.plot.top,
		});
		this.cursor = part("g", { class: "cursor" });
		this.svg.replaceChildren(
			part("clipPath", { id: clip }, area),
			this.axes(labels),
			part("g", { "clip-path": `url(#${clip})` }, ...this.bounds(), ...this.data.series.flatMap((s, i) => this.line(s, i))),
			...(this.here === undefined ? [] : [part("line", { x1: this.x(this.here), x2: this.x(this.here), y1: this.plot.top, y2: this.plot.bottom, class: "here" })]),
			this.cursor,
		);
		this.show(this.at);
	}

	// mark marks an X, until it marks another.
	mark(x) {
		this.here = x;
		this.draw();
	}

	// x and y convert values to pixels.
	x(value) {
		return place(this.horizontal, value, this.plot.left, this.plot.right);
	}
	y(value) {
		return place(this.vertical, value, this.plot.bottom, this.plot.top);
	}

	// axes returns the grid, the labels and the units.
	axes(labels) {
		const { left, right, top, bottom } = this.plot;
		const group = part("g", { class: "axes" });
		this.vertical.ticks.forEach((value, i) => {
			const y = this.y(value);
			labels[i].setAttribute("x", left - 8);
			labels[i].setAttribute("y", y + 4.5);
			group.append(
				part("line", { x1: left, x2: right, y1: y, y2: y, class: Math.abs(value) < this.vertical.step / 2 ? "zero" : "grid" }),
				labels[i],
			);
		});
		for (const value of this.horizontal.ticks) {
			const x = this.x(value);
			group.append(
				part("line", { x1: x, x2: x, y1: bottom, y2: bottom + 5, class: "zero" }),
				part("text", { x, y: bottom + 20, class: "tick", "text-anchor": "middle" }, this.data.labels ? this.data.labels[value] : written(value, this.horizontal.step)),
			);
		}
		group.append(
			part("text", { x: (left + right) / 2, y: chartHeight - 6, class: "unit", "text-anchor": "middle" }, this.data.x),
			part(
				"text",
				{ x: 0, y: 0, class: "unit", "text-anchor": "middle", transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)` },
				this.data.y,
			),
		);
		return group;
	}

	// bounds returns the horizontal lines.
	bounds() {
		return this.data.bounds.map(({ y }, i) =>
			part("line", { x1: this.plot.left, x2: this.plot.right, y1: this.y(y), y2: this.y(y), class: `bound b${i}` }),
		);
	}

	// line draws a series: bars, or a line with its band.
	line({ x, y, low, high, games }, index) {
		const point = (at, value) => `${this.x(at).toFixed(1)} ${this.y(value).toFixed(1)}`;
		if (this.data.bars) {
			return x.flatMap((at, i) => [
				part("rect", {
					x: this.x(at - 0.45),
					width: this.x(at + 0.45) - this.x(at - 0.45),
					y: this.y(y[i]),
					height: this.plot.bottom - this.y(y[i]),
					class: `bar f${index % 6}`,
				}),
				...(this.data.labels ? [part("text", { x: this.x(at), y: this.y(y[i]) - 5, class: "value", "text-anchor": "middle" }, written(y[i], 1))] : []),
			]);
		}
		// A part with few games is faint.
		const few = (i) => games !== undefined && games[i] < fewGames;
		const drawn = [];
		for (let from = 0; from < x.length; ) {
			let to = from + 1;
			while (to < x.length && few(to) === few(from)) to++;
			const end = Math.min(to + 1, x.length); // to the next part
			const points = x.slice(from, end).map((at, i) => point(at, y[from + i]));
			if (points.length > 1) drawn.push(part("path", { d: `M${points.join("L")}`, class: `line s${index % 6}${few(from) ? " few" : ""}` }));
			from = to;
		}
		if (low) {
			const back = x.map((at, i) => point(at, low[i])).reverse();
			drawn.unshift(
				part("path", { d: "M" + x.map((at, i) => point(at, high[i])).join("L") + "L" + back.join("L") + "Z", class: `band f${index % 6}` }),
			);
		}
		return drawn;
	}
}
