import { beforeEach, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { createCoverFixture, createCoverOrder, runMutation, sendMutation } from "../../support/cover-mutations.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";

/* Exploration of SMART in production: which covers draw their times, and what is stored of it. */

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });

let own: RequestOptions;
let shop: CoverFixture;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  own = { token: (await gateway.openVendor({ currency: "KRW" })).token };
  shop = await createCoverFixture(gateway, {}, own);
});

const smart = { plan: { kind: "SMART", maxRetries: 8, windowInDays: 28 } };

async function activate(terms: object): Promise<number> {
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, own);
  await runMutation(gateway, "activateRecoveryPolicy", { policyId: policy.databaseId }, undefined, own);
  return policy.databaseId;
}

const DECISION = "retryDate decision { id isExplored propensity considered { at } }";

async function firstDecision(rest: object = {}) {
  const order = await createCoverOrder(gateway, shop, { paymentFailed: true, errorCode: "51", ...rest }, own);
  const { coverOrder } = await gateway.queryRawData(
    `{ coverOrder(id: ${order.databaseId}) { cover { ${DECISION} } } }`,
    {},
    own,
  );
  return { orderId: order.databaseId, cover: coverOrder.cover, decision: coverOrder.cover.decision };
}

test("a cover of SMART explores by its share, in all its attempts, and each decision replays", async () => {
  await activate({ ...smart, exploration: { share: 1 } });
  const { orderId, decision, cover } = await firstDecision();
  expect(decision.isExplored).toBe(true);
  const options = Math.round(1 / decision.propensity);
  expect(decision.propensity).toBeCloseTo(1 / options, 5);
  expect(decision.considered.map(({ at }: { at: string }) => at)).toContain(cover.retryDate);
  gateway.clock.setTo(cover.retryDate);
  await runMutation(
    gateway,
    "startRecovery",
    { orderId, subscriptionId: shop.subscriptionId, errorCode: "51" },
    undefined,
    own,
  );
  const { coverOrder } = await gateway.queryRawData(
    `{ coverOrder(id: ${orderId}) { cover { ${DECISION} decisions(first: 5) { nodes { id isExplored } } } } }`,
    {},
    own,
  );
  expect(coverOrder.cover.decisions.nodes).toHaveLength(2);
  for (const { id, isExplored } of coverOrder.cover.decisions.nodes) {
    expect(isExplored).toBe(true);
    const replay = await gateway.queryRawData(`{ replayDecision(id: "${id}") { isReproduced differences } }`, {}, own);
    expect(replay.replayDecision).toEqual({ isReproduced: true, differences: [] });
  }
});

test("SMART explores a tenth of the covers by default, and stores how likely the chosen time was", async () => {
  const policyId = await activate(smart);
  const { recoveryPolicy } = await gateway.queryRawData(
    "{ recoveryPolicy { terms { exploration { share maxAmount currency } } } }",
    {},
    own,
  );
  expect(recoveryPolicy.terms.exploration).toEqual({ share: 0.1, maxAmount: null, currency: null });
  const { decision } = await firstDecision();
  if (decision.isExplored) expect(decision.propensity).toBeLessThan(1);
  else expect(decision.propensity).toBeGreaterThan(0.9);
  // A policy that was stored before there was exploration decides as it did.
  await gateway.database.handle.execute(
    sql`update recovery_policies set terms = terms - 'exploration' where id = ${policyId}`,
  );
  const without = (await firstDecision()).decision;
  expect([without.isExplored, without.propensity]).toEqual([false, 1]);
});

test("neither a larger amount than the limit, nor one of a preview, nor another plan explores", async () => {
  await activate({ ...smart, exploration: { share: 1, maxAmount: "18899.99" } });
  expect((await firstDecision()).decision).toMatchObject({ isExplored: false, propensity: 1 });
  await activate({ ...smart, exploration: { share: 1, maxAmount: "18900" } });
  const explored = await firstDecision();
  expect(explored.decision.isExplored).toBe(true);
  const preview = (exploration: object) =>
    gateway.queryRawData(
      'query ($terms: RecoveryTermsInput!) { previewRecoverySchedule(input: { terms: $terms, errorCode: "51" }) { retries { at } } }',
      { terms: { ...smart, exploration } },
      own,
    );
  expect(await preview({ share: 1 })).toEqual(await preview({ share: 0 }));
  await activate({ plan: { kind: "EVEN", maxRetries: 4, windowInDays: 28 }, exploration: { share: 1 } });
  expect((await firstDecision()).decision).toMatchObject({ isExplored: false, propensity: 1 });
  for (const exploration of [{ share: 1.01 }, { share: -0.1 }, { maxAmount: "-1" }]) {
    const { errors } = await sendMutation(
      gateway,
      "proposeRecoveryPolicy",
      { terms: { ...smart, exploration } },
      undefined,
      own,
    );
    expect(errors).toMatchObject([{ extensions: { code: "INVALID_ARGUMENT" } }]);
  }
});
