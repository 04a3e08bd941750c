import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import type { SlowReaderOptions } from "../../src/http/limits/slow-readers.ts";
import { onFileEnd } from "./harness/cleanup.ts";

const FOREVER = 3_600_000;
const MEGABYTE = 1_048_576;
/** This many answers of a quarter of a megabyte exceed the system's own buffers. */
const ANSWERS = 50;

async function sockets(port: number, count: number): Promise<Socket[]> {
  const callers = Array.from({ length: count }, () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    onFileEnd(async () => void socket.destroy());
    return socket;
  });
  await Promise.all(callers.map((socket) => once(socket, "connect")));
  return callers;
}

const question = "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(ANSWERS);

async function listening(rules: Partial<SlowReaderOptions>) {
  const slowReaders = {
    baseTimeoutMs: FOREVER,
    bytesPerSecond: MEGABYTE,
    maxUnreadBytes: 1024 * MEGABYTE,
    minReadingMs: 0,
  };
  const test = await startGateway({ slowReaders: { ...slowReaders, ...rules } });
  await test.gateway.server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = test.gateway.server.server.address() as AddressInfo;
  const open = () =>
    new Promise<number>((resolve, reject) => {
      test.gateway.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  return { port, open };
}

const hasty = await listening({ baseTimeoutMs: 300 });
/** The caller who reads shares this process, so that even a busy machine must leave it the time. */
const full = await listening({ maxUnreadBytes: MEGABYTE, minReadingMs: 5_000 });

test("connections whose callers do not read their answers in time are closed", async () => {
  const callers = await sockets(hasty.port, 5);
  await expect.poll(hasty.open).toBe(5);
  for (const socket of callers) socket.pause().write(question);
  await expect.poll(hasty.open).toBe(0);
});

test("connections whose callers do not read their compressed answers in time are closed", async () => {
  // A tenth of the size, so ten times as many.
  const compressed = question.replaceAll("host: x", "host: x\r\naccept-encoding: br").repeat(10);
  const callers = await sockets(hasty.port, 5);
  await expect.poll(hasty.open).toBe(5);
  for (const socket of callers) socket.pause().write(compressed);
  await expect.poll(hasty.open, { timeout: 10_000 }).toBe(0);
});

test("callers who read get the whole answer", async () => {
  const [caller] = await sockets(full.port, 1);
  let bytes = 0;
  caller!.on("data", (chunk: Buffer) => (bytes += chunk.length));
  caller!.write(question.replace(/\r\n\r\n$/, "\r\nconnection: close\r\n\r\n"));
  await once(caller!, "close");
  const answer = await fetch(`http://127.0.0.1:${full.port}/openapi.json`);
  expect(bytes).toBeGreaterThan(ANSWERS * (await answer.arrayBuffer()).byteLength);
});

test("when more data waits to be read than allowed, the callers who have been reading longest are cut off", async () => {
  const callers = await sockets(full.port, 6);
  await expect.poll(full.open).toBeGreaterThanOrEqual(6);
  for (const socket of callers) socket.pause().write(question);
  // A quarter of a megabyte or more waits for each remaining caller.
  await expect.poll(full.open).toBeLessThanOrEqual(4);
});
