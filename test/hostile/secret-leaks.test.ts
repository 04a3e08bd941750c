import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { contractRoutes } from "../../rest-compat/contract-routes.ts";
import { clusterUrl } from "../support/cluster-schemas.ts";
import { startGateway } from "../support/test-gateway.ts";
import { uniqueWord } from "../support/rest-assertions.ts";
import { uniqueName } from "../support/fixtures/cover-fixture.ts";
import { queryRows } from "./query-rows.ts";
import { createRecordFixtures } from "./record-fixtures.ts";
import {
  sampleDocument,
  schemaOperations,
  sampleRequest,
  sampleVariables,
  type SampleOptions,
} from "./sample-requests.ts";

const gateway = await startGateway({ now: "2026-03-01T09:30:00Z" });
const records = await createRecordFixtures(gateway);

/** Unique values; each is sent at every place where its type is allowed, and at places where it is not. */
const secret = {
  name: uniqueWord("Name"),
  email: `${uniqueWord("mail")}@example.com`,
  phone: "01098765432109",
  card: "5105105105105100",
  groupedCard: "6011 1111 1111 1117",
  token: gateway.vendor.token,
  wrongToken: uniqueWord("token"),
  key: uniqueWord("key"),
  password: uniqueWord("password"),
  consumerSecret: uniqueWord("consumerSecret"),
};
type Secret = keyof typeof secret;

/** Values of free text; the card numbers in them must be masked. */
const sentence = `declined ${secret.card}, then ${secret.groupedCard}`;

const taste: SampleOptions = {
  records,
  includesField: () => true,
  scalars: {
    Name: () => secret.name,
    Email: () => secret.email,
    Phone: () => secret.phone,
    Text: () => sentence,
    Password: () => secret.password,
  },
  fieldValues: { consumerSecret: secret.consumerSecret },
};

/** Values that no field is meant for, which must therefore be neither saved nor answered. */
const besides = {
  cardNumber: secret.card,
  memo: { email: secret.email, phone: secret.phone, token: secret.token },
  token: secret.wrongToken,
};

/** Keys that answers contained. */
const told = new Set<string>();

const codes = new Map<string, number>();
const count = (code: string) => codes.set(code, (codes.get(code) ?? 0) + 1);

/**
 * Instead of each value of a body in turn, the secrets as an object and as a list: no field accepts these except those
 * of arbitrary JSON.
 */
const misplaced = (body: object): object[] =>
  Object.keys(body)
    .filter((name) => name !== "customFields")
    .flatMap((name) => [besides, [[...Object.values(secret), sentence]]].map((wrong) => ({ ...body, [name]: wrong })));

