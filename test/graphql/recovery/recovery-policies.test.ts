import { beforeEach, describe, expect, test } from "vitest";
import { sendMutation, runMutation, createCoverOrder, createCoverFixture } from "../../support/cover-mutations.ts";
import { createTestChild } from "../../support/fixtures/child-vendors.ts";
import { publishedModel } from "../../../src/recovery/models/published-prior.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });

let shop: CoverFixture;
let own: RequestOptions;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  own = { token: (await gateway.openVendor({ zoneId: "UTC" })).token };
  shop = await createCoverFixture(gateway, {}, own);
});

const EVEN = { plan: { kind: "EVEN", maxRetries: 4, windowInDays: 28 } };
const day = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString();

/** Proposes a policy and activates it. Returns its number. */
async function inForce(terms: object, options = own): Promise<number> {
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, options);
  await runMutation(gateway, "activateRecoveryPolicy", { policyId: policy.databaseId }, undefined, options);
  return policy.databaseId;
}

const COVER =
  "cover { databaseId retryDate endReason policy { version plan { kind maxRetries windowInDays } } decision { alternatives policyVersion } }";
const failed = async (rest: object = {}, options = own, at = shop) => {
  const { databaseId } = await createCoverOrder(
    gateway,
    at,
    { paymentFailed: true, errorCode: "51", ...rest },
    options,
  );
  const query = `query ($id: ID!) { coverOrder(id: $id) { ${COVER} } }` as const;
  return {
    orderId: databaseId,
    ...(await gateway.queryData(query, { id: databaseId }, options)).coverOrder!.cover!,
  };
};
const again = async (orderId: number, rest: object = {}) =>
  (
    await runMutation(
      gateway,
      "startRecovery",
      { orderId, subscriptionId: shop.subscriptionId, errorCode: "51", ...rest },
      COVER,
      own,
    )
  ).cover;
const policyOf = async (options = own) =>
  (
    await gateway.queryData(
      "{ recoveryPolicy { origin terms { version plan { kind offsetsInDays maxRetries windowInDays } finalAction } } }",
      {},
      options,
    )
  ).recoveryPolicy;

describe("the active policy", () => {
  test("is the default until a vendor activates one, and again once that is retired", async () => {
    const standard = {
      origin: "DEFAULT",
      terms: {
        version: "ladder-1-3-5-10-14",
        plan: { kind: "LADDER", offsetsInDays: [1, 3, 5, 10, 14], maxRetries: 5, windowInDays: 14 },
        finalAction: null,
      },
    };
    expect(await policyOf()).toEqual(standard);
    const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms: EVEN }, undefined, own);
    expect([policy.state, await policyOf()]).toEqual(["PROPOSED", standard]);
    await runMutation(gateway, "activateRecoveryPolicy", { policyId: policy.databaseId }, undefined, own);
    expect(await policyOf()).toMatchObject({ origin: "OWN", terms: { version: `policy-${policy.databaseId}` } });
    expect((await failed()).retryDate).toBe(day(7));
    await runMutation(gateway, "retireRecoveryPolicy", { policyId: policy.databaseId }, undefined, own);
    expect(await policyOf()).toEqual(standard);
    expect((await failed()).retryDate).toBe(day(1));
  });

  test("is one at a time: the newer retires the older, and both are listed", async () => {
    const [first, second] = [
      await inForce(EVEN),
      await inForce({ plan: { kind: "SMART", maxRetries: 8, windowInDays: 28 }, exploration: { share: 0 } }),
    ];
    const { recoveryPolicies } = await gateway.queryData(
      "{ recoveryPolicies { nodes { databaseId state retiredAt } } }",
      {},
      own,
    );
    expect(recoveryPolicies.nodes).toEqual([
      { databaseId: second, state: "ACTIVE", retiredAt: null },
      { databaseId: first, state: "RETIRED", retiredAt: NOW },
    ]);
    expect((await failed()).retryDate).toBe(day(3.5));
  });

  test("does not affect covers in progress, which continue with their first policy", async () => {
    const before = await failed();
    const policyId = await inForce(EVEN);
    gateway.clock.setTo(day(1));
    const after = await again(before.orderId);
    expect([before.policy.version, after.policy, after.retryDate]).toEqual([
      "ladder-1-3-5-10-14",
      { version: "ladder-1-3-5-10-14", plan: { kind: "LADDER", maxRetries: 5, windowInDays: 14 } },
      day(3),
    ]);
    gateway.clock.setTo(NOW);
    const mine = await failed();
    await inForce({ plan: { kind: "LADDER", offsetsInDays: [2] } });
    gateway.clock.setTo(day(7));
    expect(await again(mine.orderId)).toMatchObject({ retryDate: day(14), policy: { version: `policy-${policyId}` } });
  });

  test("is inherited by children that have none of their own", async () => {
    const policyId = await inForce(EVEN);
    const { token } = await createTestChild(gateway, {}, own);
    expect(await policyOf({ token })).toMatchObject({ origin: "PARENT", terms: { version: `policy-${policyId}` } });
    const childShop = await createCoverFixture(gateway, {}, { token });
    expect((await failed({}, { token }, childShop)).retryDate).toBe(day(7));
    await inForce({ plan: { kind: "LADDER", offsetsInDays: [2] } }, { token });
    expect((await policyOf({ token })).origin).toBe("OWN");
    expect((await failed({}, { token }, childShop)).retryDate).toBe(day(2));
  });
});

