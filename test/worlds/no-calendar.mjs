import { between, hourly, instants, oneOf, price, waiting } from "./support/random-draws.mjs";
import { answers, HORIZON_MS } from "./support/account-funds.mjs";
import { DAY_MS } from "./support/local-clock.mjs";

/*
 * Nothing in time tells anything: money comes and goes at random instants of any day and hour, each account at its own pace. Here a
 * policy can only spread its tries, and one that sees a pattern sees chance.
 */

const FROM = Date.UTC(2025, 2, 1);
const UNTIL = Date.UTC(2026, 1, 28);

const PLACES = [
  [{ country: "US", timeZone: "America/New_York", currency: "USD", typical: 19, step: 1 }, 3],
  [{ country: "KR", timeZone: "Asia/Seoul", currency: "KRW", typical: 14_000, step: 100 }, 2],
  [{ country: "DE", timeZone: "Europe/Berlin", currency: "EUR", typical: 15, step: 1 }, 2],
];

const SHORT = [
  [{ code: "51", message: "Insufficient funds" }, 6],
  [{ code: "05", message: "Do not honor" }, 3],
  [{ code: "61", message: "Exceeds limit" }, 1],
];

export default {
  name: "no calendar",
  *generate(rng, n) {
    for (const failedAt of instants(rng, n, FROM, UNTIL)) {
      const place = oneOf(rng, PLACES);
      const short = oneOf(rng, SHORT);
      const broke = rng() < 0.18;
      const [waits, lasts] = [between(rng, 3, 14) * DAY_MS, between(rng, 0.3, 3) * DAY_MS];
      const spans = [];
      const end = broke ? failedAt : failedAt + HORIZON_MS;
      for (let at = failedAt + waiting(rng, waits); at < end; at += waiting(rng, waits)) {
        const until = at + waiting(rng, lasts);
        spans.push({ from: at, until });
        at = until;
      }
      const wary = hourly(rng(), 0.08);
      yield {
        failedAt: new Date(failedAt),
        amount: price(rng, place.typical, place.step),
        currency: place.currency,
        country: place.country,
        timeZone: place.timeZone,
        gateway: "PROVIDER_07",
        network: oneOf(rng, [
          ["VISA", 3],
          ["MASTERCARD", 2],
        ]),
        payerId: `random-${Math.floor(rng() * n)}`,
        ...short,
        ...answers(spans, {
          without: () => short,
          refuses: (ms) => (wary(ms) ? { code: "05", message: "Do not honor" } : null),
        }),
      };
    }
  },
};
