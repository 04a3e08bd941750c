import { localTime } from "./support/local-clock.mjs";
import { between, hourly, instants, oneOf, price } from "./support/random-draws.mjs";
import { answers, funds } from "./support/account-funds.mjs";

/*
 * Debit cards on wage accounts in Korea. Most employers pay on the 25th, the 10th or the last day, on the bank day
 * before if that is a holiday; the money lasts for some days. Around midnight the banks close their books for a short
 * time and answer nobody.
 */

const ZONE = "Asia/Seoul";
const FROM = Date.UTC(2025, 2, 1);
const UNTIL = Date.UTC(2026, 1, 28);

const monthDays = [
  [[25], 42],
  [[10], 20],
  [[31], 14],
  [[21], 9],
  [[15], 8],
  [[5], 7],
];

/** Without the money, an account answers by the balance, in the words that gateways use. */
const SHORT = [
  [{ code: "51", message: "잔액부족" }, 70],
  [{ message: "잔액이 부족합니다" }, 18],
  [{ code: "05", message: "승인거절" }, 12],
];
const BOOKS = { code: "91", message: "은행 시스템 점검" };

export default {
  name: "salary days, Korea",
  *generate(rng, n) {
    for (const failedAt of instants(rng, n, FROM, UNTIL)) {
      const wages = {
        country: "KR",
        zone: ZONE,
        when: { monthDays: oneOf(rng, monthDays) },
        hour: oneOf(rng, [
          [between(rng, 0.6, 2), 3],
          [between(rng, 8, 11), 5],
          [between(rng, 13, 16), 2],
        ]),
      };
      const broke = rng() < 0.22;
      const spans = broke
        ? []
        : funds(rng, wages, failedAt, { lasts: between(rng, 1, 7), topUpEvery: 24, topUpLasts: 1.2 });
      const short = oneOf(rng, SHORT);
      const wary = hourly(rng(), 0.06);
      yield {
        failedAt: new Date(failedAt),
        amount: price(rng, 16_000, 100),
        currency: "KRW",
        country: "KR",
        timeZone: ZONE,
        gateway: oneOf(rng, [
          ["PROVIDER_01", 6],
          ["PROVIDER_02", 3],
          ["PROVIDER_03", 1],
        ]),
        network: oneOf(rng, [
          ["OTHER", 6],
          ["VISA", 2],
          ["MASTERCARD", 2],
        ]),
        payerId: `kr-${Math.floor(rng() * n * 0.8)}`,
        ...short,
        ...answers(spans, {
          without: () => short,
          refuses(ms) {
            const { hour } = localTime(ZONE, ms);
            if (hour < 0.5 || hour >= 23.5) return BOOKS;
            return wary(ms) ? { code: "05", message: "승인거절" } : null;
          },
        }),
      };
    }
  },
};
