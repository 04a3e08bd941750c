import postgres from "postgres";
import { expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";

/* Each vendor has a share of the capacity: a vendor that sends too many requests is refused alone. */

const PATIENCE_MS = 60_000;
const gateway = await startGateway({
  connections: 4,
  admission: {
    vendors: { slots: 10, acquireTimeoutMs: PATIENCE_MS, maxWaiting: 2, startsOneAtATime: true },
    unknownCallers: { slots: 1, acquireTimeoutMs: PATIENCE_MS, maxWaiting: 1 },
  },
});

const small = await startGateway({ maxResponseCharacters: 3_000 });

/** Runs work while the table of the covers' customers is locked against reads and writes. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  const holder = await sql.reserve();
  try {
    await holder`begin`;
    await holder`lock table cover_customers in access exclusive mode`;
    return await work();
  } finally {
    await holder`rollback`;
    holder.release();
    await sql.end();
  }
}

test("a vendor whose requests hang is refused more of them, and another vendor is answered meanwhile", async () => {
  const other = await gateway.openVendor();
  // Before the lock, so that the tokens are known.
  await gateway.queryData("{ vendor { name } }");
  await gateway.queryData("{ vendor { name } }", {}, { token: other.token });
  const statuses = await whileLocked(async () => {
    const hanging = Array.from({ length: 12 }, (_, index) =>
      index % 2
        ? gateway.sendGraphQL("{ coverCustomers { totalCount } }")
        : gateway.sendRest("POST", "/cover/customer", {
            name: "Kim",
            email: "k@example.com",
            phone: "1",
            partnerCustomerId: `${index}`,
          }),
    );
    // Two wait for a slot; the rest of the queue is refused at once.
    const refused = await Promise.race(hanging);
    expect(refused).toMatchObject({ status: 429 });
    expect(await gateway.sendRest("GET", "/customers", undefined, { token: other.token })).toMatchObject({
      status: 200,
    });
    expect(await gateway.queryData("{ vendor { name } }", {}, { token: other.token })).toBeDefined();
    return hanging;
  }).then((hanging) => Promise.all(hanging));
  const refusals = statuses.filter(({ status }) => status === 429);
  expect(refusals.length).toBeGreaterThan(0);
  expect(statuses.every(({ status }) => [200, 201, 429].includes(status))).toBe(true);
  for (const answer of refusals)
    expect(answer).toMatchObject(
      "body" in answer
        ? { body: { errorCode: "TOO_MANY_REQUESTS" }, headers: { "retry-after": "1" } }
        : { errors: [{ extensions: { code: "TOO_MANY_REQUESTS", details: { retryAfter: 1 } } }] },
    );
  expect(await gateway.sendRest("GET", "/customers")).toMatchObject({ status: 200 });
});

test("senders of unknown tokens share one small bucket, and known tokens are not in it", async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      gateway.sendGraphQL("{ vendor { name } }", {}, { token: `unknown-${index}` }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([403, 403, 429, 429, 429, 429]);
  expect((await gateway.sendGraphQL("{ vendor { name } }")).status).toBe(200);
});

test("a query of many rows is cut off when the database takes long, and one of few rows is not", async () => {
  const dear = "{ coverCustomers(first: 100) { nodes { orders(first: 60) { nodes { code: databaseId } } } } }";
  const cheap = "{ coverCustomers(first: 100) { nodes { name } } }";
  const patient = await startGateway();
  // Once by graphql-js, then compiled.
  for (let time = 0; time < 2; time++)
    for (const query of [dear, cheap]) expect((await patient.sendRawGraphQL(query)).errors).toBeUndefined();
  const sql = postgres(patient.databaseUrl, { max: 1 });
  const holder = await sql.reserve();
  try {
    await holder`begin`;
    await holder`lock table cover_customers in access exclusive mode`;
    const waiting = patient.sendGraphQL(cheap);
    const refused = await patient.sendGraphQL(dear);
    expect(refused).toMatchObject({ data: null, errors: [{ extensions: { code: "QUERY_TOO_SLOW" } }] });
    expect(refused.errors![0]!.message).toContain("Request smaller slices");
    // It was sent before, and still waits.
    await holder`rollback`;
    expect((await waiting).errors).toBeUndefined();
  } finally {
    holder.release();
    await sql.end();
  }
  expect((await patient.sendGraphQL(dear)).errors).toBeUndefined();
});

test("an answer that is too large is refused before it is written", async () => {
  for (let index = 0; index < 30; index++)
    await small.queryData(
      'mutation ($email: Email!) { createCustomer(input: { name: "Kim Seo-yeon", email: $email, phone: "010-1234-5678" }) { customer { id } } }',
      { email: `kim${index}@example.com` },
    );
  expect(await small.sendRest("GET", "/customers?size=30")).toMatchObject({
    status: 400,
    body: { errorCode: "ANSWER_TOO_LARGE" },
  });
  const names = "{ customers(first: 100) { nodes { id code name email createdAt modifiedAt } } }";
  // Once by graphql-js, then compiled.
  for (let time = 0; time < 3; time++)
    expect((await small.sendGraphQL(names)).errors).toMatchObject([{ extensions: { code: "ANSWER_TOO_LARGE" } }]);
  expect((await small.sendGraphQL("{ customers(first: 3) { nodes { name } } }")).errors).toBeUndefined();
});
