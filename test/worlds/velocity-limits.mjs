import { dayAfter, DAY_MS, instantOf, localTime } from "./support/local-clock.mjs";
import { between, instants, oneOf, price } from "./support/random-draws.mjs";
import { answers, HORIZON_MS } from "./support/account-funds.mjs";

/*
 * Limits of cards. A daily one is free from midnight until its holder goes shopping; a monthly one from the day of the
 * card's bill until it is used up. Issuers also count attempts: the fourth within seven days, and each one after it, is
 * refused for its frequency.
 */

const ZONE = "Asia/Seoul";
const FROM = Date.UTC(2025, 2, 1);
const UNTIL = Date.UTC(2026, 1, 28);
const TRIES = 3;

const LIMIT = { code: "61", message: "한도초과" };
const FREQUENCY = { code: "65", message: "이용횟수 한도초과" };

/** Each day from midnight to the hour of shopping, except days on which more is bought than the limit allows. */
function daily(rng, failedAt) {
  const shops = between(rng, 9, 20);
  const found = [];
  for (
    let day = dayAfter(localTime(ZONE, failedAt));
    instantOf(ZONE, day, 0) < failedAt + HORIZON_MS;
    day = dayAfter(day)
  )
    if (rng() < 0.35)
      found.push({ from: instantOf(ZONE, day, 0), until: instantOf(ZONE, day, shops + between(rng, -3, 3)) });
  return found;
}

/** From the day of the bill, for as long as the month's limit lasts. */
function monthly(rng, failedAt) {
  const billed = 1 + Math.floor(rng() * 27);
  const here = localTime(ZONE, failedAt);
  return [0, 1]
    .map((months) =>
      instantOf(ZONE, { ...dayAfter({ year: here.year, month: here.month + months, day: billed }, 0) }, 0),
    )
    .filter((from) => from > failedAt)
    .map((from) => ({ from, until: from + between(rng, 2, 20) * DAY_MS }));
}

/** The same answers, from an issuer that counts attempts. */
function tiring({ attempt, firstPayableAt }, failedAt) {
  const asked = [failedAt];
  return {
    attempt(at) {
      const lately = asked.filter((before) => before > at.getTime() - 7 * DAY_MS).length;
      asked.push(at.getTime());
      return lately >= TRIES ? { approved: false, ...FREQUENCY } : attempt(at);
    },
    // A policy that knows the time needs only one retry.
    firstPayableAt,
  };
}

export default {
  name: "velocity limits",
  *generate(rng, n) {
    for (const failedAt of instants(rng, n, FROM, UNTIL)) {
      const kind = oneOf(rng, [
        [daily, 5],
        [monthly, 4],
        [() => [], 1],
      ]);
      yield {
        failedAt: new Date(failedAt),
        amount: price(rng, 42_000, 500),
        currency: "KRW",
        country: "KR",
        timeZone: ZONE,
        gateway: "PROVIDER_04",
        network: oneOf(rng, [
          ["VISA", 4],
          ["MASTERCARD", 3],
          ["OTHER", 3],
        ]),
        payerId: `limit-${Math.floor(rng() * n)}`,
        ...LIMIT,
        ...tiring(answers(kind(rng, failedAt), { without: () => LIMIT }), failedAt),
      };
    }
  },
};
