import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";

const gateway = await startGateway();
await gateway.gateway.server.listen({ host: "127.0.0.1", port: 0 });
const { port } = gateway.gateway.server.server.address() as AddressInfo;
const token = gateway.vendor.token;

/** Longer than a gateway waits for the rest of a request. */
const REST_MS = 14_000;
/** The deadline for closing the connection, on a machine that is busy testing too. */
const LIMIT_MS = 30_000;

/**
 * Sends the beginning at once and then a byte again and again. Returns the answer, and the time until the connection
 * ended.
 */
async function trickle(beginning: string, byte: string) {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  socket.on("error", () => undefined);
  const begun = performance.now();
  const closed = once(socket, "close");
  socket.write(beginning);
  const drops = setInterval(() => socket.write(byte), 250);
  await Promise.race([closed, sleep(LIMIT_MS + 3_000)]);
  clearInterval(drops);
  const took = performance.now() - begun;
  socket.destroy();
  return { answer, took };
}

/** Opens one persistent connection. */
const lasting = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends a request on the agent's connection. */
async function call(agent: Agent, method: string, path: string, body = ""): Promise<{ status: number; port: number }> {
  const headers = { "secret-token": token, ...(body && { "content-type": "application/json" }) };
  const sent = request({ port, host: "127.0.0.1", method, path, headers, agent });
  sent.end(body);
  const [response] = await once(sent, "response");
  const { localPort } = response.socket;
  response.resume();
  await once(response, "end");
  return { status: response.statusCode, port: localPort };
}

const post = `POST /api/v1/cover/product HTTP/1.1\r\nhost: x\r\nsecret-token: ${token}\r\n`;

describe.concurrent("a connection", { timeout: 90_000 }, () => {
  test.each([
    ["whose body never ends", `${post}content-type: application/json\r\ncontent-length: 9999\r\n\r\n{`, " "],
    [
      "whose body comes in endless pieces",
      `${post}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
      "1\r\n \r\n",
    ],
    ["whose head never ends", `${post}x-slow: `, "x"],
  ])("%s gets an error and is closed", async (_, beginning, byte) => {
    const { answer, took } = await trickle(beginning, byte);
    expect(took).toBeLessThan(LIMIT_MS);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({ errorCode: "BAD_REQUEST" });
  });

  test("on which nothing arrives is closed", async () => {
    expect((await trickle("", "")).took).toBeLessThan(LIMIT_MS);
  });

  test("that is idle between two requests stays open", async () => {
    const agent = lasting();
    const first = await call(agent, "GET", "/api/v1/orders");
    await sleep(REST_MS);
    expect([first.status, await call(agent, "GET", "/api/v1/orders")]).toEqual([
      200,
      { status: 200, port: first.port },
    ]);
  });

  test("that waits for a slow answer stays open", async () => {
    const agent = lasting();
    const first = await call(agent, "GET", "/api/v1/orders");
    const sql = postgres(gateway.databaseUrl, { max: 1 });
    const holder = await sql.reserve();
    await holder`begin`;
    await holder`lock table cover_customers in exclusive mode`;
    const customer = { name: "Kim", email: "kim@example.com", phone: "1", partnerCustomerId: "slow" };
    const slow = call(agent, "POST", "/api/v1/cover/customer", JSON.stringify(customer));
    await sleep(REST_MS);
    await holder`commit`;
    holder.release();
    await sql.end();
    expect([first.status, await slow]).toEqual([200, { status: 201, port: first.port }]);
  });
});
