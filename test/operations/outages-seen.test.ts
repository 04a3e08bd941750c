import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../faults/harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "../faults/harness/gateway-process.ts";
import { SmallDisk } from "../faults/harness/small-disk.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { cardInput, testCards } from "../support/test-payments.ts";
import { logLinesOf, postGraphql, scrape } from "./operators-view.ts";

/* What an operator sees before a customer writes: a payment gateway that does not answer, and a disk that fills. */

const settings = { METRICS_PORT: "0", LOG_LEVEL: "info", SECRETS_KEY: SECRETS_KEY.toString("base64") };
/** Enough for the embedded database with the demo, and for its log. */
const DISK_MEGABYTES = 400;
const LIMIT_MS = 60_000;

beforeAll(buildOnce);

const linesWith = (process: GatewayProcess, message: string) =>
  logLinesOf(process).filter(({ msg }) => msg === message);

test("a payment gateway that does not answer is seen in the metrics and in the log", async () => {
  const gateway = await GatewayProcess.start({ ...settings, DATABASE_URL: await createDatabase() });
  const send = async (query: string, variables: object = {}) =>
    (
      (await (await postGraphql(gateway, query, variables)).json()) as {
        data: { createOrder: { order: { id: string } } };
      }
    ).data;
  await send(`mutation { configurePaymentGateway(input: { paymentGateway: HOUSE }) { account { databaseId } } }`);
  const callsOf = async (outcome: string) =>
    [...(await scrape(gateway))]
      .filter(([series]) => series.startsWith("recoup_payment_gateway_seconds_count"))
      .filter(([series]) => series.includes(`gateway="HOUSE"`) && series.includes(`outcome="${outcome}"`))
      .reduce((total, [, count]) => total + count, 0);
  const pay = async (card: string) => {
    const { createOrder } = await send(
      `mutation { createOrder(input: { customerId: "1", items: [{ productCode: "product_HouseBean", priceCode: "price_HouseBea2" }] }) { order { id } } }`,
    );
    return send(`mutation ($input: PayOrderInput!) { payOrder(input: $input) { payment { state } } }`, {
      input: { orderId: createOrder.order.id, method: "CARD", card: cardInput(card) },
    });
  };

  await pay(testCards.insufficientFunds);
  expect([await callsOf("answered"), await callsOf("failed")]).toEqual([1, 0]);
  expect(linesWith(gateway, "payment gateway failed")).toEqual([]);
  for (let times = 0; times < 6; times++) await pay(testCards.down);
  expect(await callsOf("failed")).toBeGreaterThanOrEqual(5);
  expect(await callsOf("suspended")).toBeGreaterThanOrEqual(1);
  const failures = () => linesWith(gateway, "payment gateway failed");
  await waitUntil("the log had said it", async () => failures().length > 0, LIMIT_MS);
  expect(failures()[0]).toMatchObject({
    ...{ level: 40, gateway: "HOUSE", call: "charge", fault: "UNKNOWN" },
    ...{ vendorId: expect.any(Number), milliseconds: expect.any(Number) },
  });
  expect(gateway.output).not.toContain(testCards.down);
  await gateway.kill();
}, 120_000);

const disk = await SmallDisk.mount(DISK_MEGABYTES);

describe.runIf(disk)("a disk that fills", () => {
  test("is seen in the metrics and in the log before it is full, and when it is", async () => {
    const gateway = await GatewayProcess.start({ ...settings, DATA_DIR: disk!.folder });
    onTestFinished(async () => {
      await gateway.stop();
    });
    const freeBytes = async () => (await scrape(gateway)).get("recoup_data_directory_free_bytes")!;
    const item = { productCode: "product_HouseBean", priceCode: "price_HouseBea2" };
    const write = async () =>
      (
        await fetch(`${gateway.address}/api/v1/orders`, {
          method: "POST",
          headers: { "content-type": "application/json", "secret-token": TOKEN },
          body: JSON.stringify({ customerId: 1, items: [item] }),
        })
      ).status;
    const size = (await scrape(gateway)).get("recoup_data_directory_size_bytes")!;
    expect(size).toBe(DISK_MEGABYTES * 1024 ** 2);
    expect(await freeBytes()).toBeGreaterThan(size / 10);
    expect(await write()).toBe(201);

    await disk!.fillUp({ leave: DISK_MEGABYTES / 20 });
    expect(await freeBytes()).toBeLessThan(size / 10);
    const warning = "the disk of the data directory is nearly full";
    await waitUntil("the log had said it", async () => linesWith(gateway, warning).length > 0, LIMIT_MS);
    expect(await write()).toBe(201);

    await disk!.freeSpace();
    await disk!.fillUp();
    let status = 201;
    await waitUntil("a write was refused", async () => (status = await write()) !== 201, LIMIT_MS);
    expect(status).toBe(503);
    const says53100 = async () => JSON.stringify(linesWith(gateway, "failed")).includes("53100");
    await waitUntil("the log had said why", says53100, LIMIT_MS);
    const refused = [...(await scrape(gateway))].filter(([series]) => series.includes('outcome="unavailable"'));
    expect(refused.length).toBeGreaterThan(0);
    await disk!.freeSpace();
    await waitUntil("it was written again", async () => (await write()) === 201, LIMIT_MS);
  }, 180_000);
});
