import fc from "fast-check";
import { getNamedType, type GraphQLObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { buildGatewaySchema } from "../../../src/graphql/schema.ts";
import { startDemo } from "../../demo/demo-gateway.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";
import { ODD_TEXT } from "../../support/odd-text.ts";
import { arbitrarySelection } from "../../support/random-selections.ts";
import { inForm } from "../../support/test-form.ts";

/* The text of a record that the database writes is, letter by letter, what graphql-js answers. */

const gateway = await startDemo();
const schema = buildGatewaySchema();

const run = (statement: string) => gateway.database.handle.execute(sql.raw(statement));
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

beforeAll(async () => {
  await run(`update customers set name = ${quote(ODD_TEXT)}, email = '', dormant_at = 'infinity' where id % 3 = 0`);
  await run(`update products set name = ${quote(ODD_TEXT)}, description = ${quote(ODD_TEXT)},
    image_urls = array['', ${quote(ODD_TEXT)}] where id % 2 = 0`);
  await run(`update orders set currency_price = '{"USD": "0.5", "KRW": "1900", "JPY": "100"}', exchange_rate = 0.000000000001,
    region = case when id % 4 = 0 then null else region end where id % 2 = 0`);
});

/** The bodies of the first run, by graphql-js, and of the third, which is compiled. */
async function bodiesOf(query: string): Promise<[string, string]> {
  const send = async () => {
    const { body } = await gateway.gateway.server.inject({
      method: "POST",
      url: "/graphql",
      headers: { "secret-token": gateway.vendor.token, "content-type": "application/json" },
      payload: { query },
    });
    return body.replace(/"traceId":"\w+"/g, "");
  };
  const first = await send();
  await send();
  return [first, await send()];
}

const lists = [
  ...["customers", "products", "pricePlans", "orders", "subscriptions", "invoices", "payments", "ledgerEntries"],
  ...["productsToApprove", "childVendors"],
];

describe("an answer with the database's text", () => {
  test.each(lists)("is what graphql-js answers, for any selection of %s", async (list) => {
    const connection = getNamedType(schema.getQueryType()!.getFields()[list]!.type) as GraphQLObjectType;
    const node = getNamedType(connection.getFields()["nodes"]!.type) as GraphQLObjectType;
    await fc.assert(
      fc.asyncProperty(arbitrarySelection(node, 3), fc.boolean(), async (selection, inEdges) => {
        const rows = inEdges ? `edges { cursor node { ${selection} } }` : `nodes { ${selection} }`;
        const [first, third] = await bodiesOf(`{ ${list}(first: 12) { ${rows} } }`);
        expect(third).toBe(first);
      }),
      { seed: PROPERTY_SEED, numRuns: inForm(12, 200) },
    );
  });

  test("is read by one statement", async () => {
    const query = "{ orders(first: 3) { nodes { id code region { code } items { status amount } } } }";
    await bodiesOf(query);
    gateway.statements.length = 0;
    await bodiesOf(query);
    const [page = ""] = gateway.statements.map(({ text }) => text).filter((text) => text.includes('from "orders"'));
    expect(page).toMatch(/^select \(concat\(/);
  });

  test("fails as graphql-js does where a record is missing that must not be", async () => {
    await run("alter table orders drop constraint orders_customer_fk");
    await run("update orders set customer_id = 999999 where id % 2 = 0");
    const [first, third] = await bodiesOf("{ orders(first: 3) { nodes { code customer { name } } } }");
    expect(first).toContain('"path":["orders","nodes",');
    expect(first).toContain("INTERNAL_ERROR");
    expect(third).toBe(first);
  });
});
