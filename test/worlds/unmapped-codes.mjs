import { between, hourly, instants, oneOf, price } from "./support/random-draws.mjs";
import { answers, funds } from "./support/account-funds.mjs";

/*
 * A gateway with its own codes, which no list has, and vague messages. Most of them mean an empty account, one an
 * account that is closed for good, one an outage of the issuer; sometimes there is no message at all.
 */

const ZONE = "Asia/Seoul";
const FROM = Date.UTC(2025, 2, 1);
const UNTIL = Date.UTC(2026, 1, 28);

const WORDS = [
  [{ code: "E1203", message: "카드사에 문의하세요" }, 40],
  [{ code: "E1207", message: "승인 불가" }, 25],
  [{ code: "X-77" }, 12],
  [{ message: "approval denied by acquirer (77)" }, 8],
  [{}, 8],
  [{ code: "E4001", message: "이용 불가 계좌" }, 7],
];

export default {
  name: "unmapped codes",
  *generate(rng, n) {
    for (const failedAt of instants(rng, n, FROM, UNTIL)) {
      const said = oneOf(rng, WORDS);
      const wages = {
        country: "KR",
        zone: ZONE,
        when: {
          monthDays: oneOf(rng, [
            [[25], 5],
            [[10], 3],
            [[15], 2],
          ]),
        },
        hour: between(rng, 0, 11),
      };
      const broke = said.code === "E4001" || rng() < 0.2;
      const spans = broke
        ? []
        : funds(rng, wages, failedAt, { lasts: between(rng, 1, 7), topUpEvery: 20, topUpLasts: 1.2 });
      const paused = hourly(rng(), 0.07);
      yield {
        failedAt: new Date(failedAt),
        amount: price(rng, 9_900, 100),
        currency: "KRW",
        country: "KR",
        timeZone: ZONE,
        gateway: "PROVIDER_08",
        ...(rng() < 0.5 && { network: rng() < 0.6 ? "VISA" : "MASTERCARD" }),
        payerId: `own-${Math.floor(rng() * n)}`,
        ...said,
        ...answers(spans, { without: () => said, refuses: (ms) => (paused(ms) ? { code: "X-91" } : null) }),
      };
    }
  },
};
