import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { uniqueWord } from "../../support/rest-assertions.ts";

const gateway = await startGateway();

/** Values that must stay out of the log; each is sent in its place. */
const secret = {
  name: uniqueWord("Name"),
  email: `${uniqueWord("mail")}@example.com`,
  phone: "01098765432109",
  partnerId: uniqueWord("partner"),
  info: uniqueWord("info"),
  errorCode: uniqueWord("code"),
  errorMessage: uniqueWord("message"),
  unknown: uniqueWord("unknown"),
  query: uniqueWord("query"),
  path: uniqueWord("path"),
  header: uniqueWord("header"),
  badToken: uniqueWord("token"),
  image: `https://${uniqueWord("image")}.example.com`,
  word: uniqueWord("WORD"),
  card: "4242424242424242",
};

const customer = {
  name: secret.name,
  email: secret.email,
  phone: secret.phone,
  partnerCustomerId: secret.partnerId,
  memo: secret.unknown,
};
const query = `?x=${secret.query}&${secret.query}=1`;

/** Sends every operation, so that the requests succeed and fail in every way. */
async function sendEverything() {
  const statuses: number[] = [];
  const send = async (
    method: "GET" | "POST" | "PUT" | "PATCH",
    path: string,
    body?: unknown,
    token?: string | null,
    type?: string,
  ) => {
    const headers = { "x-note": secret.header, ...(type && { "content-type": type }) };
    const answer = await gateway.sendRawRest(method, `${path}${query}`, body, { token, headers });
    statuses.push(answer.status);
    return answer.body;
  };

  const { id: customerId } = await send("POST", "/cover/customer", customer);
  const { id: productId } = await send("POST", "/cover/product", {
    name: secret.name,
    partnerProductId: secret.partnerId,
    featuredImageUrl: secret.image,
  });
  const { id: priceId } = await send("POST", "/cover/price", {
    name: secret.name,
    productId,
    price: 5,
    partnerPriceId: secret.partnerId,
  });
  const subscription = {
    customerId,
    currentPeriodStart: "2026-02-01T00:00:00Z",
    currentPeriodEnd: "2026-03-01T00:00:00Z",
    recurringInterval: "MONTH",
    recurringIntervalCount: 1,
    partnerSubscriptionId: secret.partnerId,
  };
  const { id: subscriptionId } = await send("POST", "/cover/subscription", subscription);
  const order = {
    customerId,
    amount: 5,
    items: [{ quantity: 1, priceId }],
    partnerOrderId: secret.partnerId,
    paymentInfo: `${secret.info} ${secret.card}`,
    paymentFailed: true,
    errorCode: secret.errorCode,
    errorMessage: secret.errorMessage,
    idKey: secret.info,
  };
  const { id: orderId } = await send("POST", "/cover/order", order);
  await send("POST", "/cover/recovery", {
    subscriptionId,
    orderId,
    errorCode: secret.errorCode,
    errorMessage: secret.errorMessage,
  });
  await send("PATCH", `/cover/order/success/${orderId}`);
  await send("PUT", `/cover/subscription/${subscriptionId}/cancel`);

  await send("POST", "/cover/customer", customer);
  await send("POST", "/cover/customer", { ...customer, email: `no ${secret.email}`, phone: { secret: secret.phone } });
  await send("POST", "/cover/subscription", {
    ...subscription,
    recurringInterval: secret.word,
    trialStart: secret.word,
  });
  await send("POST", "/cover/order", {
    ...order,
    customerId: secret.word,
    amount: secret.word,
    paymentGateway: secret.word,
  });
  await send("POST", "/cover/customer", `{"name": "${secret.name}", "email": ${secret.email}`);
  await send("POST", "/cover/customer", `{"name":"${secret.name}","name":"${secret.email}"}`);
  await send("POST", "/cover/customer", secret.name, undefined, "text/plain");
  await send("POST", "/cover/customer", secret.name.repeat(70_000));
  await send("POST", "/cover/customer", customer, secret.badToken);
  await send("POST", "/cover/customer", customer, null);
  await send("GET", `/cover/${secret.path}`);
  await send("GET", "/cover/customer");
  await send("PATCH", `/cover/order/cancel/${secret.path}`);
  await send("PATCH", `/cover/order/success/${orderId}?notify=${secret.query}&y=`);

  await gateway.database.handle.execute(sql`alter table cover_customers rename column phone to telephone`);
  await send("POST", "/cover/customer", { ...customer, partnerCustomerId: `${secret.partnerId}-2` });
  await gateway.database.handle.execute(sql`alter table cover_customers rename column telephone to phone`);
  await gateway.sendRest("PUT", `/cover/subscription/%zz${secret.path}/cancel`);
  await gateway.sendRawGraphQL(
    `query ${secret.word} { coverCustomer(partnerCustomerId: "${secret.partnerId}") { ${secret.word} } }`,
    { v: secret.email },
  );
  await gateway.sendRawGraphQL(`query Own($v: String!) { coverOrder(partnerOrderId: $v) { id } }`, {
    v: { name: secret.name },
  });
  return statuses;
}

test("the log has one line for each request and nothing of its content, however the request ended", async () => {
  const tokens = [gateway.vendor.token, secret.badToken];
  gateway.logLines.length = 0;
  const statuses = await sendEverything();
  expect([...new Set(statuses)].sort()).toEqual([200, 201, 400, 403, 404, 405, 413, 415, 500]);
  const answered = gateway.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "answered");
  expect(answered.slice(0, statuses.length).map(({ status }) => status)).toEqual(statuses);

  const log = gateway.logLines.join("\n").toLowerCase();
  const leaked = [...Object.values(secret), ...tokens].filter((value) => log.includes(value.toLowerCase()));
  expect(leaked).toEqual([]);
});

test("a line shows the method, the route, the status, the vendor, the code and the duration", async () => {
  gateway.logLines.length = 0;
  await gateway.sendRest("PATCH", `/cover/order/cancel/4000000${query}`);
  expect(gateway.logLines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: "answered",
      method: "PATCH",
      route: "/api/v1/cover/order/cancel/:orderId",
      status: 400,
      vendorId: gateway.vendor.id,
      errorCode: "ORDER_NOT_FOUND",
      milliseconds: expect.any(Number),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    }),
  ]);
});

test("a server error is logged with its statement, its cause and its trace, not with its values", async () => {
  gateway.logLines.length = 0;
  await gateway.database.handle.execute(sql`alter table cover_customers rename column phone to telephone`);
  const answer = await gateway.post("/cover/customer", { ...customer, partnerCustomerId: `${secret.partnerId}-3` });
  await gateway.database.handle.execute(sql`alter table cover_customers rename column telephone to phone`);
  const failures = gateway.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "failed");
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatchObject({
    level: 50,
    traceId: answer.body.traceId,
    error: { statement: expect.stringMatching(/^insert into "cover_customers"/) },
  });
});
