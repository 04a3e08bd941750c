import { expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { nextAttemptAt } from "../../../src/webhooks/webhook.schedule.ts";
import { generateWebhookSecret, signatureHeaders } from "../../../src/webhooks/webhook.signature.ts";

const start = new Date("2026-03-01T00:00:00Z");

/** The pauses of a delivery that never succeeds, in seconds. */
function pausesOf(chance: number): number[] {
  const pauses: number[] = [];
  for (let failedAt = start, attempts = 1; ; attempts++) {
    const next = nextAttemptAt({ attempts, firstAttemptAt: start, failedAt }, chance);
    if (!next) return pauses;
    pauses.push((next.getTime() - failedAt.getTime()) / 1000);
    failedAt = next;
  }
}

test("a delivery is attempted after 1, 5, 20 and 60 seconds, 5 and 30 minutes, then at growing hours for three days", () => {
  const pauses = pausesOf(0);
  expect(pauses.slice(0, 11)).toEqual([1, 5, 20, 60, 300, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200]);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(72 * 3600);
});

test("jitter makes a pause longer by a fifth at most, and the last attempt no later than after three days", () => {
  const [without, most] = [pausesOf(0), pausesOf(1)];
  expect(most.slice(0, 10)).toEqual(without.slice(0, 10).map((pause) => pause * 1.2));
  expect(most.reduce((sum, pause) => sum + pause, 0)).toBe(72 * 3600);
});

test("the public library verifies a message by either of two secrets, and refuses a changed one", () => {
  const [secret, previous] = [generateWebhookSecret(), generateWebhookSecret()];
  const body = JSON.stringify({ type: "order.paid", name: "김서연" });
  const headers = signatureHeaders({ id: "evt_1", sentAt: new Date(), body }, [secret, previous]);
  for (const key of [secret, previous]) expect(new Webhook(key).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow("No matching signature");
  expect(() => new Webhook(generateWebhookSecret()).verify(body, headers)).toThrow("No matching signature");
});
