import { DAY_MS } from "./support/local-clock.mjs";
import { between, hourly, instants, oneOf, price, waiting } from "./support/random-draws.mjs";
import { answers, funds } from "./support/account-funds.mjs";

/*
 * A shop with customers in four countries. One network sends advice with its declines: when to retry, or never. Some
 * cards are lost, expired or suspected of fraud; some of their holders bring a new one.
 */

const FROM = Date.UTC(2025, 2, 1);
const UNTIL = Date.UTC(2026, 1, 28);
const HOUR_MS = 3_600_000;

const PLACES = [
  [
    {
      country: "US",
      timeZone: "America/New_York",
      currency: "USD",
      typical: 20,
      step: 1,
      wages: { monthDays: [15, 31] },
    },
    4,
  ],
  [{ country: "GB", timeZone: "Europe/London", currency: "GBP", typical: 15, step: 1, wages: { monthDays: [28] } }, 2],
  [{ country: "DE", timeZone: "Europe/Berlin", currency: "EUR", typical: 18, step: 1, wages: { monthDays: [31] } }, 2],
  [
    { country: "KR", timeZone: "Asia/Seoul", currency: "KRW", typical: 18_000, step: 100, wages: { monthDays: [25] } },
    2,
  ],
];

const NETWORKS = [
  ["VISA", 40],
  ["MASTERCARD", 35],
  ["AMEX", 8],
  ["OTHER", 5],
  [undefined, 12],
];

/**
 * The cause: `lost` for good, `expired` until there is a new card, `asks` for the payer, `fraud`, or merely `short`.
 */
const WRONG = [
  ["short", 66],
  ["refused", 10],
  ["fraud", 3],
  ["restricted", 3],
  ["lost", 8],
  ["expired", 7],
  ["asks", 3],
];

const SAID = {
  short: { code: "51", message: "Insufficient funds" },
  refused: { code: "05", message: "Do not honor" },
  fraud: { code: "59", message: "Suspected fraud" },
  restricted: { code: "62", message: "Restricted card" },
  expired: { code: "54", message: "Expired card" },
  asks: { code: "1A", message: "Authentication required" },
};
const GONE = [
  [{ code: "41", message: "Lost card" }, 2],
  [{ code: "43", message: "Stolen card" }, 1],
  [{ code: "14", message: "Invalid card number" }, 2],
  [{ code: "46", message: "Closed account" }, 3],
];
const DELAYS = [
  [1, "24"],
  [24, "25"],
  [48, "26"],
  [96, "27"],
  [144, "28"],
  [192, "29"],
  [240, "30"],
];

/** The advice of a network that knows when money comes to its accounts, and errs by a step at times. */
function adviceOn(wrong, spans, ms, errs) {
  if (wrong === "lost") return errs(ms) ? "21" : "03";
  if (wrong === "expired") return "01";
  if (wrong !== "short") return "02";
  const next = spans.find(({ until }) => until > ms);
  const hours = next ? Math.max(0, next.from - ms) / HOUR_MS : 72;
  const fitting = DELAYS.findLastIndex(([delay]) => delay <= hours);
  return DELAYS[Math.max(0, fitting - (errs(ms) ? 1 : 0))][1];
}

/**
 * Banks of Europe are assumed to close like those of the country whose holidays are known: only the weekends count
 * here.
 */
const wagesOf = ({ country, timeZone, wages }, hour) => ({
  country: country === "KR" ? "KR" : "US",
  zone: timeZone,
  when: wages,
  hour,
});

export default {
  name: "mixed networks",
  *generate(rng, n) {
    for (const failedAt of instants(rng, n, FROM, UNTIL)) {
      const place = oneOf(rng, PLACES);
      const network = oneOf(rng, NETWORKS);
      const wrong = oneOf(rng, WRONG);
      const all = funds(rng, wagesOf(place, between(rng, 1, 9)), failedAt, {
        lasts: between(rng, 1, 7),
        topUpEvery: 18,
        topUpLasts: 1,
      });
      const changedAt = failedAt + waiting(rng, 9 * DAY_MS);
      const changes = (wrong === "expired" || wrong === "asks") && rng() < 0.5;
      const never = wrong === "lost" || (wrong === "expired" && !changes) || rng() < 0.2;
      const from = changes ? changedAt : failedAt + (wrong === "restricted" ? 3 * DAY_MS : 0);
      const spans = never
        ? []
        : all.map((span) => ({ ...span, from: Math.max(span.from, from) })).filter((span) => span.until > span.from);
      const gone = oneOf(rng, GONE);
      const errs = hourly(rng(), 0.15);
      const refused = hourly(rng(), 0.08);
      const said = (ms) => {
        const now = changes && ms >= changedAt ? "short" : wrong;
        const decline = now === "lost" ? gone : SAID[now];
        return network === "MASTERCARD" ? { ...decline, adviceCode: adviceOn(now, spans, ms, errs) } : decline;
      };
      yield {
        failedAt: new Date(failedAt),
        amount: price(rng, place.typical, place.step),
        currency: place.currency,
        country: place.country,
        timeZone: place.timeZone,
        gateway: "PROVIDER_09",
        ...(network && { network }),
        payerId: `mixed-${Math.floor(rng() * n)}`,
        ...said(failedAt),
        ...(changes && { methodChangedAt: [new Date(Math.ceil(changedAt))] }),
        ...answers(spans, { without: said, refuses: (ms) => (refused(ms) ? SAID.refused : null) }),
      };
    }
  },
};
