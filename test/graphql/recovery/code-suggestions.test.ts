import { beforeAll, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { createPolicy } from "../../../src/recovery/engine/policy.ts";
import type { PastPayment } from "../../../src/recovery/estimates/past-payment.ts";
import { fixedBaselines } from "../../../src/recovery/simulation/baselines.ts";
import { loadWorld } from "../../../src/recovery/simulation/load-world.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { buildOnce } from "../../support/build-once.ts";
import { recordShadowCovers } from "../../support/fixtures/shadow-covers.ts";
import { playedPayments } from "../../support/simulated-failures.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";

/* What unmapped codes behave like: cases of a simulated world in which a known code has become an unknown one. */

const gateway = await startGateway({ now: "2026-04-01T00:00:00.000Z" });
const policy = createPolicy("EVEN-8", { kind: "EVEN", tries: 8, windowInDays: 28 });

/** The codes of the world as a gateway without a table would send them. */
const renamed = (code: string | null, index: number) =>
  code === "91" ? " q-7" : code === "96" && index < 100 ? "z9" : undefined;

let shop: TestVendor;
beforeAll(async () => {
  await buildOnce();
  shop = await gateway.openVendor();
  const world = await loadWorld(projectFile("test/worlds/issuer-outages.mjs"));
  const schedule = fixedBaselines.find(({ name }) => name === "even-8")!;
  const payments = playedPayments(world, schedule, 900, 4).map((payment, index): PastPayment => ({
    ...payment,
    gateway: "PROVIDER_03",
    tries: payment.tries.map((one) => {
      const code = renamed(one.code, index);
      return code === undefined ? one : { ...one, code, message: null };
    }),
  }));
  await recordShadowCovers(gateway, shop.id, payments, { policy, model: null });
  await queryRows(
    gateway,
    `insert into unmapped_declines (vendor_id, gateway, code, shard, declines, lost, lost_amount, first_seen, last_seen)
      select a.vendor_id, c.gateway, upper(btrim(a.error_code)), 0, count(*), 0, count(*), min(a.attempted_at), max(a.attempted_at)
      from cover_attempts a join covers c on c.vendor_id = a.vendor_id and c.id = a.cover_id
      where a.reason_class = 'UNKNOWN' group by 1, 2, 3`,
  );
}, 240_000);

const unmapped = async (fields: string, options: { token: string } = shop): Promise<RawData[]> =>
  (await gateway.queryRawData(`{ unmappedDeclines { errorCode declines ${fields} } }`, {}, options)).unmappedDeclines;
const SUGGESTION = "suggestion { reasonClass probability tries }";
const readsCases = () => gateway.statements.filter(({ text }) => text.includes("json_to_recordset"));

test("a code that behaves like a known one is suggested its meaning, in one search a page, and nothing is mapped", async () => {
  gateway.statements.length = 0;
  const rows = await unmapped(SUGGESTION);
  expect(readsCases()).toHaveLength(1);
  const ofCode = new Map(rows.map(({ errorCode, suggestion }) => [errorCode, suggestion]));
  expect(ofCode.get("Q-7")).toEqual({
    reasonClass: "TECHNICAL",
    probability: expect.toSatisfy((one: number) => one >= 0.8 && one < 1),
    tries: expect.toSatisfy((one: number) => one >= 30),
  });
  // Too few retries to tell.
  expect(ofCode.get("Z9")).toBeNull();
  expect(await queryRows(gateway, "select code from decline_mappings")).toEqual([]);
});

test("nothing is computed that is not selected, and no case of another vendor is read", async () => {
  gateway.statements.length = 0;
  expect((await unmapped("lost")).length).toBe(2);
  expect(readsCases()).toEqual([]);
  const other = await gateway.openVendor();
  await queryRows(
    gateway,
    `insert into unmapped_declines (vendor_id, gateway, code, shard, declines, lost, lost_amount, first_seen, last_seen)
      values (${other.id}, 'PROVIDER_03', 'Q-7', 0, 500, 0, 0, now(), now())`,
  );
  expect(await unmapped(SUGGESTION, other)).toEqual([{ errorCode: "Q-7", declines: 500, suggestion: null }]);
  expect(readsCases()).toHaveLength(1);
});
