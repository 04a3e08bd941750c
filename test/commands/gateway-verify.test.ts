import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { FakeStripe } from "../support/fake-stripe/fake-stripe.ts";
import { commandsOn, faultsOf } from "./command-line.ts";

const stripe = await FakeStripe.start(() => new Date());
afterAll(() => stripe.close());
beforeAll(buildOnce);

const verifyWith = (key: string, ...words: string[]) =>
  commandsOn({ STRIPE_API_URL: stripe.url, STRIPE_TEST_KEY: key }).gatewayVerify(...words);

test("gateway:verify passes each check against the stand-in", async () => {
  const { code, out } = await verifyWith([...stripe.keys][0]!);
  expect(out.split("\n").filter((line) => !line.startsWith("ok: "))).toEqual([""]);
  expect([code, out.trimEnd().split("\n").length]).toEqual([0, 14]);
});

test("gateway:verify refuses keys that charge real money, and prints none", async () => {
  const ended = await verifyWith("sk_live_recoup0123456789");
  expect(ended.code).toBe(1);
  expect(faultsOf(ended)).toEqual(["STRIPE_TEST_KEY must be a test key: sk_test_… or rk_test_…."]);
});

test("gateway:verify fails with the service's answer when it refuses the key", async () => {
  const { code, err } = await verifyWith("sk_test_revoked0123456789");
  expect(code).toBe(1);
  expect(err).toContain("Invalid API Key");
});
