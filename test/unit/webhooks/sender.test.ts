import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { sendWebhook } from "../../../src/webhooks/webhook-sender.ts";

const message = { url: "https://169.254.169.254/latest", headers: {}, body: "{}" };
const rules = { allowsHttp: true, allowsPrivate: true };

test("a message leaves nothing at the signal of the process", async () => {
  const { signal } = new AbortController();
  const answers = await Promise.all(Array.from({ length: 5 }, () => sendWebhook({ ...message, rules }, signal)));
  for (const answer of answers)
    expect(answer).toMatchObject({ status: null, error: expect.stringMatching(/never allowed/) });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a message is not sent when the process is stopping", async () => {
  await expect(sendWebhook({ ...message, rules }, AbortSignal.abort())).rejects.toThrow("aborted");
});
