import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { createDatabase } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";

/* Connections on which no complete request arrives: a gateway that is stopping does not wait for them. */

const line = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: recoup\r\nSecret-Token: ${TOKEN}\r\n`;

test("a gateway stops gracefully while silent and half-sent connections are open, and answers the requests it has accepted", async () => {
  await buildOnce();
  const gateway = await GatewayProcess.start({ DATABASE_URL: await createDatabase() });
  const { hostname, port } = new URL(gateway.address);
  const open = async (bytes: string) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(bytes);
    return { ended: once(socket, "close").then(() => text) };
  };
  const silent = await open("");
  const half = await open(line("GET", "/api/v1/orders"));
  const used = await open(`${line("GET", "/api/v1/orders?size=1")}\r\n`);
  const asking = await open(`${line("GET", "/api/v1/orders?size=100")}Connection: close\r\n\r\n`);
  // Bytes that were sent are read before the signal: one more request and its answer have passed since.
  await fetch(`${gateway.address}/livez`);

  expect(await gateway.stop()).toBe(0);
  expect(await silent.ended).toBe("");
  expect(await half.ended).toBe("");
  expect(await used.ended).toMatch(/^HTTP\/1\.1 200 /);
  expect(await asking.ended).toMatch(/^HTTP\/1\.1 200 .*\}$/s);
}, 60_000);
