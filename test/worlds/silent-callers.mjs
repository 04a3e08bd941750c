import { DAY_MS } from "./support/local-clock.mjs";
import { between, instants, oneOf, price, waiting } from "./support/random-draws.mjs";
import { answers, funds } from "./support/account-funds.mjs";

/*
 * Realistic callers. Every fifth never reports again after the first report, every sixth stops some time later: nothing
 * is charged from then on, and the case stays open. Every third of the others never gives the reason of a failed
 * charge.
 */

const ZONE = "Asia/Seoul";
const FROM = Date.UTC(2025, 2, 1);
const UNTIL = Date.UTC(2026, 1, 28);

const WHEN = [
  [{ monthDays: [25] }, 5],
  [{ monthDays: [10] }, 3],
  [{ monthDays: [31] }, 2],
];

export default {
  name: "silent callers",
  *generate(rng, n) {
    for (const failedAt of instants(rng, n, FROM, UNTIL)) {
      const wages = { country: "KR", zone: ZONE, when: oneOf(rng, WHEN), hour: between(rng, 0, 12) };
      const broke = rng() < 0.2;
      const spans = broke
        ? []
        : funds(rng, wages, failedAt, { lasts: between(rng, 1, 8), topUpEvery: 20, topUpLasts: 1 });
      const reports = oneOf(rng, [
        ["NEVER", 12],
        ["FOR_A_WHILE", 10],
        ["ALWAYS", 38],
      ]);
      const silentFrom =
        reports === "NEVER" ? failedAt : reports === "FOR_A_WHILE" ? failedAt + waiting(rng, 8 * DAY_MS) : Infinity;
      const short = rng() < 1 / 3 ? {} : { code: "51", message: "잔액부족" };
      // A caller that does not charge cannot be paid.
      const charged = spans
        .map(({ from, until }) => ({ from, until: Math.min(until, silentFrom) }))
        .filter(({ from, until }) => until > from);
      yield {
        failedAt: new Date(failedAt),
        amount: price(rng, 12_000, 100),
        currency: "KRW",
        country: "KR",
        timeZone: ZONE,
        gateway: "PROVIDER_06",
        payerId: `silent-${Math.floor(rng() * n)}`,
        ...short,
        ...(silentFrom < Infinity && { silentFrom: new Date(Math.ceil(silentFrom)) }),
        ...answers(charged, { without: () => short }),
      };
    }
  },
};
