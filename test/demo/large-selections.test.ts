import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { restOrderQuery } from "../../bench/support/orders-queries.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { startDemo } from "./demo-gateway.ts";

/*
 * A document that is seen for the first time is answered by graphql-js, and the records of a large selection are read by several
 * statements. Repeated documents are read as text by other statements. Both have to find the same.
 */

const gateway = await startDemo();

const OF_CHILDREN = `where "orders"."parent_vendor_id" = `;
/** Reading all of the demo's orders takes long. */
const EVERY = 5;
/** Lists of an order, each with all that the contract shows below it. */
const LISTS = ["items", "orderLogs", "subscriptions", "relatedOrders"] as const;

test("large selections find what one statement finds, in parts that are small", async () => {
  const repeated = await restOrderQuery();
  const orders = await queryRows<{ code: string }>(
    gateway,
    sql`select code from orders where vendor_id = ${gateway.vendor.id} and id % ${EVERY} = 0 order by id`,
  );
  const read = async (query: string, idOrCode: string) =>
    (await gateway.queryRawData(query, { idOrCode })).orderByIdOrCode;
  await read(repeated, orders[0]!.code);
  const rowsByList = new Map<string, number>();
  for (const [index, { code }] of orders.entries()) {
    gateway.statements.length = 0;
    const inParts = await read(repeated.replace("query GetOrder", `query GetOrder${index}`), code);
    // Orders of child vendors are read with all that is below them.
    const lengths = gateway.statements.map(({ text }) => (text.includes(OF_CHILDREN) ? 0 : text.length));
    expect(inParts).toEqual(await read(repeated, code));
    expect(Math.max(...lengths)).toBeLessThan(20_000);
    for (const list of LISTS) rowsByList.set(list, (rowsByList.get(list) ?? 0) + Number(inParts[list].length));
  }
  expect(LISTS.filter((list) => !rowsByList.get(list))).toEqual([]);
});