async function send(
  method: "GET" | "POST" | "PUT" | "PATCH",
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await gateway.gateway.server.inject({
    method,
    url: `${url}?q=${encodeURIComponent(secret.email)}&card=${secret.card}`,
    headers: { "secret-token": secret.token, "content-type": "application/json", ...headers },
    ...(body !== undefined && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  for (const [key] of response.body.matchAll(/recoup_(?:payment_)?(?:live|test)_[\w-]{43}|whsec_[A-Za-z0-9+/]{43}=/g))
    told.add(key);
  const { errorCode, errors = [] } = JSON.parse(response.body || "{}");
  count(errorCode ?? errors[0]?.extensions.code ?? "DONE");
}

/**
 * Sends every route and every operation: correctly, with an unknown token, and, if `withRefused`, in requests that are
 * refused before they reach the database.
 */
async function sendEverything({ withRefused }: { withRefused: boolean }): Promise<void> {
  const refused = <T>(...bodies: T[]): T[] => (withRefused ? bodies : []);
  for (const route of contractRoutes) {
    const { path, body } = sampleRequest(route, taste);
    const url = `/api/v1${path}`;
    const bodies = body
      ? [{ ...body, ...besides }, ...refused<unknown>(...misplaced(body), `{"name": "${secret.name}", ${secret.email}`)]
      : [undefined];
    for (const one of bodies) await send(route.method, url, one, { "idempotency-key": uniqueName(secret.key) });
    await send(route.method, url, body, { "idempotency-key": secret.key });
    await send(route.method, url, body, { "secret-token": secret.wrongToken });
    if (!withRefused) continue;
    await send(route.method, url, body, { "content-type": `text/${secret.name}` });
    await send(
      route.method,
      `/api/v1${route.path.replace(/\{\w+\}/, encodeURIComponent(secret.email))}`,
      body && besides,
    );
    await send("GET", `${url}/${encodeURIComponent(secret.email)}`);
  }
  await send("GET", "/graphql", undefined, { "secret-token": secret.wrongToken });
  for (const operation of schemaOperations) {
    const query = sampleDocument(operation);
    const variables = sampleVariables(operation, taste);
    const input = variables["input"] as object | undefined;
    await send("POST", "/graphql", { query, variables });
    if (!withRefused) continue;
    for (const one of [
      ...misplaced(variables),
      ...misplaced(input ?? {}).map((wrong) => ({ ...variables, input: wrong })),
    ])
      await send("POST", "/graphql", { query, variables: one });
    await send("POST", "/graphql", {
      query: `{ ${operation.field.name}(x: "${secret.email} ${sentence}") { ${secret.name} } }`,
    });
    await send("POST", "/graphql", { query: query.replace("}", ` "${secret.email}`), variables });
  }
}

/** The secrets that a text contains, in any case. */
const secretsIn = (text: string): Secret[] =>
  (Object.keys(secret) as Secret[]).filter((name) => text.toLowerCase().includes(secret[name].toLowerCase()));

/** All schemas; on a cluster that of the test, because the others are of other tests. */
const searchedSchemas =
  clusterUrl === undefined
    ? "table_schema not in ('pg_catalog', 'information_schema')"
    : "table_schema = current_schema()";

/** The columns of each table, by the table's name with its schema. */
const columnsOfTables = new Map<string, string[]>();
for (const { place, column } of await queryRows<{ place: string; column: string }>(
  gateway,
  `select table_schema || '.' || table_name as place, column_name as column from information_schema.columns
   where ${searchedSchemas} order by 1, 2`,
))
  columnsOfTables.set(place, [...(columnsOfTables.get(place) ?? []), column]);

/** The columns that contain one of these values, whatever their type. One statement reads each table once. */
async function columnsWith(...values: string[]): Promise<string[]> {
  const wanted = sql`array[${sql.join(
    values.map((value) => sql`lower(${value})`),
    sql`, `,
  )}]`;
  const contains = (column: string) =>
    sql`bool_or(exists (select from unnest(wanted.texts) text where position(text in lower(${sql.raw(`t."${column}"`)}::text)) > 0))`;
  const nameOf = (place: string, column: string) => `${place.split(".").at(-1)!}.${column}`;
  const searches = [...columnsOfTables].map(([place, columns]) => {
    const found = columns.map((column) => sql`case when ${contains(column)} then ${nameOf(place, column)}::text end`);
    return sql`select unnest(array[${sql.join(found, sql`, `)}]) as found from ${sql.raw(place)} t, wanted`;
  });
  const rows = await queryRows<{ found: string }>(
    gateway,
    sql`with wanted as (select ${wanted} as texts)
      select found from (${sql.join(searches, sql` union all `)}) searched where found is not null order by found collate "C"`,
  );
  return rows.map(({ found }) => found);
}

describe("the sent values", () => {
  test("were accepted by some requests and refused by others", async () => {
    await sendEverything({ withRefused: true });
    expect([...codes.keys()]).toEqual(
      expect.arrayContaining([
        "DONE",
        "INVALID_ARGUMENT",
        "MALFORMED_JSON",
        "TOKEN_INVALID",
        "UNSUPPORTED_MEDIA_TYPE",
        "GRAPHQL_VALIDATION_FAILED",
      ]),
    );
    expect(codes.get("DONE")).toBeGreaterThanOrEqual(contractRoutes.length);
    expect(codes.has("INTERNAL_ERROR")).toBe(false);
  });

  /**
   * The columns where a value may be: it was sent to be saved there. Answers saved under an idempotency key repeat it.
   */
  const homes: Record<Secret, readonly string[]> = {
    name: [
      "cover_customers.name",
      "cover_prices.name",
      "cover_products.name",
      "customers.name",
      "customers.search_text",
      "idempotency_keys.body",
      "shipping_addresses.name",
      "vendors.name",
    ],
    email: [
      "cover_customers.email",
      "customers.additional_recipients",
      "customers.email",
      "customers.search_text",
      "idempotency_keys.body",
      "managers.username",
      "message_settings.reply_to",
      "vendor_settings.email",
    ],
    phone: [
      "cover_customers.phone",
      "customers.phone",
      "idempotency_keys.body",
      "managers.phone",
      "shipping_addresses.phone",
    ],
    card: [],
    groupedCard: [],
    token: [],
    wrongToken: [],
    key: ["idempotency_keys.key"],
    password: [],
    consumerSecret: [],
  };

  test.each(Object.keys(homes) as Secret[])("are saved in their own columns and nowhere else: the %s", async (name) => {
    expect(await columnsWith(secret[name])).toEqual(homes[name]);
  });

  test("do not include keys from answers: keys are neither saved nor logged", async () => {
    expect([...told].filter((key) => key.startsWith("recoup_payment_")).length).toBeGreaterThan(0);
    const some = [...told].slice(-10);
    expect(await columnsWith(...some, ...some.map((key) => Buffer.from(key).toString("hex")))).toEqual([]);
    expect(gateway.logLines.filter((line) => some.some((key) => line.includes(key)))).toEqual([]);
  });

  test("are saved only in transformed form where the plain form is not allowed", async () => {
    const [row] = await queryRows<{ secrets: number; passwords: number }>(
      gateway,
      `select (select count(*)::int from vendor_settings where consumer_secret is not null) as secrets,
         (select count(*)::int from managers where username = '${secret.email}') as passwords`,
    );
    expect(row!.secrets).toBeGreaterThan(0);
    expect(row!.passwords).toBeGreaterThan(0);
  });

  test.each(["password", "consumerSecret"] as const)("are in no column of bytes either: the %s", async (name) => {
    expect(await columnsWith(Buffer.from(secret[name]).toString("hex"))).toEqual([]);
  });

  test("are in no line of the log", () => {
    expect(gateway.logLines.length).toBeGreaterThan(100);
    expect(gateway.logLines.filter((line) => secretsIn(line).length > 0)).toEqual([]);
  });
});

/** Breaks the database in one way after another; in the end no route works at all. */
const breakages = {
  "a table of the timeline is missing": ["alter table event_log rename to lost_events"],
  "a constraint refuses every customer": [
    "alter table cover_customers add constraint refuses_all check (false) not valid",
  ],
  // Citus takes one statement at a time.
  "the tables of orders and products are missing": [
    "alter table cover_orders rename to lost_orders",
    "alter table cover_products rename to lost_products",
  ],
  "no answer can be saved": ["alter table idempotency_keys rename to lost_keys"],
  "no token can be looked up": ["alter table api_keys rename to lost_api_keys"],
};

describe.each(Object.entries(breakages))("when %s", (_, statements) => {
  test("work fails with INTERNAL_ERROR, and the log still contains nothing that was sent", async () => {
    for (const statement of statements) await queryRows(gateway, statement);
    codes.clear();
    gateway.logLines.length = 0;
    await sendEverything({ withRefused: false });
    expect(codes.get("INTERNAL_ERROR")).toBeGreaterThan(0);
    expect(gateway.logLines.some((line) => JSON.parse(line).msg === "failed")).toBe(true);
    expect(gateway.logLines.filter((line) => secretsIn(line).length > 0)).toEqual([]);
  });
});
