import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";

/*
 * A caller that is refused before all of its body has been read gets the reason, although it reads only after it has
 * written.
 */

const gateway = await startGateway();
await gateway.gateway.server.listen({ host: "127.0.0.1", port: 0 });
const { port } = gateway.gateway.server.server.address() as AddressInfo;

const PIECE = "x".repeat(65_536);
/** 4 MB: more than the socket buffers of both ends can store. */
const PIECES = 64;

const known = `content-length: ${PIECE.length * PIECES}\r\n`;
const unknown = "transfer-encoding: chunked\r\n";
const token = `secret-token: ${gateway.vendor.token}\r\n`;
const leaving = "connection: close\r\n";

const lost = "POST /nowhere";
const refused: [name: string, head: string, status: number, line?: string][] = [
  ["a body that is announced as too large", known + token, 413],
  ["a body that turns out too large", unknown + token, 413],
  ["a body that is announced as too large, by a caller that hangs up after it", known + token + leaving, 413],
  ["a body that turns out too large, by a caller that hangs up after it", unknown + token + leaving, 413],
  ["a large body of a stranger, who hangs up after it", known + leaving, 403],
  ["a large body for a path that is not there", known + token, 404, lost],
  ["a large body for a path that is not there, by a caller that hangs up after it", unknown + leaving, 404, lost],
];

/** Sends the head and then a body, piece by piece, and only then reads. */
async function answerTo(head: string, line = "POST /api/v1/cover/product"): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const failed = once(socket, "error").then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined);
  socket.pause();
  const write = async (bytes: string) => {
    if (!socket.write(bytes)) await Promise.race([once(socket, "drain"), failed]);
  };
  await write(`${line} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}\r\n`);
  const chunked = head.includes("chunked");
  for (let piece = 0; piece < PIECES; piece++) {
    await write(chunked ? `${PIECE.length.toString(16)}\r\n${PIECE}\r\n` : PIECE);
    // Gives the gateway time to refuse and to hang up, in case it does.
    if (piece % 16 === 0) await sleep(20);
  }
  if (chunked) await write("0\r\n\r\n");
  await sleep(50);
  const heard = once(socket, "data");
  socket.resume();
  const [answer] = (await Promise.race([heard, failed])) as [Buffer];
  socket.destroy();
  return answer.toString();
}

describe.concurrent("an early refusal reaches its caller:", () => {
  test.each(refused)("%s", async (_name, head, status, line) => {
    const answer = await answerTo(head, line);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({ errorCode: expect.any(String) });
  });

  test("whose body never ends is answered all the same, and cut off", async () => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    const closed = once(socket, "close");
    socket.on("error", () => undefined);
    socket.write(
      `POST /api/v1/cover/product HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${known}${token}\r\n{`,
    );
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/^connection: close\r$/m);
  });
});
