import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { buildOnce } from "../../support/build-once.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { commandsOn, faultsOf, recordOf } from "../../commands/command-line.ts";
import { copyCovers } from "../../support/copied-covers.ts";
import { createCoverFixture, createCoverOrder, runMutation } from "../../support/cover-mutations.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { startGateway, type RequestOptions, type TestVendor } from "../../support/test-gateway.ts";

/* Backtests over GraphQL, of cases that were recorded by reports. */

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });
const day = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString();

const VALUE =
  "{ recoveredShare { value low high } recoveredAmount { value } attemptsPerCase { value } effectiveSampleSize }";
const FIELDS = `cases runningCases unusableCases noFigureReason effectiveSampleSize unsupportedShare isWorse current ${VALUE} proposed ${VALUE} difference ${VALUE} differenceByWeights ${VALUE}`;
const ladder = (...offsetsInDays: number[]) => ({ plan: { kind: "LADDER", offsetsInDays } });

let own: TestVendor;
let shop: CoverFixture;

const backtest = (input: object, options: RequestOptions = own) =>
  gateway.sendGraphQL(
    `mutation ($input: BacktestRecoveryPolicyInput!) { backtestRecoveryPolicy(input: $input) { ${FIELDS} } }`,
    { input },
    options,
  );
const period = { from: day(-1), until: day(1) };

async function failed(): Promise<number> {
  gateway.clock.setTo(NOW);
  const fields = { paymentFailed: true, errorCode: "Q7", paymentGateway: "PROVIDER_03" };
  return (await createCoverOrder(gateway, shop, fields, own)).databaseId;
}

beforeAll(async () => {
  await buildOnce();
  own = await gateway.openVendor({ currency: "KRW", zoneId: "UTC" });
  shop = await createCoverFixture(gateway, {}, own);
  // Under the default ladder: one is paid on the first date, one on the third, one never.
  for (const paidOn of [1, 5, null]) {
    const orderId = await failed();
    for (const at of [1, 3, 5, 10, 14]) {
      gateway.clock.setTo(day(at));
      if (at === paidOn) {
        await runMutation(gateway, "reportCoverOrderPaid", { orderId }, undefined, own);
        break;
      }
      const report = { orderId, subscriptionId: shop.subscriptionId, errorCode: "Q7" };
      await runMutation(gateway, "startRecovery", report, undefined, own);
    }
  }
  gateway.clock.setTo(day(60));
}, 600_000);

describe("before there are enough cases", () => {
  test("there is no figure, and requests that make no sense are refused", async () => {
    const { data } = await backtest({ terms: ladder(1, 3), ...period });
    expect(data!.backtestRecoveryPolicy).toMatchObject({ cases: 3, noFigureReason: "TOO_FEW_CASES", current: null });
    for (const [input, code] of [
      [{ ...period }, "INVALID_ARGUMENT"],
      [{ terms: ladder(1), policyId: "1" }, "INVALID_ARGUMENT"],
      [{ terms: ladder(1), from: day(2), until: day(1) }, "INVALID_ARGUMENT"],
      [{ terms: ladder(1), from: day(-1000), until: day(1) }, "INVALID_ARGUMENT"],
      [{ terms: ladder(3, 1) }, "INVALID_ARGUMENT"],
      [{ policyId: "999999" }, "POLICY_NOT_FOUND"],
    ] as const)
      expect((await backtest(input)).errors).toMatchObject([{ extensions: { code } }]);
  });
});

