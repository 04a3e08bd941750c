import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { FakeStripe } from "../support/fake-stripe/fake-stripe.ts";
import { FakeToss } from "../support/fake-toss/fake-toss.ts";
import { commandsOn, faultsOf } from "./command-line.ts";

const stripe = await FakeStripe.start(() => new Date());
const toss = await FakeToss.start();
afterAll(() => Promise.all([stripe.close(), toss.close()]));
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
  expect(ended.code).toBe(2);
  expect(faultsOf(ended)).toEqual(["STRIPE_TEST_KEY must be a test key: sk_test_… or rk_test_…."]);
});

test("gateway:verify fails with the service's answer when it refuses the key", async () => {
  const { code, err } = await verifyWith("sk_test_revoked0123456789");
  expect(code).toBe(1);
  expect(err).toContain("Invalid API Key");
});

describe("gateway:verify of Toss Payments", () => {
  const TOSS_TEST_KEY = [...toss.keys][0]!;
  const verifyToss = (environment: Record<string, string>) =>
    commandsOn({ TOSS_API_URL: toss.url, ...environment }).gatewayVerify();

  test("passes each check against the stand-in: windows without a card, charges too with one", async () => {
    const { customerKey, billingKey } = toss.addBillingKey("APPROVES");
    const withoutCard = await verifyToss({ TOSS_TEST_KEY });
    const withCard = await verifyToss({ TOSS_TEST_KEY, TOSS_TEST_TOKEN: `${customerKey}/${billingKey}` });
    for (const [{ code, out }, count] of [
      [withoutCard, 7],
      [withCard, 17],
    ] as const) {
      expect(out.split("\n").filter((line) => !line.startsWith("ok: "))).toEqual([""]);
      expect([code, out.trimEnd().split("\n").length]).toEqual([0, count]);
    }
  });

  test("refuses keys that charge real money, and no keys at all", async () => {
    expect(faultsOf(await verifyToss({ TOSS_TEST_KEY: "live_sk_recoup0123456789" }))).toEqual([
      "TOSS_TEST_KEY must be a test key: test_sk_….",
    ]);
    expect(faultsOf(await verifyToss({}))).toEqual(["STRIPE_TEST_KEY or TOSS_TEST_KEY must be set."]);
  });

  test("fails with the service's answer when it refuses the key", async () => {
    const { code, out } = await verifyToss({ TOSS_TEST_KEY: "test_sk_revoked0123456789" });
    expect(code).toBe(1);
    expect(out).toContain("UNAUTHORIZED_KEY");
  });
});