describe("terms", () => {
  test.each([
    [{ plan: { kind: "LADDER" } }, ["terms.plan.offsetsInDays"]],
    [{ plan: { kind: "LADDER", offsetsInDays: [3, 3] } }, ["terms.plan.offsetsInDays"]],
    [{ plan: { kind: "LADDER", offsetsInDays: [91] } }, ["terms.plan.offsetsInDays"]],
    [{ plan: { kind: "LADDER", offsetsInDays: [1], maxRetries: 2 } }, ["terms.plan.maxRetries"]],
    [{ plan: { kind: "EVEN" } }, ["terms.plan.maxRetries", "terms.plan.windowInDays"]],
    [
      { plan: { kind: "SMART", maxRetries: 61, windowInDays: 91, offsetsInDays: [1] } },
      ["terms.plan.offsetsInDays", "terms.plan.maxRetries", "terms.plan.windowInDays"],
    ],
    [{ ...EVEN, quietFrom: "22:00" }, ["terms.quietUntil"]],
    [{ ...EVEN, quietFrom: "25:00", quietUntil: "8" }, ["terms.quietFrom", "terms.quietUntil"]],
    [{ ...EVEN, quietFrom: "08:00", quietUntil: "08:00" }, ["terms.quietUntil"]],
    [{ ...EVEN, model: "auto" }, ["terms.model"]],
    [{ ...EVEN, overrides: [{}] }, ["terms.overrides[0]", "terms.overrides[0]"]],
    [
      { ...EVEN, overrides: [{ country: "DE", plan: { kind: "EVEN" } }] },
      ["terms.overrides[0].plan.maxRetries", "terms.overrides[0].plan.windowInDays"],
    ],
  ])("%j are refused when they are invalid", async (terms, paths) => {
    const { errors } = await sendMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, own);
    expect(errors![0]!.extensions.details!.fields!.map(({ path }) => path)).toEqual(
      paths.map((path) => `input.${path}`),
    );
  });

  test("have overrides by country, payment method and reason, and quiet hours in the payer's zone", async () => {
    await inForce({
      ...EVEN,
      quietFrom: "09:00",
      quietUntil: "12:15",
      overrides: [
        { paymentMethod: "CMS", plan: { kind: "LADDER", offsetsInDays: [5] } },
        { reasonClass: "GENERIC_REFUSAL", quietFrom: "01:00", quietUntil: "02:00" },
      ],
    });
    expect((await failed()).retryDate).toBe("2026-03-08T12:15:00.000Z");
    expect((await failed({ paymentMethod: "CMS" })).retryDate).toBe("2026-03-06T12:15:00.000Z");
    expect((await failed({ errorCode: "05" })).retryDate).toBe(day(7));
  });

  test("name the model: the one in force, none, or one that exists", async () => {
    const smart = { plan: { kind: "SMART", maxRetries: 8, windowInDays: 28 } };
    const decided = "decision { modelVersion effects { kind by fallbackReason } explanation }";
    const decisionUnder = async (model?: string) => {
      await inForce({ ...smart, model });
      const { orderId } = await failed();
      const { coverOrder } = await gateway.queryRawData(
        `{ coverOrder(id: ${orderId}) { cover { policy { model } ${decided} } } }`,
        {},
        own,
      );
      return coverOrder.cover;
    };
    const version = publishedModel().version;
    expect(await decisionUnder()).toMatchObject({ policy: { model: "AUTO" }, decision: { modelVersion: version } });
    expect(await decisionUnder(version)).toMatchObject({
      policy: { model: version },
      decision: { modelVersion: version },
    });
    const { decision, policy } = await decisionUnder("OFF");
    expect([policy.model, decision.modelVersion]).toEqual(["OFF", null]);
    expect(decision.effects).toContainEqual({ kind: "FALLBACK", by: "EVEN", fallbackReason: "OFF" });
    expect(decision.explanation).toContain("because the policy uses no model");
    const unknown = { ...smart, model: "0123456789abcdef" };
    const refusal = { extensions: { code: "MODEL_NOT_FOUND" } };
    const proposed = await sendMutation(gateway, "proposeRecoveryPolicy", { terms: unknown }, undefined, own);
    const previewed = await gateway.sendRawGraphQL(
      "query ($terms: RecoveryTermsInput!) { previewRecoverySchedule(input: { terms: $terms }) { cost } }",
      { terms: unknown },
      own,
    );
    expect([proposed.errors, previewed.errors]).toMatchObject([[refusal], [refusal]]);
  });

  test("end a subscription by the final action after the last retry", async () => {
    const status = async () =>
      (
        await gateway.queryRawData(
          `{ coverSubscription(id: ${shop.subscriptionId}) { status timeline { nodes { type } } } }`,
          {},
          own,
        )
      ).coverSubscription;
    for (const [finalAction, expected, event] of [
      ["PAUSE", "PAUSE", "SUBSCRIPTION_PAUSED"],
      ["EXPIRE", "EXPIRED", "SUBSCRIPTION_EXPIRED"],
      ["CANCEL", "CANCELED", "SUBSCRIPTION_CANCELED"],
      ["KEEP", "ACTIVE", "COVER_EXHAUSTED"],
    ]) {
      gateway.clock.setTo(NOW);
      shop = await createCoverFixture(gateway, {}, own);
      await inForce({ plan: { kind: "LADDER", offsetsInDays: [1] }, finalAction });
      const { orderId } = await failed({ subscriptionId: shop.subscriptionId });
      expect((await status()).status).toBe("UNPAID");
      gateway.clock.setTo(day(1));
      expect(await again(orderId)).toMatchObject({ endReason: "NO_TRIES_LEFT" });
      const seen = await status();
      expect([seen.status, seen.timeline.nodes.at(-1).type]).toEqual([expected, event]);
      await runMutation(gateway, "activateCoverSubscription", { subscriptionId: shop.subscriptionId }, undefined, own);
      expect((await status()).status).toBe("ACTIVE");
    }
  });
});

