import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { createRepositories } from "../src/graphql/repositories.ts";
import { DueVendorRepository } from "../src/jobs/due-vendor.repository.ts";
import { untrainedCovers } from "../src/recovery/models/recovery-training.repository.ts";
import { required } from "../src/kernel/required-values.ts";
import { addVendors } from "./support/vendor-seed.ts";

/*
 * `npm run bench:cases`: the statements that look for covers to learn from, on COVERS covers (a million by default) of VENDORS vendors (a thousand)
 * with two attempts and a decision each, in a real embedded database. The first vendor has a fiftieth of them. Prints for each the
 * median and the slowest time of twenty calls, what it read, and by which indexes; with PLANS=true also its plan.
 */

const COVERS = Number(process.env["COVERS"] ?? 1_000_000);
const VENDORS = Number(process.env["VENDORS"] ?? 1_000);
const ROUNDS = 20;
/** Share of covers whose declines have an unmapped code, one of twenty. */
const UNMAPPED_SHARE = 0.5;
const UNTIL = new Date("2026-10-01T00:00:00Z");

const folder = await mkdtemp(join(tmpdir(), "recoup-cases-"));
await chmod(folder, 0o755);
const store = await openDatabaseSource(undefined, folder);
const statements: { text: string; parameters: unknown[] }[] = [];
const database = openDatabase({
  url: store.url,
  identity: store.identity,
  poolSize: 1,
  onStatement: (text, parameters) => statements.push({ text, parameters }),
});
const sql = postgres(store.url, { max: 1, onnotice: () => undefined });

const vendorIds = await addVendors(database, VENDORS);
const large = required(vendorIds[0], "the large vendor");
const middle = required(vendorIds[1], "a vendor of usual size");
console.log(`${COVERS} covers of ${VENDORS} vendors, written in ${await seconds(seedCovers)} s`);

const repositories = createRepositories(database.handle);
const dueVendors = new DueVendorRepository(database.handle);
const codes = Array.from({ length: 20 }, (_, index) => ({ gateway: "PROVIDER_03" as const, code: `Q${10 + index}` }));
const quarter = { from: new Date(UNTIL.getTime() - 90 * 86_400_000), until: UNTIL, onlyShadows: true as const };
for (const [name, vendorId] of [
  ["large vendor", large],
  ["usual vendor", middle],
] as const) {
  await measure(`coversWithCodes, 20 codes, 250 covers each, ${name}`, () =>
    repositories.recordedCases.coversWithCodes(vendorId, codes, 250),
  );
  await measure(`coversWithCodes, the same codes of a gateway without covers, ${name}`, () =>
    repositories.recordedCases.coversWithCodes(
      vendorId,
      codes.map(({ code }) => ({ gateway: "PROVIDER_02" as const, code })),
      250,
    ),
  );
  await measure(`shadow report: family, ${name}`, () => repositories.recordedCases.familyWithCases(vendorId, quarter));
  await measure(`shadow report: first page of 100, ${name}`, () =>
    repositories.recordedCases.page(vendorId, quarter, 100),
  );
  await measure(`training: page of 100, ${name}`, () => {
    const { onlyShadows: _, ...period } = quarter;
    return repositories.recordedCases.page(vendorId, period, 100);
  });
  await measure(`hasUntrainedResults, ${name}`, () =>
    repositories.recoveryTrainings.hasUntrainedResults(vendorId, UNTIL),
  );
}
await measure("untrainedCovers of all vendors, all untrained", () => dueVendors.vendorsWithDue(untrainedCovers, UNTIL));
await sql`insert into recovery_trainings (vendor_id, state, trigger, requested_at, finished_at, runs, result)
  select id, 'DONE', 'NIGHT', ${UNTIL}, ${UNTIL}, 1, 'TOO_FEW_TRIES' from vendors`;
await sql`analyze recovery_trainings`;
await measure("untrainedCovers of all vendors, none untrained", () =>
  dueVendors.vendorsWithDue(untrainedCovers, UNTIL),
);
await measure("hasUntrainedResults after a training, large vendor", () =>
  repositories.recoveryTrainings.hasUntrainedResults(large, UNTIL),
);

await sql.end();
await database.close();
await store.release();
await rm(folder, { recursive: true, force: true });

async function seconds(work: () => Promise<void>): Promise<string> {
  const start = performance.now();
  await work();
  return ((performance.now() - start) / 1000).toFixed(0);
}

