import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { createServices } from "../../src/graphql/services.ts";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import type { RawData } from "../support/raw-data.ts";
import { numberEvents } from "../support/number-events.ts";
import { SECRETS_KEY, startGateway, type TestVendor } from "../support/test-gateway.ts";
import { createDispatcher, deliverWebhooks, WebhookReceiver } from "../support/webhook-receiver.ts";
import { queryRows } from "./query-rows.ts";

/* Receivers and merchants that mean harm: what they get, and what others notice of it. */

const gateway = await startGateway({ now: new Date().toISOString(), allowPrivateWebhooks: true });
const receiver = await WebhookReceiver.start();

const CREATE =
  "mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { secret endpoint { id databaseId } } }";
const create = (vendor: TestVendor, input: object) => gateway.sendRawGraphQL(CREATE, { input }, vendor);
const sendTest = (vendor: TestVendor, endpointId: string) =>
  gateway.sendRawGraphQL(
    "mutation ($id: ID!) { sendTestWebhook(input: { endpointId: $id }) { delivery { state } } }",
    { id: endpointId },
    vendor,
  );
const codesOf = ({ errors }: { errors: RawData }): string[] =>
  (errors ?? []).map(({ extensions }: RawData) => extensions.code as string);

/** Answers each connection in a way of its own, and reads what it sends. @returns the URL. */
async function serve(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Writes a text again and again until the connection ends. */
const repeat = (socket: Socket, text: string, everyMs: number) => {
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else socket.write(text);
  }, everyMs);
  socket.on("close", () => clearInterval(timer));
};
/** Writes a text without end, as fast as it is read. */
const flood = (socket: Socket, text: string) => {
  const write = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on("drain", write);
  write();
};

const DEAD_VENDORS = 200;
const HEAD = "HTTP/1.1 200 OK\r\n";