describe("a preview", () => {
  const preview = async (input: object) =>
    (
      await gateway.queryData(
        "query ($input: PreviewRecoveryScheduleInput!) { previewRecoverySchedule(input: $input) { reasonClass endReason cost terms { plan { kind } } retries { number at ruleId explanation } } }",
        { input },
        own,
      )
    ).previewRecoverySchedule;

  test("shows the schedule of the active policy, before there is a cover", async () => {
    expect((await preview({ errorCode: "51" })).retries.map(({ at }: { at: string }) => at)).toEqual(
      [1, 3, 5, 10, 14].map(day),
    );
    await inForce(EVEN);
    const { retries, endReason, reasonClass } = await preview({ errorCode: "51" });
    expect(retries.map(({ at }: { at: string }) => at)).toEqual([7, 14, 21, 28].map(day));
    expect([endReason, reasonClass]).toEqual(["NO_TRIES_LEFT", "INSUFFICIENT_FUNDS"]);
  });

  test("evaluates proposed terms, with their price, the network's rules and the payer's local time", async () => {
    const terms = { plan: { kind: "LADDER", offsetsInDays: [1, 2] }, retryCost: "0.35" };
    const seen = await preview({
      terms,
      adviceCode: "26",
      network: "MASTERCARD",
      errorCode: "51",
      timeZone: "Asia/Seoul",
      language: "KOREAN",
    });
    expect(seen).toMatchObject({ cost: "0.35", terms: { plan: { kind: "LADDER" } }, endReason: "NO_TRIES_LEFT" });
    expect(seen.retries).toHaveLength(1);
    expect(seen.retries[0]).toMatchObject({ number: 1, at: day(2), ruleId: "mastercard-advice-26" });
  });

  test("and a cover under SMART end where no attempt recovers its cost", async () => {
    const smart = { plan: { kind: "SMART", maxRetries: 4, windowInDays: 28 }, exploration: { share: 0 } };
    await inForce({ ...smart, retryCost: "0.01" });
    expect((await failed()).endReason).toBeNull();
    await inForce({ ...smart, retryCost: "90000000" });
    expect(await failed()).toMatchObject({ retryDate: null, endReason: "NOT_WORTH_RETRYING" });
    const terms = { ...smart, retryCost: "90000000" };
    expect(await preview({ terms, errorCode: "51", amount: "100" })).toMatchObject({
      retries: [],
      endReason: "NOT_WORTH_RETRYING",
    });
  });

  test("reads a code as the vendor has mapped it, like the later cover", async () => {
    const strange = { errorCode: "q7", paymentGateway: "PROVIDER_03" };
    expect((await preview(strange)).reasonClass).toBe("UNKNOWN");
    await runMutation(gateway, "mapDeclineCode", { ...strange, reasonClass: "NEVER" }, undefined, own);
    expect(await preview(strange)).toMatchObject({ reasonClass: "NEVER", endReason: "MUST_NOT_RETRY", retries: [] });
  });

  test("of a decline that ends a scenario has no retries", async () => {
    expect(await preview({ errorCode: "41" })).toMatchObject({
      retries: [],
      endReason: "MUST_NOT_RETRY",
      reasonClass: "NEVER",
    });
    expect(
      (await gateway.sendGraphQL('{ previewRecoverySchedule(input: { policyId: "999999" }) { cost } }', {}, own))
        .errors,
    ).toMatchObject([{ extensions: { code: "POLICY_NOT_FOUND" } }]);
  });
});
