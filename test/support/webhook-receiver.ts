import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll } from "vitest";
import { createRepositories } from "../../src/graphql/repositories.ts";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { WebhookDispatcher } from "../../src/jobs/webhook-dispatcher.ts";
import type { RawData } from "./raw-data.ts";
import { numberEvents } from "./number-events.ts";
import type { TestGateway } from "./test-gateway.ts";

/** A request that a receiver got. */
export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as JSON. */
  message: { id: string; type: string; timestamp: string; data: Record<string, RawData> };
}

/** A receiver of webhooks on this machine. It answers 204 unless `answer` says otherwise. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Answers a request. Undefined lets it hang. */
  answer: (webhook: ReceivedWebhook, response: ServerResponse) => number | undefined = () => 204;
  private readonly server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const webhook = { path: request.url ?? "", headers: request.headers, body, message: JSON.parse(body) };
      this.received.push(webhook);
      const status = this.answer(webhook, response);
      if (status !== undefined) response.writeHead(status).end();
    });
  });

  /** Starts a receiver, which is closed after the file's tests. */
  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server.listen(0, "127.0.0.1");
    await once(receiver.server, "listening");
    afterAll(() => {
      receiver.server.closeAllConnections();
      receiver.server.close();
    });
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `${this.origin}/hook`;
  }

  /** Removes what was received so far, and returns it. */
  take(): ReceivedWebhook[] {
    return this.received.splice(0);
  }
}

/** Verifies a webhook by the library of the specification. @throws if its signature is wrong. */
export const verifyWebhook = (secret: string, { body, headers }: ReceivedWebhook): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** A dispatcher beside a gateway of a test; it runs when the test says so. */
export const createDispatcher = ({ gateway, database, clock }: TestGateway): WebhookDispatcher =>
  new WebhookDispatcher({
    contexts: gateway.contexts,
    dueVendors: new DueVendorRepository(database.handle),
    findVendor: (id) => createRepositories(database.handle).vendors.byId(id),
    now: () => clock.now(),
    logger: gateway.server.log,
  });

/** Numbers all events, and runs a dispatcher until nothing is due. */
export async function deliverWebhooks(gateway: TestGateway, dispatcher: WebhookDispatcher): Promise<void> {
  await numberEvents(gateway);
  while ((await dispatcher.runTurn()) > 0) await dispatcher.waitForAttempts();
}