describe("a hostile answer", () => {
  test("ends within seconds, is recorded, and holds up no other endpoint", async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const answers: Record<string, [answer: (socket: Socket) => void, status: number | null, error: RegExp | null]> = {
      "no answer": [() => undefined, null, /no answer within 15 seconds/],
      "a head byte by byte": [(socket) => repeat(socket, "H", 100), null, /failed|no answer/],
      "headers byte by byte": [
        (socket) => void socket.write(HEAD, () => repeat(socket, "a", 100)),
        null,
        /no answer within 15 seconds/,
      ],
      "a body byte by byte": [
        (socket) => void socket.write(`${HEAD}content-length: 1000\r\n\r\n`, () => repeat(socket, "b", 1_000)),
        null,
        /no answer within 15 seconds/,
      ],
      "an endless body": [
        (socket) => void socket.write(`${HEAD}\r\n`, () => flood(socket, "c".repeat(65_536))),
        200,
        null,
      ],
      "endless headers": [
        (socket) => void socket.write(HEAD, () => flood(socket, `x: ${"d".repeat(1_000)}\r\n`)),
        null,
        /headers of the answer are too long/,
      ],
      "endless interim answers": [
        (socket) => flood(socket, "HTTP/1.1 100 Continue\r\n\r\n"),
        null,
        /only interim ones/,
      ],
      "another protocol": [
        (socket) =>
          void socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
        null,
        /another protocol/,
      ],
      "no HTTP": [(socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n"), null, /connection failed/],
      "two lengths": [
        (socket) => void socket.end(`${HEAD}content-length: 3\r\ncontent-length: 5\r\n\r\nabc`),
        null,
        /connection failed/,
      ],
      "a redirect to the metadata of the cloud": [
        (socket) => void socket.end("HTTP/1.1 307 x\r\nlocation: http://169.254.169.254/latest\r\n\r\n"),
        307,
        /Redirects are not followed/,
      ],
      "bytes that are no text": [
        (socket) => void socket.end(Buffer.concat([Buffer.from(`${HEAD}\r\n`), Buffer.from([0, 0xff, 0xfe, 0xd8, 0])])),
        200,
        null,
      ],
    };
    const names = Object.keys(answers);
    const ids: Record<string, number> = {};
    for (const name of names) {
      const { data } = await create(vendor, { url: await serve(answers[name]![0]), description: name });
      ids[name] = Number(data.createWebhookEndpoint.endpoint.databaseId);
      await sendTest(vendor, data.createWebhookEndpoint.endpoint.id);
    }
    const good = await create(vendor, { url: receiver.url });
    await sendTest(vendor, good.data.createWebhookEndpoint.endpoint.id);
    const dispatcher = createDispatcher(gateway);
    const started = Date.now();
    await dispatcher.runTurn();
    await expect.poll(() => receiver.received.length, { timeout: 12_000 }).toBe(1);
    await dispatcher.waitForAttempts();
    expect(Date.now() - started).toBeLessThan(25_000);
    for (const name of names) {
      const [attempt] = await queryRows<{ status: number | null; error: string | null; response: string | null }>(
        gateway,
        `select a.status, a.error, a.response from webhook_attempts a join webhook_deliveries d
          on d.vendor_id = a.vendor_id and d.id = a.delivery_id where a.vendor_id = ${vendor.id} and d.endpoint_id = ${ids[name] ?? 0}`,
      );
      const [, status, error] = answers[name]!;
      expect(attempt, name).toMatchObject({ status, error: error ? expect.stringMatching(error) : null });
      expect((attempt!.response ?? "").length, name).toBeLessThanOrEqual(1_024);
    }
  }, 60_000);
});

describe("a hostile merchant", () => {
  test("cannot put line breaks into a URL, a header or a log", async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    for (const url of [
      "http://127.0.0.1:9999/\r\nx-injected: 1",
      "http://127.0.0.1:9999/ HTTP/1.1",
      "http://127.0.0.1\t:9999/",
      " http://127.0.0.1:9999/",
      "http://127.0.0.1:9999/\u2028",
    ])
      expect(codesOf(await create(vendor, { url })), url).toHaveLength(1);
    const { data } = await create(vendor, {
      url: `${receiver.origin}/%0d%0ax-injected:%201?a=%0a`,
      description: "a\r\nx-injected: 2",
    });
    receiver.take();
    await sendTest(vendor, data.createWebhookEndpoint.endpoint.id);
    await deliverWebhooks(gateway, createDispatcher(gateway));
    const [webhook] = receiver.take();
    expect([webhook!.path, webhook!.headers["x-injected"]]).toEqual(["/%0d%0ax-injected:%201?a=%0a", undefined]);
    const secret = (data.createWebhookEndpoint.secret as string).slice(6, 30);
    expect(JSON.stringify([gateway.logLines, webhook])).not.toContain(secret);
  });

  test("has 20 endpoints at most when it creates 40 at the same time", async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const answers = await Promise.all(Array.from({ length: 40 }, () => create(vendor, { url: receiver.url })));
    expect(answers.flatMap(codesOf)).toEqual(Array.from({ length: 20 }, () => "TOO_MANY_WEBHOOK_ENDPOINTS"));
  });

  test("cannot queue tests without end", async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const { data } = await create(vendor, { url: receiver.url });
    const { id, databaseId } = data.createWebhookEndpoint.endpoint;
    await queryRows(
      gateway,
      `insert into webhook_deliveries (vendor_id, endpoint_id, event_id, event_type, body, state, created_at)
        select ${vendor.id}, ${databaseId}, 'evt_test_' || n, 'webhook.test', '{}', 'PENDING', now() from generate_series(1, 1000) n
        returning id`,
    );
    expect(codesOf(await sendTest(vendor, id))).toEqual(["TOO_MANY_WEBHOOK_DELIVERIES"]);
  });

  test("keeps a replay of many events in the log, and not in the table of deliveries", async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const { data } = await create(vendor, { url: receiver.url });
    const { id, databaseId } = data.createWebhookEndpoint.endpoint;
    await gateway.database.transaction((handle) =>
      createServices(handle, gateway.clock.now()).events.recordModuleEvents(
        vendor.id,
        ...Array.from({ length: 5_300 }, (_, index) => ({
          ...{ type: "ORDER_CHANGED" as const, subject: "COVER_ORDER" as const, subjectId: index, coverOrderId: index },
          ...{ trigger: "ORDER_UPDATED", actor: "SYSTEM" as const },
        })),
      ),
    );
    await numberEvents(gateway);
    const read = async () => {
      const readNext = () =>
        gateway.database.transaction((handle) =>
          createServices(handle, gateway.clock.now()).webhookFanOut.readNextEvents(vendor.id, databaseId, 500),
        );
      while ((await readNext()) > 0);
    };
    await read();
    for (let replays = 0; replays < 3; replays++) {
      const from = new Date(gateway.clock.now().getTime() - 1_000).toISOString();
      const replay = "mutation ($input: ReplayWebhooksInput!) { replayWebhooks(input: $input) { endpoint { id } } }";
      await gateway.sendRawGraphQL(replay, { input: { endpointId: id, from } }, vendor);
      await read();
    }
    const [row] = await queryRows<{ count: number }>(
      gateway,
      `select count(*)::int as count from webhook_deliveries where vendor_id = ${vendor.id}`,
    );
    expect(row!.count).toBeLessThan(10_500);
  });

  test("with ten thousand dead endpoints holds up no other vendor", async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const url = await serve(() => undefined);
    const vault = new SecretVault([SECRETS_KEY]);
    for (let count = 0; count < DEAD_VENDORS; count++) {
      const { id } = await gateway.openVendor({ sandbox: true });
      const secret = vault.encrypt(`whsec_${"A".repeat(43)}=`, `webhook_endpoints.secret ${id}`).toString("hex");
      await queryRows(
        gateway,
        `with endpoints as (
          insert into webhook_endpoints (vendor_id, url, secret, last_read_number, due_at, failing_since, created_at, modified_at)
          select ${id}, '${url}', '\\x${secret}', 0, now() - interval '1 day', now(), now(), now()
          from generate_series(1, ${10_000 / DEAD_VENDORS}) n returning vendor_id, id)
        insert into webhook_deliveries (vendor_id, endpoint_id, event_id, event_type, body, state, due_at, created_at)
        select vendor_id, id, 'evt_test_1', 'webhook.test', '{}', 'PENDING', now() - interval '1 day', now()
        from endpoints, generate_series(1, 8) returning id`,
      );
    }
    const healthy = await WebhookReceiver.start();
    const { data } = await create(vendor, { url: healthy.url });
    await sendTest(vendor, data.createWebhookEndpoint.endpoint.id);
    const dispatcher = createDispatcher(gateway);
    const started = Date.now();
    while (healthy.received.length === 0 && Date.now() - started < 20_000) await dispatcher.runTurn();
    expect(healthy.received).toHaveLength(1);
    // Sooner than one of the dead ones has used its 15 seconds.
    expect(Date.now() - started).toBeLessThan(12_000);
    void dispatcher.stop();
  });
});
