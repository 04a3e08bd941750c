import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import Stripe from "stripe";
import { ApiError, invalidRequest, type ErrorBody } from "./api-error.ts";
import { readForm, type FormFields } from "./form-body.ts";
import { StripeAccount } from "./stripe-account.ts";
import { idOf, type CardBehaviour, type FakeDispute, type FakePayment } from "./stripe-objects.ts";
import { StripeReads } from "./stripe-reads.ts";
import { textOf } from "./stripe-rendering.ts";
import { StripeWrites } from "./stripe-writes.ts";

/** An event that the fake sends, as far as Recoup reads it. */
export type FakeEvent = Pick<Stripe.Event, "id" | "object" | "type" | "created"> & { data: { object: object } };

interface SavedAnswer {
  request: string;
  answer?: { status: number; body: unknown };
}

const RUNNING_MS = 5;

/**
 * A stand-in of Stripe: a server with the part of its HTTP interface that the adapter uses, and with its state. It
 * refuses unknown and missing parameters, answers once per idempotency key, knows new charges in searches only after
 * they were indexed, and sends signed webhooks.
 */
export class FakeStripe {
  readonly account: StripeAccount;
  readonly events: FakeEvent[] = [];
  /** Where webhooks are sent, and the secret that signs them. */
  webhook: { send: (headers: Record<string, string>, body: string) => Promise<unknown>; secret: string } | undefined;
  /** The secret keys that are valid. */
  readonly keys = new Set(["sk_test_recoup0123456789"]);
  private readonly answers = new Map<string, SavedAnswer>();
  private readonly reads: StripeReads;
  private readonly writes: StripeWrites;

  private constructor(
    private readonly now: () => Date,
    private readonly server: ReturnType<typeof createServer>,
  ) {
    this.account = new StripeAccount(now);
    this.reads = new StripeReads(this.account);
    this.writes = new StripeWrites(this.account);
  }