async function measure(name: string, query: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  let result: unknown;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    result = await query();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const rows = Array.isArray(result) ? `${result.length} rows` : String(result);
  console.log(`\n${name}: ${rows}, median ${times[ROUNDS / 2]!.toFixed(1)} ms, slowest ${times.at(-1)!.toFixed(1)} ms`);
  const { text, parameters } = required(statements.at(-1), "a statement");
  // As the gateway's connections have it: one plan for all values.
  await sql.unsafe("set plan_cache_mode = force_generic_plan");
  await sql.unsafe(`prepare measured as ${text}`);
  const values = parameters.map((value) => `'${String(value).replaceAll("'", "''")}'`).join(", ");
  const plan = await sql.unsafe(
    `explain (analyze, buffers, costs off) execute measured${values === "" ? "" : `(${values})`}`,
  );
  await sql.unsafe("deallocate measured");
  const lines = plan.map((line) => String(line["QUERY PLAN"]));
  const read = lines.flatMap((line) =>
    line.includes("never executed")
      ? []
      : (/Seq Scan on \w+|using \w+ on \w+|Bitmap Index Scan on \w+/.exec(line) ?? []),
  );
  console.log(`  ${lines.find((line) => line.includes("Buffers:"))?.trim() ?? ""}; ${[...new Set(read)].join(", ")}`);
  if (process.env["PLANS"] === "true") for (const line of lines) console.log(`    ${line}`);
}

async function seedCovers(): Promise<void> {
  await sql`set synchronous_commit = off`;
  await sql`create temporary table given as
    select n, case when n % 50 = 0 then ${large}::bigint else ${middle}::bigint + n % ${VENDORS - 1} end as vendor_id,
      ${UNTIL}::timestamptz - make_interval(secs => 31536000.0 * (${COVERS} - n) / ${COVERS}) - interval '10 days' as at,
      n % 3 = 0 as paid, (n / 50) % 20 < ${UNMAPPED_SHARE * 20} as unmapped, (n / 50) % 10 = 7 as shadow
    from generate_series(1, ${COVERS}) n`;
  await sql`insert into cover_customers (vendor_id, partner_customer_id, name, email, phone, created_at, modified_at)
    select id, 'payer', 'Payer', 'payer@example.com', '8210', ${UNTIL}, ${UNTIL} from vendors`;
  await sql`insert into cover_orders (vendor_id, id, partner_order_id, customer_id, status, amount, amount_returned, payment_gateway, created_at, modified_at)
    overriding system value
    select g.vendor_id, n, 'order-' || n, c.id, case when paid then 'PAID' else 'CREATED' end, 18900, 0, 'PROVIDER_03', at, at
    from given g join cover_customers c on c.vendor_id = g.vendor_id`;
  await sql`insert into covers (vendor_id, id, order_id, state, end_reason, window_start, zone_id, planned, policy_version, started_on, reason_class,
      gateway, country, amount, shadow, started_at, ended_at)
    overriding system value
    select vendor_id, n, n, case when paid then 'RECOVERED' else 'EXHAUSTED' end, case when paid then 'PAID' else 'NO_TRIES_LEFT' end, at, 'Asia/Seoul', '{}',
      'bench', at::date, case when unmapped then 'UNKNOWN' else 'INSUFFICIENT_FUNDS' end, 'PROVIDER_03', 'KR', 18900, shadow, at, at + interval '9 days' from given`;
  for (const number of [1, 2])
    await sql`insert into cover_attempts (vendor_id, cover_id, number, kind, attempted_at, error_code, initiator, reason_class)
      select vendor_id, n, ${number}, ${number === 1 ? "FIRST_FAILURE" : "SCHEDULED"}, at + make_interval(days => ${4 * (number - 1)}),
        case when unmapped then 'q' || 10 + (n / 1000) % 20 else '51' end, 'MERCHANT', case when unmapped then 'UNKNOWN' else 'INSUFFICIENT_FUNDS' end
      from given`;
  await sql`insert into cover_decisions (vendor_id, cover_id, decided_at, retry_at, reason_class, alternatives, budget_used, budget_limit, window_ends,
      policy_version, rulebook_version, inputs, outcome)
    select vendor_id, n, at, at + interval '4 days', 'INSUFFICIENT_FUNDS', '{}', 1, 8, at + interval '28 days', 'bench', 'bench',
      jsonb_build_object('case', jsonb_build_object('amount', '18900', 'currency', 'KRW', 'attempts', jsonb_build_array(jsonb_build_object('at', at)))),
      jsonb_build_object('propensity', 1, 'probability', 0.2) from given`;
  for (const table of ["vendors", "cover_customers", "cover_orders", "covers", "cover_attempts", "cover_decisions"])
    await sql.unsafe(`vacuum analyze ${table}`);
}
