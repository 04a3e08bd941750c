import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/database/client.ts";
import { isDatabaseOutage } from "../../src/database/database-errors.ts";
import { onFileEnd } from "./harness/cleanup.ts";

/*
 * A pooler ends a connection by its own rules and with messages that PostgreSQL does not use: pgbouncer does so for
 * query_wait_timeout, query_timeout, idle_transaction_timeout and when the server behind it is gone. The caller gets
 * 503, and the process lives: an unhandled rejection would end it, and fails the test run.
 */

const message = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
};
const welcome = message("R", Buffer.alloc(4));
const ready = (state: "I" | "T") => message("Z", Buffer.from(state));
const began = Buffer.concat([message("C", Buffer.from("BEGIN\0")), ready("T")]);
const goodbye = message("E", Buffer.from("SFATAL\0C08P01\0Mquery_wait_timeout\0\0"));

/** A server that lets transactions begin and hangs up on every other statement. */
function serve(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.once("data", () => {
    socket.write(Buffer.concat([welcome, ready("I")]));
    socket.on("data", (asked: Buffer) => {
      if (asked.includes("begin")) socket.write(began);
      else socket.end(goodbye);
    });
  });
}

const pooler = createServer(serve).listen(0, "127.0.0.1");
await once(pooler, "listening");
const { port } = pooler.address() as AddressInfo;
const database = openDatabase({
  url: `postgres://recoup@127.0.0.1:${port}/recoup`,
  poolSize: 1,
  pooler: "TRANSACTION",
});
onFileEnd(async () => pooler.close());
onFileEnd(() => database.close());

const select = sql`select 1`;
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => error,
  );

test.each([
  ["the first statement of a connection", () => database.handle.execute(select)],
  ["a statement in a transaction", () => database.transaction((handle) => handle.execute(select))],
  [
    "a statement after a savepoint request",
    () => database.transaction((handle) => handle.transaction((inner) => inner.execute(select))),
  ],
  ["a readiness check", () => database.ping()],
])(
  "a pooler that hangs up on %s counts as an outage, and the next request uses a new connection",
  async (_name, work) => {
    for (let time = 0; time < 3; time++) {
      const failure = await failureOf(work());
      expect(isDatabaseOutage(failure), String(failure)).toBe(true);
    }
  },
);