  static async start(now: () => Date): Promise<FakeStripe> {
    const server = createServer();
    const fake = new FakeStripe(now, server);
    server.on("request", (request, response) => void fake.serve(request, response));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  /** Stores a card with a behaviour. @returns its customer and its payment method. */
  addCard(behaviour: CardBehaviour): { customer: string; method: string } {
    const customer = idOf("cus");
    return { customer, method: this.account.addCard(behaviour, customer).id };
  }

  /** Changes the behaviour of a stored card. */
  setBehaviour(method: string, behaviour: CardBehaviour): void {
    this.account.cardOf(method).behaviour = behaviour;
  }

  /** Makes everything that exists now visible to searches. */
  index(): void {
    for (const payment of this.account.payments.values())
      this.account.indexed.set(payment.id, structuredClone(payment));
  }

  /** The approved charges of an idempotency key. */
  approvedOf(key: string): FakePayment[] {
    return [...this.account.payments.values()].filter(
      ({ metadata, status }) => metadata["recoup_key"] === key && status === "succeeded",
    );
  }

  /** The payer pays, or stores a card, on Stripe's page or at the bank. */
  async completePage(id: string): Promise<void> {
    const payment = this.account.payments.get(id);
    if (payment?.status === "requires_action") {
      this.account.settle(payment, this.account.cardOf(payment.payment_method as string));
      return this.send("payment_intent.succeeded", payment);
    }
    const page = this.account.pages.get(id);
    if (page?.status !== "open") throw new Error("The page is not open.");
    const customer = page.request["customer_creation"] === "always" ? idOf("cus") : null;
    const card = this.account.addCard("APPROVES", customer);
    page.status = "complete";
    page.url = null;
    if (page.mode === "setup") {
      const { metadata } = (page.request["setup_intent_data"] ?? {}) as { metadata?: Record<string, string> };
      page.setup_intent = this.account.addSetup(card, metadata ?? {});
    } else {
      const [line] = page.request["line_items"] as { price_data: { currency: string; unit_amount: string } }[];
      const data = (page.request["payment_intent_data"] ?? {}) as Partial<
        Pick<FakePayment, "description" | "metadata" | "setup_future_usage">
      >;
      page.payment_intent = this.account.addPayment({
        amount: Number(line!.price_data.unit_amount),
        currency: line!.price_data.currency,
        customer,
        payment_method: card.id,
        description: data.description ?? null,
        metadata: data.metadata ?? {},
        setup_future_usage: data.setup_future_usage ?? null,
      });
      this.account.settle(page.payment_intent, card);
      await this.send("payment_intent.succeeded", page.payment_intent);
    }
    await this.send("checkout.session.completed", page);
  }

  /** The payer disputes a payment, or the bank decides about it. */
  async dispute(payment: string, status: Stripe.Dispute.Status, reference = idOf("du")): Promise<string> {
    const { amount, currency } = this.account.payments.get(payment)!;
    const dispute: FakeDispute = {
      id: reference,
      object: "dispute",
      amount,
      currency,
      payment_intent: payment,
      reason: "fraudulent",
      status,
      evidence_details: {
        due_by: Math.floor(this.now().getTime() / 1000) + 604_800,
      } as Stripe.Dispute["evidence_details"],
    };
    this.account.disputes.set(reference, dispute);
    await this.send(
      status === "won" || status === "lost" ? "charge.dispute.closed" : "charge.dispute.created",
      dispute,
    );
    return reference;
  }

  /** Signs an event as Stripe does. */
  sign(event: FakeEvent, secret: string, at = this.now()): { headers: Record<string, string>; body: string } {
    const body = JSON.stringify(event);
    const timestamp = Math.floor(at.getTime() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
    return { headers: { "stripe-signature": signature, "content-type": "application/json" }, body };
  }

  toEvent(type: string, object: object): FakeEvent {
    return {
      id: idOf("evt"),
      object: "event",
      type: type as FakeEvent["type"],
      created: Math.floor(this.now().getTime() / 1000),
      data: { object },
    };
  }

  private async send(type: string, object: object): Promise<void> {
    const event = this.toEvent(type, structuredClone(object));
    this.events.push(event);
    if (!this.webhook) return;
    const { headers, body } = this.sign(event, this.webhook.secret);
    await this.webhook.send(headers, body);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    try {
      const answer = await this.answer(request, body);
      if (answer === "SILENCE") return;
      if (answer === "GARBAGE") response.writeHead(200, { "content-type": "text/html" }).end("<html>all good</html>");
      else send(response, 200, answer);
    } catch (error) {
      if (error instanceof ApiError) send(response, error.status, { error: error.body });
      else send(response, 500, { error: { type: "api_error", message: String(error) } });
    }
  }

  private async answer(request: IncomingMessage, body: string): Promise<unknown> {
    const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (key === undefined || !this.keys.has(key))
      throw new ApiError(401, { type: "authentication_error", message: "Invalid API Key provided." });
    if (request.headers["stripe-version"] !== Stripe.API_VERSION)
      throw invalidRequest(`Invalid Stripe API version: ${String(request.headers["stripe-version"])}`);
    const url = new URL(request.url ?? "/", "http://localhost");
    const path = url.pathname.replace("/v1/", "");
    const idempotencyKey = request.headers["idempotency-key"];
    if (request.method === "GET") return this.reads.read(path, readForm(url.search.slice(1)));
    const fields = readForm(body);
    if (typeof idempotencyKey !== "string") return this.writes.write(path, fields);
    return this.writeOnce(`${key} ${idempotencyKey}`, path, body, fields);
  }

  /** https://docs.stripe.com/api/idempotent_requests */
  private async writeOnce(key: string, path: string, body: string, fields: FormFields): Promise<unknown> {
    const request = `${path}?${body}`;
    const saved = this.answers.get(key);
    if (saved && !saved.answer)
      throw new ApiError(409, {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: "There is currently another in-progress request using this Idempotent Key.",
      });
    if (saved?.answer) {
      if (saved.request !== request)
        throw new ApiError(400, {
          type: "idempotency_error",
          message: "Keys for idempotent requests can only be used with the same parameters they were first used with.",
        });
      const { status, body: answer } = saved.answer;
      if (status !== 200) throw new ApiError(status, answer as ErrorBody);
      return answer;
    }
    const card = this.account.cards.get(textOf(fields["payment_method"]));
    if (card?.behaviour === "SILENT") return "SILENCE";
    const entry: SavedAnswer = { request };
    this.answers.set(key, entry);
    await wait(RUNNING_MS);
    try {
      const answer = this.writes.write(path, fields);
      entry.answer = { status: 200, body: answer };
      if (card?.behaviour === "SILENT_AFTER_CHARGE") return "SILENCE";
      if (card?.behaviour === "GARBAGE") return "GARBAGE";
      if (card?.behaviour === "FAILS_AFTER_CHARGE")
        throw new ApiError(500, { type: "api_error", message: "An unknown error occurred." });
      return answer;
    } catch (error) {
      const isValidation = error instanceof ApiError && error.body.code?.startsWith("parameter_") === true;
      if (isValidation || !(error instanceof ApiError)) this.answers.delete(key);
      else entry.answer = { status: error.status, body: error.body };
      throw error;
    }
  }
}

const send = (response: ServerResponse, status: number, body: unknown): void =>
  void response
    .writeHead(status, { "content-type": "application/json", "request-id": idOf("req") })
    .end(JSON.stringify(body));
