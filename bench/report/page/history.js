// Filters the history of a hub. The filter is in the address, so that it survives a reload.

const finder = document.getElementById("finder");

// filter shows the matches that contain all words and have the state.
function filter() {
	const words = document.getElementById("words").value.toLowerCase().split(/\s+/).filter(Boolean);
	const state = document.getElementById("state").value;
	const all = [...document.querySelectorAll(".past")];
	for (const match of all) {
		const text = match.textContent.toLowerCase();
		match.hidden = (state !== "" && match.querySelector("[data-state]").dataset.state !== state) || !words.every((word) => text.includes(word));
	}
	const said = `${all.filter(({ hidden }) => !hidden).length} of ${all.length} matches`;
	const found = document.getElementById("found");
	if (found.textContent !== said) found.textContent = said;
}

if (finder) {
	const wanted = new URLSearchParams(location.hash.slice(1));
	for (const name of ["words", "state"]) document.getElementById(name).value = wanted.get(name) ?? "";
	finder.addEventListener("input", () => {
		const wanted = new URLSearchParams();
		for (const name of ["words", "state"]) if (document.getElementById(name).value) wanted.set(name, document.getElementById(name).value);
		history.replaceState(null, "", wanted.size > 0 ? `#${wanted}` : location.pathname + location.search);
		filter();
	});
	document.addEventListener("renewed", filter);
	filter();
}
