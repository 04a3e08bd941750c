import { DAY_MS } from "./local-clock.mjs";
import { paydays } from "./paydays.mjs";
import { waiting } from "./random-draws.mjs";

const HOUR_MS = 3_600_000;

/** The period after a failure in which charges are still made. */
export const HORIZON_MS = 31 * DAY_MS;

/**
 * The spans in which an account has enough money, ordered by time: from each payday until the money is spent, and short
 * ones after deposits. `lasts` and `between` are means in days. None of them covers the failure itself.
 */
export function funds(rng, wages, failedAt, { lasts, topUpEvery, topUpLasts }) {
  const end = failedAt + HORIZON_MS;
  const spans = paydays(wages, failedAt - 20 * DAY_MS, end).map((from) => ({
    from,
    until: from + waiting(rng, lasts * DAY_MS),
  }));
  for (let at = failedAt + waiting(rng, topUpEvery * DAY_MS); at < end; at += waiting(rng, topUpEvery * DAY_MS))
    spans.push({ from: at, until: at + waiting(rng, topUpLasts * DAY_MS) });
  return spans.filter(({ from, until }) => from > failedAt || until <= failedAt).sort((a, b) => a.from - b.from);
}

/**
 * The two functions of a payment: a charge inside a span succeeds unless `refuses(ms)` has a decline for that hour;
 * outside of all it gets `without(ms)`.
 */
export function answers(spans, { refuses = () => null, without }) {
  const held = (ms) => spans.some(({ from, until }) => ms >= from && ms < until);
  const decline = (ms) => (held(ms) ? refuses(ms) : without(ms));
  return {
    attempt(at) {
      const said = decline(at.getTime());
      return said ? { approved: false, ...said } : { approved: true };
    },
    firstPayableAt(from, until) {
      const [first, last] = [from.getTime(), until.getTime()];
      let best = Infinity;
      for (const span of spans) {
        const end = Math.min(span.until, last + 1, best);
        // Refusals apply by the hour of the clock.
        for (let ms = Math.max(span.from, first); ms < end; ms = (Math.floor(ms / HOUR_MS) + 1) * HOUR_MS) {
          const at = Math.ceil(ms);
          if (at < end && !decline(at)) {
            best = at;
            break;
          }
        }
      }
      return best <= last ? new Date(best) : null;
    },
  };
}
