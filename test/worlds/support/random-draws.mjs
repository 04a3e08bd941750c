/* Draws from the one random source of a world. */

/** A number between two. */
export const between = (rng, low, high) => low + (high - low) * rng();

/** A waiting time with this mean. */
export const waiting = (rng, mean) => -Math.log(1 - rng()) * mean;

/** One of some values by their weights: `[[value, weight], …]`. */
export function oneOf(rng, weighted) {
  let left = rng() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of weighted) if ((left -= weight) < 0) return value;
  return weighted.at(-1)[0];
}

/** A realistic monthly price, skewed to small ones, in whole units of `step`. */
export const price = (rng, typical, step) =>
  Math.max(step, Math.round((typical * Math.exp(0.6 * (rng() + rng() + rng() - 1.5))) / step) * step);

/** So many instants, ordered by time, spread over a period. */
export const instants = (rng, n, from, until) =>
  Array.from({ length: n }, (_, index) => Math.floor(from + ((index + rng()) / n) * (until - from)));

/**
 * A yes or no for each hour of the clock, by a number that was drawn once: a repeated call gets the same answer,
 * however many calls came between.
 */
export function hourly(salt, share) {
  return (ms) => {
    let mixed = Math.imul(Math.floor(ms / 3_600_000) ^ Math.floor(salt * 0x7fffffff), 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae3d);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x100000000 < share;
  };
}