describe("with recorded cases", () => {
  beforeAll(() => copyCovers(gateway, own.id, 49));

  test("fewer attempts recover less: the policy keeps the backtest, and its activation warns", async () => {
    const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms: ladder(1, 3) }, undefined, own);
    const { data } = await backtest({ policyId: policy.databaseId, ...period });
    const result = data!.backtestRecoveryPolicy;
    expect(result).toMatchObject({
      cases: 150,
      runningCases: 0,
      unusableCases: 0,
      noFigureReason: null,
      isWorse: true,
    });
    expect(result.current).toMatchObject({ effectiveSampleSize: 150, recoveredAmount: { value: "1890000" } });
    expect(result.current!.recoveredShare.value).toBeCloseTo(2 / 3, 5);
    expect(result.proposed!.recoveredShare.value).toBeCloseTo(1 / 3, 5);
    expect(result.difference!.recoveredShare.value).toBeCloseTo(-1 / 3, 5);
    expect(result.difference!.attemptsPerCase.value).toBeCloseTo((1 + 2 + 2 - (1 + 3 + 5)) / 3, 5);
    const { activateRecoveryPolicy } = await gateway.queryRawData(
      "mutation ($id: ID!) { activateRecoveryPolicy(input: { policyId: $id }) { warning lastBacktest { cases } policy { lastBacktest { isWorse } } } }",
      { id: String(policy.databaseId) },
      own,
    );
    expect(activateRecoveryPolicy).toEqual({
      warning: expect.stringContaining("33.3 percentage points"),
      lastBacktest: { cases: 150 },
      policy: { lastBacktest: { isWorse: true } },
    });
  });

  test("the operation of docs/backtest.md answers what the page says", async () => {
    const page = readFileSync(projectFile("docs/backtest.md"), "utf8");
    const steps = [...page.matchAll(/```graphql\n(.*?)```\n\n```json\n(.*?)```/gs)];
    expect(steps).toHaveLength([...page.matchAll(/^```graphql$/gm)].length);
    for (const [, query, answer] of steps) {
      expect(await gateway.queryRawData(query!, {}, own)).toEqual(JSON.parse(answer!));
    }
  });

  test("without overlap there is no figure; the same terms are no difference", async () => {
    const { data } = await backtest({ terms: { plan: { kind: "EVEN", maxRetries: 8, windowInDays: 28 } }, ...period });
    expect(data!.backtestRecoveryPolicy).toMatchObject({
      noFigureReason: "NO_OVERLAP",
      difference: null,
      unsupportedShare: 1,
    });
    const same = (await backtest({ terms: ladder(1, 3, 5, 10, 14), ...period })).data!.backtestRecoveryPolicy;
    expect(same.difference!.recoveredShare).toEqual({ value: 0, low: 0, high: 0 });
  });

  test("a mapping's preview says what the meaning would have cost, and maps nothing", async () => {
    const preview = async (reasonClass: string, errorCode = "q7") =>
      gateway.sendGraphQL(
        `query ($input: PreviewDeclineMappingInput!) { previewDeclineMapping(input: $input) { ${FIELDS} } }`,
        { input: { paymentGateway: "PROVIDER_03", errorCode, reasonClass, ...period } },
        own,
      );
    const never = (await preview("NEVER")).data!.previewDeclineMapping;
    expect([never.cases, never.proposed!.recoveredShare.value, never.isWorse]).toEqual([150, 0, true]);
    // A ladder takes no notice of a class that allows attempts.
    const funds = (await preview("INSUFFICIENT_FUNDS")).data!.previewDeclineMapping;
    expect(funds.difference!.recoveredShare.value).toBe(0);
    expect((await preview("NEVER", "zz")).data!.previewDeclineMapping.noFigureReason).toBe("TOO_FEW_CASES");
    expect((await preview("NEVER", "51")).errors).toMatchObject([{ extensions: { code: "DECLINE_CODE_KNOWN" } }]);
    expect(await queryRows(gateway, "select code from decline_mappings")).toEqual([]);
  });

  test("the command line answers the same", async () => {
    const [vendor] = await queryRows<{ uuid: string }>(
      gateway,
      "select v.uuid from vendors v where exists (select from covers c where c.vendor_id = v.id)",
    );
    const uuid = vendor!.uuid;
    const { recoveryBacktest } = commandsOn({ DATABASE_URL: gateway.databaseUrl });
    const until = ["--from", period.from, "--until", period.until];
    // Its clock is the real one: the cases are long over.
    const printed = recordOf(
      await recoveryBacktest("--vendor", uuid, "--terms", JSON.stringify(ladder(1, 3)), ...until),
    );
    expect(printed).toMatchObject({ cases: "150", noFigureReason: "-", effectiveSampleSize: "150" });
    expect(printed["difference"]).toContain("-33.3 % recovered");
    const wrong = await recoveryBacktest("--vendor", uuid, "--terms", "{", "--from", "yesterday");
    expect([wrong.code, faultsOf(wrong).length]).toEqual([2, 2]);
  });

  test("cases of another vendor do not count, nor those whose window is not over", async () => {
    const other = { token: (await gateway.openVendor()).token };
    expect((await backtest({ terms: ladder(1), ...period }, other)).data!.backtestRecoveryPolicy.cases).toBe(0);
    gateway.clock.setTo(day(15));
    const running = (await backtest({ terms: ladder(1), ...period })).data!.backtestRecoveryPolicy;
    expect(running).toMatchObject({ cases: 0, runningCases: 150, noFigureReason: "TOO_FEW_CASES" });
    gateway.clock.setTo(day(60));
  });
});
