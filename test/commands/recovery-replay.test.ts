import { beforeAll, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { inForm } from "../support/test-form.ts";
import { generateDecisions } from "../support/random-recoveries.ts";
import { startGateway } from "../support/test-gateway.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { commandsOn, faultsOf, recordOf } from "./command-line.ts";
import { NOBODY } from "./command-gateway.ts";

/* The long form takes a quarter of an hour at most. */
const DECISIONS = Number(process.env["DECISIONS"] ?? inForm(200, 10_000));

const gateway = await startGateway({ now: "2026-02-20T09:30:00.000Z" });
const { recoveryReplay } = commandsOn({ DATABASE_URL: gateway.databaseUrl });
beforeAll(buildOnce);

const change = (statement: string) => queryRows(gateway, statement);
const uuidOf = async (vendorId: number) =>
  (await queryRows<{ uuid: string }>(gateway, `select uuid from vendors where id = ${vendorId}`))[0]!.uuid;

test(
  `${DECISIONS} stored decisions are reproduced, and falsified ones are found`,
  async () => {
    const [first, second] = await generateDecisions(gateway, DECISIONS);
    const seen = await queryRows<{ decisions: number; classes: number; ends: number; rules: number; policies: number }>(
      gateway,
      `select count(*)::int as decisions, count(distinct reason_class)::int as classes, count(distinct end_reason)::int as ends,
        count(distinct floor_row)::int as rules, count(distinct policy_version)::int as policies from cover_decisions`,
    );
    // Decisions that are all alike would prove little.
    expect(seen[0]).toMatchObject({ decisions: DECISIONS, policies: 4 });
    expect(seen[0]!.classes).toBeGreaterThanOrEqual(9);
    expect(seen[0]!.ends).toBeGreaterThanOrEqual(inForm(4, 5));
    expect(seen[0]!.rules).toBeGreaterThanOrEqual(5);

    const all = await recoveryReplay();
    expect(all).toMatchObject({ code: 0, err: "" });
    expect(recordOf(all)).toEqual({
      ...{ decisions: String(DECISIONS), equal: String(DECISIONS), different: "0", notReplayable: "0" },
    });

    const own = JSON.parse((await recoveryReplay("--vendor", await uuidOf(first!.id), "--json")).out);
    expect(own).toMatchObject({ different: 0, notReplayable: 0, deviations: [] });
    expect(own.decisions).toBeGreaterThan(DECISIONS / 10);
    expect(own.decisions).toBeLessThan(DECISIONS);

    const some = await queryRows<{ id: number }>(
      gateway,
      `select id from cover_decisions where vendor_id = ${second!.id} and retry_at is not null order by id limit 5`,
    );
    const [outcome, column, inputs, policy, older] = some.map(({ id }) => id);
    const spoil = (id: number | undefined, set: string) =>
      change(`update cover_decisions set ${set} where id = ${String(id)}`);
    await spoil(outcome, `outcome = jsonb_set(outcome, '{retryAt}', '"2026-03-09T00:00:00.000Z"')`);
    await spoil(column, `retry_at = retry_at + interval '1 hour', budget_used = budget_used + 1`);
    await spoil(inputs, `inputs = inputs #- '{case,zone}'`);
    await spoil(policy, `inputs = jsonb_set(inputs, '{policy,plan,tries}', '7')`);
    await spoil(older, `inputs = jsonb_set(inputs, '{rulebookVersion}', '"2001-01-01"')`);

    const spoilt = await recoveryReplay();
    expect(spoilt.code).toBe(1);
    const lines = spoilt.out.trimEnd().split("\n");
    expect(lines.slice(0, 4)).toEqual([
      `decisions: ${DECISIONS}`,
      `equal: ${DECISIONS - 5}`,
      "different: 4",
      "notReplayable: 1",
    ]);
    const rows = lines.slice(4).map((line) => line.split("\t"));
    expect(rows.map(([, decision, , , differs]) => [decision, differs])).toEqual([
      ["decision", "differs"],
      [String(outcome), "retryAt"],
      [String(column), "retryAt budgetUsed"],
      [String(inputs), "inputs"],
      [String(policy), expect.stringContaining("budget")],
    ]);
    expect((await recoveryReplay("--vendor", await uuidOf(first!.id))).code).toBe(0);
  },
  60_000 + DECISIONS * 90,
);

test("no decision is no difference, and an unknown vendor is reported", async () => {
  const { id } = await gateway.openVendor();
  expect(recordOf(await recoveryReplay("--vendor", await uuidOf(id)))).toMatchObject({ decisions: "0", equal: "0" });
  const nobody = await recoveryReplay("--vendor", NOBODY);
  expect(nobody.code).toBe(1);
  expect(faultsOf(nobody)).toEqual(["--vendor: there is no vendor with this uuid."]);
  expect(faultsOf(await recoveryReplay("--vendor", "me"))).toEqual(["--vendor must be the uuid of a vendor."]);
});
