import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { refusalCodes } from "../../src/kernel/refusal-codes.ts";
import { startGateway } from "../support/test-gateway.ts";

const gateway = await startGateway();
await gateway.gateway.server.listen({ host: "127.0.0.1", port: 0 });
const { port } = gateway.gateway.server.server.address() as AddressInfo;

/** The server's answer to these bytes, until it hangs up. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes, "latin1");
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

const line = "POST /api/v1/cover/product HTTP/1.1\r\nHost: x\r\n";

/** Bytes that are no HTTP request at all. */
const broken: Record<string, string> = {
  "no request line": "hello\r\n\r\n",
  "an unknown HTTP version": "GET /api/v1/cover/product HTTP/9.9\r\n\r\n",
  "a length that is no number": `${line}Content-Length: many\r\n\r\n`,
  "two content lengths": `${line}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
  "a content length and chunks": `${line}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "a control character in a header": `${line}X-Note: a\0b\r\n\r\n`,
  "headers without an end": `${line}X-Note: ${"x".repeat(20_000)}\r\n\r\n`,
  "a TLS handshake": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
};

test.each(Object.entries(broken))("bytes with %s are refused with the error body", async (_, bytes) => {
  const [head, body] = (await answerTo(bytes)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 4\d\d .*\r\nContent-Type: application\/json/i);
  const error = JSON.parse(body!);
  expect(error).toEqual({
    errorCode: expect.any(String),
    errorMessage: expect.any(String),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(Object.keys(refusalCodes)).toContain(error.errorCode);
});
