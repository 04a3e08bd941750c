import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";

const gateway = await startGateway();
const worker = createWorker(gateway);

/** Saves expired idempotency keys of a vendor; a worker deletes 500 in one batch. */
const addExpiredKeys = (vendorId: number, count: number) =>
  queryRows(
    gateway,
    `insert into idempotency_keys (vendor_id, key, request_hash, status, body, created_at)
    select ${vendorId}, 'key ' || n, '', 200, '{}', '2020-01-01' from generate_series(1, ${count}) n`,
  );

test("a task serves a vendor with one row after one batch of a vendor with many", async () => {
  const other = await gateway.openVendor();
  expect(other.id).toBeGreaterThan(gateway.vendor.id);
  await addExpiredKeys(gateway.vendor.id, 1_200);
  await addExpiredKeys(other.id, 1);
  gateway.statements.length = 0;
  await worker.runTask("requests.delete-expired");
  const deletes = gateway.statements.filter(({ text }) => text.startsWith('delete from "idempotency_keys"'));
  const served = deletes.map(({ parameters }) =>
    parameters.map(Number).find((value) => value === other.id || value === gateway.vendor.id),
  );
  const [many, one] = [gateway.vendor.id, other.id];
  // Each vendor's last batch finds nothing.
  expect(served).toEqual([many, one, many, one, many, many]);
  expect(await queryRows(gateway, "select key from idempotency_keys where vendor_id > 0")).toEqual([]);
});
