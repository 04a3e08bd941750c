import fc from "fast-check";
import { getNamedType, type GraphQLObjectType } from "graphql";
import { describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { markDistributed } from "../../../src/database/distributed-handles.ts";
import { buildGatewaySchema } from "../../../src/graphql/schema.ts";
import { startDemo } from "../../demo/demo-gateway.ts";
import { firstOf } from "../../../src/kernel/required-values.ts";
import type { RawData } from "../../support/raw-data.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";
import { arbitrarySelection } from "../../support/random-selections.ts";
import { ODD_TEXT } from "../../support/odd-text.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { inForm } from "../../support/test-form.ts";

/* From a cluster the values of a record are read, and code writes its text: letter by letter what graphql-js answers. */

const gateway = await startDemo();
const schema = buildGatewaySchema();
const run = (statement: string) => gateway.database.handle.execute(sql.raw(statement));
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

await run(`update customers set name = ${quote(ODD_TEXT)}, email = '', dormant_at = 'infinity' where id % 3 = 0`);
await run(`update products set name = ${quote(ODD_TEXT)}, image_urls = array['', ${quote(ODD_TEXT)}] where id % 2 = 0`);
await run(`update orders set currency_price = '{"USD": "0.5", "KRW": "1900"}', exchange_rate = 0.000000000001,
  paid_amount = paid_amount + 123456789012.345678, region = null where id % 2 = 0`);
markDistributed(gateway.database.handle);

const send = async (query: string): Promise<string> => {
  const { body } = await gateway.gateway.server.inject({
    method: "POST",
    url: "/graphql",
    headers: { "secret-token": gateway.vendor.token, "content-type": "application/json" },
    payload: { query },
  });
  return body.replace(/,"traceId":"\w+"|"traceId":"\w+",?/g, "");
};

/** The data of an answer without errors. A random selection that is refused for its size is not a case. */
async function answerOf(query: string): Promise<RawData> {
  const { data, errors } = JSON.parse(await send(query));
  fc.pre(errors?.[0].extensions.code !== "QUERY_TOO_COSTLY");
  expect(errors).toBeUndefined();
  return data;
}

/** The bodies of the first run, by graphql-js, and of the third, which is compiled. */
async function bodiesOf(query: string): Promise<[string, string]> {
  const first = await send(query);
  await send(query);
  return [first, await send(query)];
}

const kinds = ["customer", "product", "pricePlan", "order", "subscription", "invoice", "payment"];

describe("a record of a cluster", () => {
  test.each(kinds)("is what graphql-js answers, for any selection of one %s", async (kind) => {
    const type = getNamedType(schema.getQueryType()!.getFields()[kind]!.type) as GraphQLObjectType;
    const list = JSON.parse(await send(`{ ${kind}s(first: 30) { nodes { id } } }`)) as {
      data: Record<string, { nodes: { id: string }[] }>;
    };
    const ids = firstOf(Object.values(list.data)).nodes.map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(arbitrarySelection(type, 3), fc.constantFrom(...ids), async (selection, id) => {
        const [first, third] = await bodiesOf(`{ ${kind}(id: "${id}") { ${selection} } }`);
        expect(third).toBe(first);
      }),
      { seed: PROPERTY_SEED, numRuns: inForm(20, 300) },
    );
  });

  test("is complete in the answer of its creation, which leaves out what a new order cannot have", async () => {
    const [offer] = await queryRows<{ product: string; plan: string; customer: string }>(
      gateway,
      `select p.code as product, l.code as plan,
        (select min(id) from customers where vendor_id = p.vendor_id and erased_at is null) as customer
        from products p join price_plans l on l.vendor_id = p.vendor_id and l.product_id = p.id
        where p.vendor_id = ${gateway.vendor.id} and p.status = 'SALE' and l.type = 'FLAT' and p.quantity is null
          and not p.is_onetime_purchasable order by p.id limit 1`,
    );
    const { product, plan, customer } = offer!;
    const items = `[{ productCode: "${product}", priceCode: "${plan}" }]`;
    const create = async (selection: string) =>
      (
        await answerOf(
          `mutation { createOrder(input: { customerId: "${customer}", items: ${items} }) { order { ${selection} } } }`,
        )
      ).createOrder.order;
    await fc.assert(
      fc.asyncProperty(arbitrarySelection(schema.getType("Order") as GraphQLObjectType, 3), async (random) => {
        const selection = `number: databaseId ${random}`;
        // The third run is compiled.
        for (let turn = 0; turn < 2; turn++) await create(selection);
        const created = await create(selection);
        const { order } = await answerOf(`{ order(id: "${created.number}") { ${selection} } }`);
        expect(created).toEqual(order);
      }),
      { seed: PROPERTY_SEED, numRuns: inForm(10, 100) },
    );
    for (let turn = 0; turn < 3; turn++) {
      gateway.statements.length = 0;
      await create("databaseId payment { state } orderLogs { content } items { histories { status } }");
    }
    const answer = gateway.statements
      .map(({ text }) => text)
      .find((text) => text.startsWith("select json_build_array("));
    expect(answer).toContain('from "order_items"');
    expect(answer).not.toMatch(/payments|order_logs|order_item_histories/);
    // What happens between the commit and the read of the answer is in it.
    await run(`create function change_new_order() returns trigger language plpgsql as $$ begin
      insert into order_logs (vendor_id, order_id, type, content, created_at) values (new.vendor_id, new.id, 'SYSTEM', 'changed', now());
      update orders set modified_at = created_at + interval '1 second' where vendor_id = new.vendor_id and id = new.id; return null; end $$`);
    await run(`create constraint trigger change_new_order after insert on orders deferrable initially deferred
      for each row execute function change_new_order()`);
    const changed = await create("databaseId payment { state } orderLogs { content } items { histories { status } }");
    expect(changed.orderLogs).toEqual([{ content: "changed" }]);
    await run("drop trigger change_new_order on orders");
  });

  test("is read by one statement, which has the values alone", async () => {
    const query = "{ order(id: 1) { id code createdAt paidAmount region { code } items { status amount } } }";
    await bodiesOf(query);
    gateway.statements.length = 0;
    await bodiesOf(query);
    const statements = gateway.statements.map(({ text }) => text).filter((text) => text.includes('from "orders"'));
    expect(statements).toEqual([
      ...[expect.any(String), expect.any(String), expect.stringMatching(/^select json_build_array\("orders"\."id", /)],
    ]);
  });

  test("fails as graphql-js does where a record is missing that must not be", async () => {
    await run("alter table orders drop constraint orders_customer_fk");
    await run("update orders set customer_id = 999999 where id = 1");
    const [first, third] = await bodiesOf("{ order(id: 1) { code customer { name } } }");
    expect(first).toContain("INTERNAL_ERROR");
    expect(third).toBe(first);
  });
});
