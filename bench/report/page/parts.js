"use strict";

// Parts that all pages share: elements, numbers, buttons that copy or save, and long tables.

const svgSpace = "http://www.w3.org/2000/svg";

// part returns a new SVG element.
function part(name, attributes, ...children) {
	const element = document.createElementNS(svgSpace, name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
	element.append(...children);
	return element;
}

// dataOf returns the data of a page.
const dataOf = (page) => JSON.parse(page.getElementById("data").textContent);

// html returns a new HTML element with a class and text.
function html(name, className, text = "") {
	const element = document.createElement(name);
	element.className = className;
	element.textContent = text;
	return element;
}

// button returns a new button.
function button(text, act) {
	const element = html("button", "", text);
	element.type = "button";
	element.addEventListener("click", act);
	return element;
}

// copyText copies a text and says so in the button.
async function copyText(text, source) {
	let copied = true;
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		copied = copyOld(text); // without https, browsers have only the old way
	}
	source.dataset.name ??= source.textContent;
	source.textContent = copied ? "Copied" : "Not copied";
	setTimeout(() => {
		source.textContent = source.dataset.name;
	}, 2000);
	document.getElementById("said").textContent = copied ? "Copied" : "Not copied: the browser does not allow it";
}

// copyOld copies a text with the selection.
function copyOld(text) {
	const field = document.createElement("textarea");
	field.value = text;
	document.body.append(field);
	field.select();
	const copied = document.execCommand("copy");
	field.remove();
	return copied;
}

// saveText lets the browser save a text as a file.
function saveText(name, type, text) {
	const link = document.createElement("a");
	link.download = name;
	link.href = URL.createObjectURL(new Blob([text], { type }));
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// Rows shows a long table in a box that scrolls. Only the rows in sight are in the page, so all
// rows must have the same height.
class Rows {
	// columns lists names and classes; make returns the cells of an item, as texts or elements.
	constructor(box, columns, make) {
		Object.assign(this, { box, columns, make, items: [], height: 0 });
		this.table = html("table", "cards long");
		this.table.setAttribute("role", "table");
		this.table.setAttribute("aria-label", box.getAttribute("aria-label"));
		const head = document.createElement("thead");
		head.setAttribute("role", "rowgroup");
		head.append(this.row(columns.map(({ name }) => name), 0, "columnheader"));
		this.body = document.createElement("tbody");
		this.body.setAttribute("role", "rowgroup");
		this.table.append(head, this.body);
		box.replaceChildren(this.table);
		box.addEventListener("scroll", () => this.draw());
		new ResizeObserver(() => {
			this.height = 0;
			this.draw();
		}).observe(box);
	}

	// row returns a table row.
	row(cells, index, role = "cell") {
		const row = document.createElement("tr");
		row.setAttribute("role", "row");
		row.setAttribute("aria-rowindex", index + 1);
		cells.forEach((content, i) => {
			const { name, text } = this.columns[i];
			const cell = html(role === "cell" ? "td" : "th", text ? "text" : "");
			cell.setAttribute("role", role);
			if (role === "cell") cell.dataset.label = name;
			cell.append(content);
			if (typeof content === "string") cell.title = content;
			row.append(cell);
		});
		return row;
	}

	// show shows items from the first on.
	show(items) {
		this.items = items;
		this.table.setAttribute("aria-rowcount", items.length + 1);
		this.box.scrollTop = 0;
		this.height = 0;
		this.draw();
	}

	// draw puts the rows in sight into the table.
	draw() {
		if (this.box.clientWidth === 0) return; // not in sight
		const fresh = this.height === 0;
		if (fresh && this.items.length > 0) {
			this.body.replaceChildren(this.row(this.make(this.items[0]), 1));
			this.height = this.body.firstChild.getBoundingClientRect().height;
		}
		const around = 12; // rows above and below, for the next scroll
		const first = Math.max(0, Math.floor(this.box.scrollTop / (this.height || 1)) - around);
		const last = Math.min(this.items.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / (this.height || 1)) + around);
		if (!fresh && first === this.first && last === this.last) return;
		Object.assign(this, { first, last });
		const focused = this.body.contains(document.activeElement) && document.activeElement.closest("tr").getAttribute("aria-rowindex");
		const space = (rows) => {
			const row = html("tr", "space");
			row.setAttribute("role", "presentation");
			row.ariaHidden = true;
			row.style.height = `${rows * this.height}px`;
			return row;
		};
		const shown = this.items.slice(first, last).map((item, i) => this.row(this.make(item), first + i + 1));
		this.body.replaceChildren(space(first), ...shown, space(this.items.length - last));
		if (focused) this.body.querySelector(`[aria-rowindex="${focused}"] a`)?.focus({ preventScroll: true });
	}
}

// The place where screen readers hear of what was copied.
const said = html("p", "unseen");
said.id = "said";
said.setAttribute("role", "status");
document.querySelector("main").append(said);

document.addEventListener("click", (event) => {
	const source = event.target.closest("[data-copy]");
	if (source) copyText(document.getElementById(source.dataset.copy).textContent, source);
});
