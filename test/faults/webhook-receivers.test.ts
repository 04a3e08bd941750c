import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { createServices } from "../../src/graphql/services.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { numberEvents } from "../support/number-events.ts";
import { HOUR, MINUTE } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createDispatcher, deliverWebhooks } from "../support/webhook-receiver.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";

/*
 * An hour of a receiver that is killed, answers 500, hangs and flaps, in steps of the test clock. Every event arrives, and
 * those of a subject in their order.
 */

const steps = roundCount(40, 360);
const hangs = roundCount(1, 12);
const STEP_MS = HOUR / steps;
const SUBJECTS = 25;

const start = new Date("2026-03-01T09:30:00.000Z");
const gateway = await startGateway({ now: start.toISOString(), allowPrivateWebhooks: true });

/** How the receiver behaves in a step. */
type Mode = "UP" | "KILLED" | "FAILS" | "FLAPS" | "HANGS" | "CUTS";

/** Modes by a seed, so that a failure can be repeated. */
function* drawModes(seed: number): Generator<Mode> {
  let state = seed;
  const draw = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  for (;;) {
    const mode = (["UP", "KILLED", "FAILS", "FLAPS", "CUTS"] as const)[draw(5)] ?? "UP";
    for (let length = 1 + draw(6); length > 0; length--) yield mode;
  }
}

/** A receiver that verifies each message and confirms it or not. It can be killed and started again at its port. */
class UnreliableReceiver {
  mode: Mode = "UP";
  secret = "";
  readonly confirmed: { id: string; subject: number; step: number }[] = [];
  requests = 0;
  private server: Server | undefined;
  private port = 0;

  async start(): Promise<void> {
    if (this.server) return;
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8");
      request.on("data", (chunk: string) => (body += chunk));
      request.on("end", () => this.receive(request.headers as Record<string, string>, body, response));
    });
    this.server = server.listen(this.port, "127.0.0.1");
    await once(server, "listening");
    this.port = (server.address() as AddressInfo).port;
  }

  async kill(): Promise<void> {
    if (!this.server) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
    this.server = undefined;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  private receive(headers: Record<string, string>, body: string, response: ServerResponse): void {
    const id = headers["webhook-id"] ?? "";
    // `verify` compares the timestamp with the present, and this hour is in the past.
    const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    expect(new Webhook(this.secret).sign(id, sentAt, body)).toBe(headers["webhook-signature"]);
    this.requests++;
    if (this.mode === "HANGS") return;
    if (this.mode === "CUTS" && this.requests % 2 === 0) return void response.destroy();
    if (this.mode === "FAILS" || (this.mode === "FLAPS" && this.requests % 2 === 0))
      return void response.writeHead(500).end("no");
    const { data } = JSON.parse(body) as { data: { coverOrderId: number; facts: { quantity: number } } };
    this.confirmed.push({ id, subject: data.coverOrderId, step: data.facts.quantity });
    // A receiver that is cut off has confirmed for itself only: the message comes again.
    if (this.mode === "CUTS") return void response.destroy();
    response.writeHead(204).end();
  }
}

test(
  `nothing is lost and each subject is in order in an hour of ${steps} steps with ${hangs} hangs`,
  async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const receiver = new UnreliableReceiver();
    await receiver.start();
    afterAll(() => receiver.kill());
    const { createWebhookEndpoint } = await gateway.queryData(
      "mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { secret } }",
      { url: receiver.url },
      vendor,
    );
    receiver.secret = createWebhookEndpoint.secret;
    const dispatcher = createDispatcher(gateway);
    const modes = drawModes(7);
    const counts: Partial<Record<Mode, number>> = {};
    const [started, written] = [Date.now(), new Map<number, number>()];
    let events = 0;

    const write = (step: number) =>
      gateway.database.transaction(async (handle) => {
        const subjects = [step % SUBJECTS, (step * 7 + 3) % SUBJECTS, (step * 11 + 5) % SUBJECTS].map((one) => one + 1);
        await createServices(handle, gateway.clock.now()).events.recordModuleEvents(
          vendor.id,
          ...subjects.map((subjectId) => {
            const quantity = (written.get(subjectId) ?? 0) + 1;
            written.set(subjectId, quantity);
            events++;
            return {
              ...{ type: "ORDER_CHANGED" as const, subject: "COVER_ORDER" as const, trigger: "ORDER_UPDATED" },
              ...{ subjectId, coverOrderId: subjectId, actor: "SYSTEM" as const, facts: { quantity } },
            };
          }),
        );
      });

    for (let step = 0; step < steps; step++) {
      const isHang = step % Math.floor(steps / hangs) === Math.floor(steps / hangs / 2);
      receiver.mode = isHang ? "HANGS" : (modes.next().value as Mode);
      counts[receiver.mode] = (counts[receiver.mode] ?? 0) + 1;
      if (receiver.mode === "KILLED") await receiver.kill();
      else await receiver.start();
      await write(step);
      if (isHang) {
        // Each attempt takes its 15 seconds: one turn is enough.
        await numberEvents(gateway);
        await dispatcher.runTurn();
        await dispatcher.waitForAttempts();
      } else await deliverWebhooks(gateway, dispatcher);
      gateway.clock.advance(STEP_MS);
    }
    receiver.mode = "UP";
    await receiver.start();
    // What failed last waits for an hour at most.
    for (let pause = 0; pause < 90; pause++) {
      await deliverWebhooks(gateway, dispatcher);
      gateway.clock.advance(MINUTE);
    }

    const states = await queryRows<{ state: string; count: number; attempts: number }>(
      gateway,
      `select state, count(*)::int as count, sum(attempts)::int as attempts from webhook_deliveries
        where vendor_id = ${vendor.id} group by state`,
    );
    expect(states).toEqual([{ state: "SUCCEEDED", count: events, attempts: expect.any(Number) }]);
    const firsts = new Map<number, Set<number>>();
    for (const { subject, step } of receiver.confirmed)
      firsts.set(subject, (firsts.get(subject) ?? new Set()).add(step));
    for (const [subject, count] of written)
      expect([...(firsts.get(subject) ?? [])], `order ${subject}`).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      );
    expect(new Set(receiver.confirmed.map(({ id }) => id)).size).toBe(events);
    logMeasurement(
      `an hour of faults: ${events} events, ${states[0]!.attempts} attempts, ${receiver.confirmed.length} confirmations, steps ${JSON.stringify(counts)}, ${Date.now() - started} ms`,
    );
  },
  timeLimitMs(hangs * 2 + 10),
);
