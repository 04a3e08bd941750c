import { localTime } from "./support/local-clock.mjs";
import { between, hourly, instants, oneOf, price } from "./support/random-draws.mjs";
import { answers, funds } from "./support/account-funds.mjs";

/*
 * Cards on checking accounts in the United States. Wages come every other Friday, every Friday, twice a month or
 * monthly, before dawn of a bank day; rent takes most of them. Issuers decline more at night.
 */

const FROM = Date.UTC(2025, 2, 1);
const UNTIL = Date.UTC(2026, 1, 28);

const FRIDAY = { year: 2025, month: 1, day: 3 };
const OTHER_FRIDAY = { year: 2025, month: 1, day: 10 };
const WEDNESDAY = { year: 2025, month: 1, day: 8 };

const WHEN = [
  [{ everyDays: 14, from: FRIDAY }, 24],
  [{ everyDays: 14, from: OTHER_FRIDAY }, 20],
  [{ everyDays: 7, from: FRIDAY }, 14],
  [{ monthDays: [15, 31] }, 22],
  [{ monthDays: [1] }, 10],
  [{ everyDays: 28, from: WEDNESDAY }, 10],
];

const ZONES = [
  ["America/New_York", 5],
  ["America/Chicago", 3],
  ["America/Los_Angeles", 3],
];

const SHORT = [
  [{ code: "51", message: "Insufficient funds" }, 78],
  [{ code: "05", message: "Do not honor" }, 14],
  [{ code: "61", message: "Exceeds withdrawal amount limit" }, 8],
];

export default {
  name: "salary days, United States",
  *generate(rng, n) {
    for (const failedAt of instants(rng, n, FROM, UNTIL)) {
      const zone = oneOf(rng, ZONES);
      const wages = { country: "US", zone, when: oneOf(rng, WHEN), hour: between(rng, 1, 7) };
      const broke = rng() < 0.25;
      const spans = broke
        ? []
        : funds(rng, wages, failedAt, { lasts: between(rng, 0.5, 4), topUpEvery: 20, topUpLasts: 0.8 });
      const short = oneOf(rng, SHORT);
      const [wary, waryAtNight] = [hourly(rng(), 0.05), hourly(rng(), 0.3)];
      yield {
        failedAt: new Date(failedAt),
        amount: price(rng, 19, 1) - 0.01,
        currency: "USD",
        country: "US",
        timeZone: zone,
        gateway: oneOf(rng, [
          ["PROVIDER_11", 7],
          ["PROVIDER_12", 3],
        ]),
        network: oneOf(rng, [
          ["VISA", 6],
          ["MASTERCARD", 3],
          ["AMEX", 1],
        ]),
        payerId: `us-${Math.floor(rng() * n * 0.8)}`,
        ...short,
        ...answers(spans, {
          without: () => short,
          refuses(ms) {
            const { hour } = localTime(zone, ms);
            return (hour < 6 ? waryAtNight : wary)(ms) ? { code: "05", message: "Do not honor" } : null;
          },
        }),
      };
    }
  },
};
