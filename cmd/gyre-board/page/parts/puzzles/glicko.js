// The Glicko-2 rating system, from Mark Glickman's "Example of the Glicko-2 system" (2013,
// glicko.net/glicko/glicko2.pdf), with the paper's step numbers. Ratings use the scale of
// the puzzles, on which uniformly random play has 0 and the unit is Elo's.

const UNIT = 173.7178;
// The constraint on changes of the volatility; the paper suggests 0.3 to 1.2.
const TAU = 0.5;
const PRECISE = 1e-6;
// The largest change by one outcome. An outcome against an equal changes the rating of a new player by 175,
// so that only surprises are limited.
const MOST_CHANGE = 200;

/**
 * @typedef {Object} Rating
 * @property {number} rating
 * @property {number} deviation half of a 68 % interval
 * @property {number} volatility
 */

/**
 * @typedef {Object} Outcome
 * @property {number} rating of the opponent
 * @property {number} deviation
 * @property {number} score 1 won, 0.5 drawn, 0 lost
 */

/** The rating of a new player. @returns {Rating} */
export function newRating() {
  return { rating: 1000, deviation: 350, volatility: 0.06 };
}

/**
 * Updates a rating with games played in one period. The deviation never exceeds that of a
 * new player, and one surprise changes the rating of a new player by little more than others do.
 * @param {Rating} player
 * @param {Outcome[]} outcomes at least one
 * @returns {Rating}
 */
export function updatedRating({ rating, deviation, volatility }, outcomes) {
  // Step 2. The scale's center does not matter: only differences count.
  const phi = deviation / UNIT;
  // Step 3 and 4.
  let information = 0;
  let surplus = 0;
  for (const other of outcomes) {
    const weight = g(other.deviation / UNIT);
    const expected = 1 / (1 + Math.exp((-weight * (rating - other.rating)) / UNIT));
    information += weight * weight * expected * (1 - expected);
    surplus += weight * (other.score - expected);
  }
  const variance = 1 / information;
  const delta = variance * surplus;
  const changed = volatilityAfter(volatility, phi, variance, delta);
  // Steps 6 to 8.
  const before = Math.hypot(phi, changed);
  const after = 1 / Math.sqrt(1 / (before * before) + information);
  const most = MOST_CHANGE * outcomes.length;
  return {
    rating: rating + Math.max(-most, Math.min(UNIT * after * after * surplus, most)),
    deviation: Math.min(UNIT * after, newRating().deviation),
    volatility: changed,
  };
}

function g(phi) {
  return 1 / Math.sqrt(1 + (3 * phi * phi) / (Math.PI * Math.PI));
}

// Step 5: the Illinois algorithm finds the root of f, which decreases.
function volatilityAfter(volatility, phi, variance, delta) {
  const a = Math.log(volatility * volatility);
  const f = (x) => {
    const e = Math.exp(x);
    const sum = phi * phi + variance + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
  };
  let low = a;
  let high = Math.log(delta * delta - phi * phi - variance);
  if (!(delta * delta > phi * phi + variance)) for (high = a - TAU; f(high) < 0; ) high -= TAU;
  let [atLow, atHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > PRECISE) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const there = f(middle);
    if (there * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, there];
  }
  return Math.exp(low / 2);
}
