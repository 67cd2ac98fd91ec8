// The axes of charts: their ticks and labels.

// niceStep returns the smallest step of 1, 2 or 5 times a power of ten that divides span
// into at most most parts and is at least least (Heckbert, "Nice Numbers for Graph Labels",
// Graphics Gems, 1990).
function niceStep(span, most, least) {
	const wanted = Math.max(span / most, least, 1e-9);
	const power = 10 ** Math.floor(Math.log10(wanted));
	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step > wanted * (1 - 1e-9));
}

// ticksBetween returns the multiples of step from low to high.
function ticksBetween(low, high, step) {
	const values = [];
	for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) values.push(i * step);
	return values;
}

// written formats a number with the decimals that step needs. The first toLocaleString of a page
// would take as long as all charts.
function written(value, step) {
	const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
	const [whole, rest] = Math.abs(value).toFixed(decimals).split(".");
	const text = whole.replace(/\B(?=(\d{3})+$)/g, ",");
	return (value < -step / 1e6 ? "\u2212" : "") + text + (rest ? `.${rest}` : "");
}

// extent returns the minimum and maximum of numbers.
function extent(numbers) {
	let low = Infinity;
	let high = -Infinity;
	for (const n of numbers) {
		low = Math.min(low, n);
		high = Math.max(high, n);
	}
	return [low, high];
}

// valueAxis returns an axis that ends at nice numbers: low, high, step and ticks. It spans at
// least least.
function valueAxis(numbers, height, least = 0) {
	let [low, high] = extent(numbers);
	if (high - low < least) [low, high] = [(low + high - least) / 2, (low + high + least) / 2];
	if (!(high > low)) [low, high] = Number.isFinite(low) ? [low - 1, high + 1] : [0, 1];
	const step = niceStep(high - low, Math.max(2, Math.floor(height / 44)), 0);
	low = Math.floor(low / step + 1e-9) * step;
	high = Math.ceil(high / step - 1e-9) * step;
	return { low, high, step, ticks: ticksBetween(low, high, step) };
}

// countAxis returns an axis of integers with fixed ends.
function countAxis([low, high], width) {
	const room = 22 + 9 * written(high, 1).length; // pixels for a label
	const step = niceStep(high - low, Math.max(2, Math.floor(width / room)), 1);
	return { low, high, step, ticks: ticksBetween(low, high, step) };
}

// place maps a value on an axis to pixels between from and to.
function place(axis, value, from, to) {
	return from + ((value - axis.low) / (axis.high - axis.low)) * (to - from);
}
