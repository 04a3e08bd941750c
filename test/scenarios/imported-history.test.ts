import { expect, test } from "vitest";
import { publishedModel } from "../../src/recovery/models/published-prior.ts";
import { RandomSource } from "../../src/recovery/simulation/random-source.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { importRows } from "../support/imported-rows.ts";
import { DAY, HOUR } from "../support/test-clock.ts";
import { startGateway, type TestVendor } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";

const gateway = await startGateway({ now: "2026-03-02T00:30:00.000Z" });
const worker = createWorker(gateway);

const importTries = (rows: readonly object[], vendor: TestVendor) =>
  importRows({ database: gateway.database, clock: gateway.clock, vendor }, "2026-04-01T00:00:00Z", { PAST_TRY: rows });

const payment = (id: string) => ({
  ...{ payment_id: id, payer_id: `payer of ${id}`, amount: 19900, currency: "KRW", country: "KR" },
  ...{ time_zone: "Asia/Seoul", gateway: "HOUSE", network: "VISA" },
});
const declined = (id: string, time: string | Date, more: object = {}) => ({
  ...{ ...payment(id), time: typeof time === "string" ? time : time.toISOString(), approved: false },
  ...{ code: "51", message: "Insufficient funds", ...more },
});
const approved = (id: string, time: string | Date, more: object = {}) => ({
  ...{ ...payment(id), time: typeof time === "string" ? time : time.toISOString(), approved: "true", ...more },
});

/** Payments of the last months. Their payers have money in the afternoon, in Seoul, and at no other hour. */
function paymentsOfAfternoons(name: string, count: number): { rows: object[]; retries: number } {
  const random = new RandomSource(11);
  const rows: object[] = [];
  for (let index = 0; index < count; index++) {
    const id = `${name}-${index}`;
    let at = gateway.clock.now().getTime() - Math.floor((10 + random.next() * 60) * DAY);
    rows.push(declined(id, new Date(at)));
    for (let number = 0; number < 3; number++) {
      at += DAY + Math.floor(random.next() * 20 * HOUR);
      const hour = (new Date(at).getUTCHours() + 9) % 24;
      const isApproved = hour >= 12 && hour < 18;
      rows.push(isApproved ? approved(id, new Date(at)) : declined(id, new Date(at)));
      if (isApproved) break;
    }
  }
  return { rows, retries: rows.length - count };
}

async function train(vendor: TestVendor) {
  await gateway.queryData("mutation { trainRecoveryModel { training { id } } }", {}, vendor);
  await worker.runTask("recovery.train-model");
  const { recoveryModelStatus, recoveryTrainings } = await gateway.queryData(
    `{ recoveryModelStatus { source version tries importedTries }
      recoveryTrainings(first: 1) { nodes { result tries model { importedTries } } } }`,
    {},
    vendor,
  );
  return { status: recoveryModelStatus, training: recoveryTrainings.nodes[0] };
}

test("past failed payments of another system train the vendor's model, which says how many of its retries were imported", async () => {
  await buildOnce();
  const [vendor, other] = [await gateway.openVendor(), await gateway.openVendor()];
  const { rows, retries } = paymentsOfAfternoons("P", 150);
  expect(retries).toBeGreaterThan(200);
  expect(await importTries(rows, vendor)).toEqual([]);

  const { status, training } = await train(vendor);
  expect(training).toEqual({ result: "ACTIVATED", tries: retries, model: { importedTries: retries } });
  expect(status).toEqual({ source: "VENDOR", version: expect.any(String), tries: retries, importedTries: retries });
  expect(status.version).not.toBe(publishedModel().version);

  // Another vendor sees none of them.
  const unseen = await train(other);
  expect(unseen.training).toEqual({ result: "TOO_FEW_TRIES", tries: 0, model: null });
  expect(unseen.status).toEqual({
    ...{ source: "PUBLISHED", version: publishedModel().version, tries: expect.any(Number), importedTries: null },
  });

  // Those of a child count for its family.
  const child = await gateway.openVendor({ parentId: vendor.id });
  const ofChild = paymentsOfAfternoons("P", 20);
  expect(await importTries(ofChild.rows, child)).toEqual([]);
  expect((await train(vendor)).training).toMatchObject({ tries: retries + ofChild.retries });
});

