import { DAY_MS } from "./support/local-clock.mjs";
import { between, instants, oneOf, price, waiting } from "./support/random-draws.mjs";
import { answers, HORIZON_MS } from "./support/account-funds.mjs";

/*
 * Forty issuers, each of which is down at times, for an hour or for two days. Most payments here failed because theirs
 * was down; it is up again soon, and down again for some. The others lack money for some days, or for good.
 */

const HOUR_MS = 3_600_000;
const FROM = Date.UTC(2025, 4, 1);
const UNTIL = Date.UTC(2025, 10, 30);
const ISSUERS = 40;

const DOWN = [
  [{ code: "91", message: "Issuer unavailable" }, 6],
  [{ code: "96", message: "System malfunction" }, 2],
  [{ message: "Gateway timeout" }, 2],
];
const SHORT = { code: "51", message: "Insufficient funds" };

/** The outages of an issuer, ordered by time. */
function outages(rng) {
  const found = [];
  for (let at = FROM + waiting(rng, 4 * DAY_MS); at < UNTIL + HORIZON_MS;) {
    const hours = oneOf(rng, [
      [between(rng, 0.5, 4), 6],
      [between(rng, 4, 16), 3],
      [between(rng, 16, 50), 1],
    ]);
    found.push({ from: at, until: at + hours * HOUR_MS });
    at += hours * HOUR_MS + waiting(rng, 6 * DAY_MS);
  }
  return found;
}

const within = (spans, ms) => spans.some(({ from, until }) => ms >= from && ms < until);

/** The remaining time after some spans are removed. */
function gaps(spans, from, until) {
  const found = [];
  let at = from;
  for (const span of spans) {
    if (span.from > at) found.push({ from: at, until: Math.min(span.from, until) });
    at = Math.max(at, span.until);
  }
  return [...found, { from: at, until }].filter((gap) => gap.until > gap.from);
}

export default {
  name: "issuer outages",
  generate(rng, n) {
    const issuers = Array.from({ length: ISSUERS }, () => outages(rng));
    const failures = instants(rng, n, FROM, UNTIL).map((at) => {
      const down = issuers.filter((spans) => within(spans, at));
      const outage = down.length > 0 && rng() < 0.75;
      const spans = outage ? down[Math.floor(rng() * down.length)] : issuers[Math.floor(rng() * ISSUERS)];
      return { at, spans, issuer: issuers.indexOf(spans) };
    });
    return failures.map(({ at, spans, issuer }) => {
      const isDown = within(spans, at);
      const relevant = spans.filter((span) => span.until > at && span.from < at + HORIZON_MS);
      const broke = rng() < (isDown ? 0.08 : 0.3);
      const funded = broke ? Infinity : isDown && rng() < 0.8 ? at : at + waiting(rng, 9 * DAY_MS);
      const up = gaps(relevant, at, at + HORIZON_MS)
        .map((span) => ({ from: Math.max(span.from, funded), until: span.until }))
        .filter((span) => span.until > span.from && span.from > at);
      const down = oneOf(rng, DOWN);
      const said = (ms) => (within(relevant, ms) ? down : SHORT);
      return {
        failedAt: new Date(at),
        amount: price(rng, 24, 1),
        currency: "EUR",
        country: "DE",
        timeZone: "Europe/Berlin",
        gateway: "PROVIDER_15",
        network: issuer % 3 === 0 ? "MASTERCARD" : "VISA",
        payerId: `eu-${issuer}-${Math.floor(rng() * n)}`,
        ...said(at),
        ...answers(up, { without: said }),
      };
    });
  },
};
