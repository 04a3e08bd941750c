import { between, hourly, instants, oneOf, price } from "./support/random-draws.mjs";
import { answers, funds } from "./support/account-funds.mjs";
import { localTime } from "./support/local-clock.mjs";

/*
 * Learned data gets out of date. Over the year wages move from the 25th, in the morning, to the 10th, in the evening;
 * the issuers change from specific reasons to general refusals, and decline more in the mornings.
 */

const ZONE = "Asia/Seoul";
const FROM = Date.UTC(2025, 2, 1);
const UNTIL = Date.UTC(2026, 1, 28);

const SHORT = { code: "51", message: "Insufficient funds" };
const REFUSED = { code: "05", message: "Do not honor" };

export default {
  name: "drifting law",
  *generate(rng, n) {
    for (const failedAt of instants(rng, n, FROM, UNTIL)) {
      const passed = (failedAt - FROM) / (UNTIL - FROM);
      const late = rng() < passed;
      const wages = {
        country: "KR",
        zone: ZONE,
        when: { monthDays: rng() < 0.2 ? [5] : late ? [10] : [25] },
        hour: late ? between(rng, 17, 20) : between(rng, 7, 10),
      };
      const broke = rng() < 0.25;
      const spans = broke
        ? []
        : funds(rng, wages, failedAt, { lasts: between(rng, 1, 6), topUpEvery: 22, topUpLasts: 1 });
      const short = rng() < 0.1 + 0.6 * passed ? REFUSED : SHORT;
      const wary = hourly(rng(), 0.4 * passed);
      yield {
        failedAt: new Date(failedAt),
        amount: price(rng, 14_900, 100),
        currency: "KRW",
        country: "KR",
        timeZone: ZONE,
        gateway: "PROVIDER_05",
        network: oneOf(rng, [
          ["VISA", 1],
          ["MASTERCARD", 1],
        ]),
        payerId: `drift-${Math.floor(rng() * n * 0.8)}`,
        ...short,
        ...answers(spans, {
          without: () => short,
          refuses: (ms) => (localTime(ZONE, ms).hour < 12 && wary(ms) ? REFUSED : null),
        }),
      };
    }
  },
};