test("a payment's tries may come in any order and in several files, and each counts once", async () => {
  const vendor = await gateway.openVendor();
  const rows = [
    approved("A", "2026-02-05T10:00:00+09:00"),
    declined("A", "2026-02-01T10:00:00+09:00", { message: "Card 4242424242424242 is empty" }),
    declined("B", "2026-02-02T10:00:00Z"),
  ];
  expect(await importTries(rows, vendor)).toEqual([]);
  expect(await importTries([declined("A", "2026-02-03 10:00:00+09:00"), ...rows], vendor)).toEqual([]);
  const stored = await queryRows<{ partner_id: string; started_at: string; tries: object[] }>(
    gateway,
    `select partner_id, started_at, tries from past_payments where vendor_id = ${vendor.id} order by partner_id`,
  );
  expect(stored).toMatchObject([
    {
      partner_id: "A",
      tries: [
        { at: "2026-02-01T01:00:00.000Z", approved: false, code: "51", message: "Card ************4242 is empty" },
        { at: "2026-02-03T01:00:00.000Z", approved: false },
        { at: "2026-02-05T01:00:00.000Z", approved: true, code: null, message: null },
      ],
    },
    { partner_id: "B", tries: [{ at: "2026-02-02T10:00:00.000Z" }] },
  ]);
  expect(stored.map(({ started_at }) => new Date(started_at).toISOString())).toEqual([
    "2026-02-01T01:00:00.000Z",
    "2026-02-02T10:00:00.000Z",
  ]);
});

test("importing past failed payments refuses tries that are impossible, out of order or given twice", async () => {
  const vendor = await gateway.openVendor();
  const good = "2026-02-01T10:00:00Z";
  expect(
    await importTries(
      [
        declined("future", "2026-03-02T00:31:00Z"),
        declined("old", "1926-02-01T10:00:00Z"),
        declined("offset", "2026-02-01T10:00:00"),
        declined("currency", good, { currency: "QQQ" }),
        declined("zone", good, { time_zone: "" }),
        declined("no-zone", good, { time_zone: undefined }),
        declined("amount", good, { amount: -1 }),
        declined("network", good, { network: "DINERS" }),
        declined("nul", good, { message: "\0" }),
        declined("P", good),
        declined("P", good, { code: "54" }),
        declined("P", "2026-02-02T10:00:00Z", { amount: 5000 }),
        approved("P", "2026-02-03T10:00:00Z"),
        declined("P", "2026-02-04T10:00:00Z"),
        declined("Q", "2026-02-04T10:00:00Z"),
        approved("Q", "2026-02-03T10:00:00Z"),
        { ...declined("R", good), payment_id: "" },
        { ...declined("S", good), sheep: 1 },
      ],
      vendor,
    ),
  ).toEqual([
    "future INVALID_ARGUMENT time",
    "old INVALID_ARGUMENT time",
    "offset INVALID_ARGUMENT time",
    "currency INVALID_ARGUMENT currency",
    "zone INVALID_ARGUMENT time_zone",
    "no-zone INVALID_ARGUMENT time_zone",
    "amount INVALID_ARGUMENT amount",
    "network INVALID_ARGUMENT network",
    "nul INVALID_ARGUMENT message",
    "P TRY_REPEATED time",
    "P INVALID_ARGUMENT amount",
    "P TRY_AFTER_APPROVAL time",
    "Q TRY_AFTER_APPROVAL time",
    " INVALID_ARGUMENT payment_id",
    "S INVALID_ARGUMENT sheep",
  ]);
});
