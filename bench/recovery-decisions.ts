import { toAmount } from "../src/kernel/amounts.ts";
import { zoneRulesAround } from "../src/kernel/zone-rules.ts";
import type { CaseAttempt, RecoveryCase } from "../src/recovery/engine/recovery-case.ts";
import { decideRetry } from "../src/recovery/engine/decide-retry.ts";
import { defaultPolicy, createPolicy } from "../src/recovery/engine/policy.ts";
import { currentRulebook } from "../src/recovery/engine/rulebook.ts";
import { publishedModel } from "../src/recovery/models/published-prior.ts";

/*
 * `npm run bench:decide`: the time of one decision on one core, over cases of one to twelve attempts under each type of
 * policy, SMART with the published model, with and without the lookup of the payer's local time.
 */

const DECISIONS = 100_000;
const HOUR_MS = 3_600_000;
const zones = ["Asia/Seoul", "America/New_York", "Europe/Berlin"];
const declineCodes = ["51", "61", "05", "91", "59", "62", "Q7", null];
const quietHours = { from: 22 * 60, until: 8 * 60 };
const policies = [
  defaultPolicy,
  createPolicy("even-8", { kind: "EVEN", tries: 8, windowInDays: 28 }, { quietHours }),
  createPolicy("smart-4", { kind: "SMART", tries: 4, windowInDays: 28 }),
  createPolicy("smart-8", { kind: "SMART", tries: 8, windowInDays: 28 }),
];

const windowStartOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * HOUR_MS);

function recoveryCaseOf(number: number): RecoveryCase {
  const windowStart = windowStartOf(number % 9_000);
  const attempts = Array.from({ length: 1 + (number % 12) }, (_, index): CaseAttempt => ({
    at: new Date(windowStart.getTime() + index * 5 * HOUR_MS),
    code: declineCodes[(number + index) % declineCodes.length]!,
    message: null,
    adviceCode: number % 5 ? null : "24",
    network: number % 3 ? null : "MASTERCARD",
    initiator: "MERCHANT",
  }));
  return {
    amount: toAmount(18_900),
    currency: "KRW",
    country: "KR",
    gateway: "UNKNOWN",
    paymentMethod: null,
    zone: zoneRulesAround(zones[number % zones.length]!, windowStart),
    windowStart,
    attempts,
    alongside: [],
    events: [],
    promised: null,
    due: null,
    used: null,
  };
}

function measure(name: string, work: (number: number) => void): void {
  for (let number = 0; number < 5_000; number++) work(number);
  const durations = new Float64Array(DECISIONS);
  for (let number = 0; number < DECISIONS; number++) {
    const started = performance.now();
    work(number);
    durations[number] = performance.now() - started;
  }
  durations.sort();
  const [median, p99] = [durations[DECISIONS / 2]!, durations[Math.floor(DECISIONS * 0.99)]!];
  console.log(`${name.padEnd(34)} median ${median.toFixed(4)} ms  p99 ${p99.toFixed(4)} ms`);
}

const recoveryCases = Array.from({ length: 1_000 }, (_, number) => recoveryCaseOf(number));
console.log(`${DECISIONS} decisions each, one core; Node ${process.version}`);
for (const policy of policies)
  measure(`decide, ${policy.version}`, (number) => {
    const facts = recoveryCases[number % recoveryCases.length]!;
    decideRetry(facts, policy, currentRulebook, publishedModel(), facts.attempts.at(-1)!.at);
  });
measure("the clocks of a zone", (number) => {
  zoneRulesAround(zones[number % zones.length]!, windowStartOf(number % 9_000));
});
