import { expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { findInconsistencies } from "./harness/consistency-checker.ts";
import { createDatabase, openSession } from "./harness/fault-databases.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { MerchantLoad } from "./harness/merchant-load.ts";

/* The checker is tested first: a checker that sees nothing would find no loss, whatever the gateway did. */

test("the checker finds nothing where nothing failed, and finds every loss that it is shown", async () => {
  await buildOnce();
  const url = await createDatabase();
  const gateway = await GatewayProcess.start({ DATABASE_URL: url });
  const load = new MerchantLoad(() => gateway.address);
  await load.start();
  await load.waitForProgress(60);
  await load.stop();
  const sql = openSession(url);
  expect(await findInconsistencies(sql, load.log)).toEqual([]);

  const orders = load.log.filter(({ path, acknowledged }) => path === "/cover/order" && acknowledged);
  const [first = 0, second = 0] = orders.map(({ acknowledged }) => acknowledged.id as number);
  const customer = load.log.find(({ path }) => path === "/cover/customer")!.acknowledged.id as number;
  const key = load.log.find((entry) => entry.key && entry.path === "/cover/order")!.key!;
  await sql`delete from cover_customers where id = ${customer}`;
  await sql`delete from cover_attempts where number = 2 and cover_id in (select id from covers where order_id = ${first})`;
  await sql`insert into cover_attempts (vendor_id, cover_id, number, kind, attempted_at, initiator, reason_class)
    select vendor_id, id, n, 'UNSCHEDULED', now(), 'MERCHANT', 'UNKNOWN' from covers, generate_series(4, 5) n where order_id = ${second}`;
  await sql`delete from idempotency_keys where key = ${key}`;
  expect(await findInconsistencies(sql, load.log)).toEqual(
    expect.arrayContaining([
      `customer ${customer} is lost`,
      `order ${first} has lost an attempt`,
      `order ${second} has an attempt too many`,
      "the answer of /cover/order is not kept under its key",
      expect.stringContaining("are not counted 1, 2, 3"),
    ]),
  );
});
