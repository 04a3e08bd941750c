import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { runMutation, createCoverOrder, createCoverFixture } from "../../support/cover-mutations.ts";
import type { Selected, SelectionOf } from "../../support/answers.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });

let shop: CoverFixture;
let own: RequestOptions;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  own = { token: (await gateway.openVendor()).token };
  shop = await createCoverFixture(gateway, {}, own);
});

const day = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString();
const failed = async (rest: object = {}): Promise<number> =>
  (
    await createCoverOrder(
      gateway,
      shop,
      { paymentFailed: true, errorCode: "51", subscriptionId: shop.subscriptionId, ...rest },
      own,
    )
  ).databaseId;
const again = (orderId: number, rest: object = {}) =>
  runMutation(
    gateway,
    "startRecovery",
    { orderId, subscriptionId: shop.subscriptionId, errorCode: "51", ...rest },
    undefined,
    own,
  );
const coverOf = async <S extends SelectionOf<"Cover">>(orderId: number, selection: S): Promise<Selected<"Cover", S>> =>
  (await gateway.queryRawData(`{ coverOrder(id: ${orderId}) { cover { ${selection} } } }`, {}, own)).coverOrder.cover;
const explained = async (orderId: number): Promise<[string, string]> => {
  const { decision } = await coverOf(orderId, "decision { en: explanation ko: explanation(language: KOREAN) }");
  return [decision!.en, decision!.ko];
};

describe("a decision explains the present date", () => {
  test("by the policy's schedule", async () => {
    expect(await explained(await failed())).toEqual([
      "The account had insufficient funds; the next attempt (1 of 5) is on Monday, 2 March 2026 at 18:30 (Asia/Seoul), as the policy plans it.",
      "잔액이 부족했습니다. 다음 시도(5회 중 1회째)는 2026년 3월 2일(월) 18:30(Asia/Seoul)입니다(정책이 정한 시각입니다).",
    ]);
  });

  test("by the network's rule that moved it", async () => {
    const orderId = await failed({ adviceCode: "30", network: "MASTERCARD" });
    const [en, ko] = await explained(orderId);
    expect(en).toContain(
      "on Wednesday, 11 March 2026 at 18:30 (Asia/Seoul), because the network's rule mastercard-advice-30 allows none before.",
    );
    expect(ko).toContain("mastercard-advice-30");
    const { decision } = await coverOf(
      orderId,
      "decision { rule { id network source checkedOn } effects { kind at by } plan { at probability } propensity modelVersion declinesVersion }",
    );
    expect(decision).toEqual({
      rule: {
        id: "mastercard-advice-30",
        network: "MASTERCARD",
        source: expect.stringContaining("Mastercard"),
        checkedOn: "2026-11-21",
      },
      effects: [
        { kind: "SCHEDULE", at: day(1), by: "LADDER" },
        { kind: "RULEBOOK", at: day(10), by: "mastercard-advice-30" },
      ],
      plan: [{ at: day(14), probability: null }],
      propensity: 1,
      modelVersion: null,
      declinesVersion: "2026-11-23.2",
    });
  });

  test("as a promise that stays, as the end of retries, and as the merchant's own attempt", async () => {
    const orderId = await failed();
    gateway.clock.setTo(day(0.5));
    await again(orderId, { errorCode: "05" });
    expect((await explained(orderId))[0]).toBe(
      "The issuer refused without a reason; the next attempt (1 of 5) is on Monday, 2 March 2026 at 18:30 (Asia/Seoul), as it was answered before.",
    );
    await again(orderId, { errorCode: "41" });
    expect(await explained(orderId)).toEqual([
      "No further attempt: the decline forbids it.",
      "더 시도하지 않습니다: 거절 사유가 재시도를 금지합니다.",
    ]);
    const paid = await failed();
    await runMutation(gateway, "reportCoverOrderPaid", { orderId: paid }, undefined, own);
    expect((await explained(paid))[0]).toBe("No further attempt: the order was paid.");
  });

  test("as still awaited once the date has passed without a report", async () => {
    const orderId = await failed();
    gateway.clock.setTo(day(2));
    expect(await explained(orderId)).toEqual([
      "The attempt of Monday, 2 March 2026 at 18:30 (Asia/Seoul) was not reported; the next planned attempt is on Wednesday, 4 March 2026 at 18:30 (Asia/Seoul).",
      "2026년 3월 2일(월) 18:30(Asia/Seoul)의 시도가 보고되지 않았습니다. 다음으로 계획된 시도는 2026년 3월 4일(수) 18:30(Asia/Seoul)입니다.",
    ]);
    gateway.clock.setTo(day(20));
    const [english, korean] = await explained(orderId);
    expect(english).toContain("it was the last one, and its report is awaited.");
    expect(korean).toContain("마지막 시도였으며 보고를 기다립니다.");
  });
});

