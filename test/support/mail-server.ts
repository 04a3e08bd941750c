import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { afterAll } from "vitest";
import { createRepositories } from "../../src/graphql/repositories.ts";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { MessageDispatcher } from "../../src/jobs/message-dispatcher.ts";
import { createMessageSenders, type MessageSenderSettings } from "../../src/notifications/senders/message-senders.ts";
import { numberEvents } from "./number-events.ts";
import type { TestGateway } from "./test-gateway.ts";

/** A mail as the server received it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body, as they came. */
  source: string;
}

/** What a mail server refuses with: a status of SMTP and its text. */
export interface MailRefusal {
  status: number;
  text: string;
}

/** A mail server on this machine. It accepts all mails unless `refuse` or `delay` says otherwise. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Refuses a recipient; undefined accepts it. */
  refuse: (recipient: string) => MailRefusal | undefined = () => undefined;
  /** Waits before a mail is accepted. */
  delay: () => Promise<void> = () => Promise.resolve();
  private readonly server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    // An open connection must not hold up the end of a test.
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, callback) => {
      const refusal = this.refuse(address);
      callback(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.status }) : undefined);
    },
    onData: (stream, session, callback) => {
      void this.receive(stream, session).then(() => callback(), callback);
    },
  });

  /** Starts a server, which is closed after the file's tests. */
  static async start(port = 0): Promise<MailServer> {
    const mailServer = new MailServer();
    // A connection that its client has closed is no error of a test.
    mailServer.server.on("error", () => undefined);
    const listening = mailServer.server.listen(port, "127.0.0.1");
    await once(listening, "listening");
    afterAll(() => mailServer.stop());
    return mailServer;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** The settings that send to this server. */
  get settings(): MessageSenderSettings {
    return { mail: { server: { host: "127.0.0.1", port: this.port, secure: false, requireTLS: false }, from: FROM } };
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Removes what was received so far, and returns it. */
  take(): ReceivedMail[] {
    return this.received.splice(0);
  }

  private async receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const source = (await buffer(stream)).toString("utf8");
    const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
    this.received.push({ from, to: envelope.rcptTo.map(({ address }) => address), source });
    await this.delay();
  }
}

/** The address that mails of tests come from. */
export const FROM = "billing@recoup.example";

/** The headers of a mail by their names in lower case, unfolded. */
export function headersOf({ source }: ReceivedMail): Record<string, string> {
  const head = source.slice(0, source.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return Object.fromEntries(
    head.split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** A dispatcher of messages beside a gateway of a test; it runs when the test says so. */
export const createMessageDispatcher = (
  { gateway, database, clock }: TestGateway,
  settings: MessageSenderSettings = {},
): MessageDispatcher =>
  new MessageDispatcher({
    contexts: gateway.contexts,
    dueVendors: new DueVendorRepository(database.handle),
    findVendor: (id) => createRepositories(database.handle).vendors.byId(id),
    now: () => clock.now(),
    logger: gateway.server.log,
    senders: createMessageSenders(settings, clock),
  });

/** Numbers all events, and runs a dispatcher until no message is due. */
export async function sendMessages(gateway: TestGateway, dispatcher: MessageDispatcher): Promise<void> {
  await numberEvents(gateway);
  while ((await dispatcher.runTurn()) > 0) await dispatcher.waitForAttempts();
}