describe("a replay", () => {
  const replay = async (id: number | string, options = own) =>
    gateway.sendGraphQL(
      "query ($id: ID!) { replayDecision(id: $id) { isReproduced differences retryDate endReason decision { databaseId retryDate } } }",
      { id: String(id) },
      options,
    );

  test("reproduces every decision of a scenario, whatever was reported", async () => {
    const orderId = await failed({
      adviceCode: "26",
      network: "MASTERCARD",
      initiator: "CUSTOMER",
      errorMessage: "잔액부족",
    });
    for (const days of [2, 3, 5, 10, 14]) {
      gateway.clock.setTo(day(days));
      await again(orderId, { errorCode: days === 3 ? "Q7" : "05" });
    }
    const { decisions } = await coverOf(orderId, "decisions { nodes { id databaseId retryDate } }");
    expect(decisions.nodes).toHaveLength(6);
    for (const { id, databaseId, retryDate } of decisions.nodes) {
      const { data } = await replay(id);
      expect(data!.replayDecision).toMatchObject({
        isReproduced: true,
        differences: [],
        retryDate,
        decision: { databaseId, retryDate },
      });
    }
    const [first] = decisions.nodes;
    const { node } = await gateway.queryData(
      "query ($id: ID!) { node(id: $id) { id ... on RetryDecision { retryDate } } }",
      { id: first!.id },
      own,
    );
    expect(node).toEqual({ id: first!.id, retryDate: first!.retryDate });
  });

  test("shows the differences when a stored decision was tampered with", async () => {
    const { decision } = await coverOf(await failed(), "decision { databaseId }");
    await gateway.database.handle.execute(
      sql`update cover_decisions set outcome = jsonb_set(outcome, '{retryAt}', '"2026-03-09T00:00:00.000Z"') where id = ${decision!.databaseId}`,
    );
    expect((await replay(decision!.databaseId)).data!.replayDecision).toMatchObject({
      isReproduced: false,
      differences: ["retryDate"],
      retryDate: day(1),
    });
  });

  test("is refused without inputs, and does not find another vendor's", async () => {
    const { decision } = await coverOf(await failed(), "decision { databaseId }");
    expect((await replay(decision!.databaseId, {})).data!.replayDecision).toBeNull();
    await gateway.database.handle.execute(
      sql`update cover_decisions set inputs = null, outcome = null where id = ${decision!.databaseId}`,
    );
    expect((await replay(decision!.databaseId)).errors).toMatchObject([
      { extensions: { code: "DECISION_NOT_REPLAYABLE" } },
    ]);
    const seen = await gateway.queryData(
      "query ($id: ID!) { node(id: $id) { ... on RetryDecision { retryDate effects { kind } plan { at } explanation } } }",
      { id: Buffer.from(`RetryDecision:${decision!.databaseId}`).toString("base64url") },
      own,
    );
    expect(seen.node).toMatchObject({
      retryDate: day(1),
      effects: [],
      plan: [3, 5, 10, 14].map((days) => ({ at: day(days) })),
    });
    expect(seen.node!.explanation).toContain("Monday, 2 March 2026 at 09:30 (UTC)");
  });
});
