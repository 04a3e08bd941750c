import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import Stripe from "stripe";
import { ApiError, invalidRequest, noSuch, type ErrorBody } from "./api-error.ts";
import { readForm, type FormFields, type FormValue } from "./form-body.ts";
import { checkParameters, parameterRules } from "./parameters.ts";

/** A decline as a bank and its network word it. */
export type FakeDecline = Pick<
  ErrorBody,
  "decline_code" | "network_decline_code" | "network_advice_code" | "advice_code" | "message"
> & { code?: string };

/** The behaviour of a stored card when it is charged. */
export type CardBehaviour =
  | "APPROVES"
  | "NEEDS_PAYER"
  | "SILENT_AFTER_CHARGE"
  | "SILENT"
  | "FAILS_AFTER_CHARGE"
  | "GARBAGE"
  | { decline: FakeDecline };

interface StoredCard {
  id: string;
  customer: string | null;
  behaviour: CardBehaviour;
  last4: string;
}

/** A charge with what the fake remembers besides Stripe's own fields. */
type FakePayment = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "object"
  | "amount"
  | "currency"
  | "created"
  | "customer"
  | "description"
  | "last_payment_error"
  | "metadata"
  | "next_action"
  | "payment_method"
  | "setup_future_usage"
  | "status"
> & { latest_charge: FakeCharge | null };
type FakeCharge = Pick<Stripe.Charge, "id" | "object" | "receipt_url" | "refunded"> & {
  payment_method_details: object;
};
type FakeSetup = Pick<
  Stripe.SetupIntent,
  "id" | "object" | "customer" | "last_setup_error" | "metadata" | "next_action" | "status"
> & { payment_method: object | null; methodId: string | null };
type FakePage = Pick<
  Stripe.Checkout.Session,
  "id" | "object" | "client_reference_id" | "metadata" | "mode" | "status" | "url"
> & { payment_intent: FakePayment | null; setup_intent: FakeSetup | null; request: FormFields };
type FakeDispute = Pick<
  Stripe.Dispute,
  "id" | "object" | "amount" | "currency" | "payment_intent" | "reason" | "status" | "evidence_details"
>;
type FakeRefund = Pick<Stripe.Refund, "id" | "object" | "amount" | "metadata" | "status"> & { payment_intent: string };

/** An event that the fake sends, as far as Recoup reads it. */
export type FakeEvent = Pick<Stripe.Event, "id" | "object" | "type" | "created"> & { data: { object: object } };

interface SavedAnswer {
  request: string;
  answer?: { status: number; body: unknown };
}

const idOf = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`;
const RUNNING_MS = 5;

/**
 * A stand-in of Stripe: a server with the part of its HTTP interface that the adapter uses, and with its state. It
 * refuses unknown and missing parameters, answers once per idempotency key, knows new charges in searches only after
 * they were indexed, and sends signed webhooks.
 */
export class FakeStripe {
  readonly payments = new Map<string, FakePayment>();
  readonly setups = new Map<string, FakeSetup>();
  readonly pages = new Map<string, FakePage>();
  readonly refunds = new Map<string, FakeRefund>();
  readonly disputes = new Map<string, FakeDispute>();
  readonly events: FakeEvent[] = [];
  /** Where webhooks are sent, and the secret that signs them. */
  webhook: { send: (headers: Record<string, string>, body: string) => Promise<unknown>; secret: string } | undefined;
  /** The secret keys that are valid. */
  readonly keys = new Set(["sk_test_recoup0123456789"]);
  private readonly cards = new Map<string, StoredCard>();
  private readonly indexed = new Map<string, FakePayment>();
  private readonly answers = new Map<string, SavedAnswer>();

  private constructor(
    private readonly now: () => Date,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

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
    const card = { id: idOf("pm"), customer: idOf("cus"), behaviour, last4: "4242" };
    this.cards.set(card.id, card);
    return { customer: card.customer, method: card.id };
  }

  /** Changes the behaviour of a stored card. */
  setBehaviour(method: string, behaviour: CardBehaviour): void {
    this.cardOf(method).behaviour = behaviour;
  }

  /** Makes everything that exists now visible to searches. */
  index(): void {
    for (const payment of this.payments.values()) this.indexed.set(payment.id, structuredClone(payment));
  }

  /** The approved charges of an idempotency key. */
  approvedOf(key: string): FakePayment[] {
    return [...this.payments.values()].filter(
      ({ metadata, status }) => metadata["recoup_key"] === key && status === "succeeded",
    );
  }

  /** The payer pays, or stores a card, on Stripe's page or at the bank. */
  async completePage(id: string): Promise<void> {
    const payment = this.payments.get(id);
    if (payment?.status === "requires_action") {
      this.settle(payment, this.cardOf(payment.payment_method as string));
      return this.send("payment_intent.succeeded", payment);
    }
    const page = this.pages.get(id);
    if (page?.status !== "open") throw new Error("The page is not open.");
    const customer = page.request["customer_creation"] === "always" ? idOf("cus") : null;
    const card: StoredCard = { id: idOf("pm"), customer, behaviour: "APPROVES", last4: "4242" };
    this.cards.set(card.id, card);
    page.status = "complete";
    page.url = null;
    if (page.mode === "setup") {
      const { metadata } = (page.request["setup_intent_data"] ?? {}) as { metadata?: Record<string, string> };
      page.setup_intent = this.addSetup(card, metadata ?? {});
    } else {
      const [line] = page.request["line_items"] as { price_data: { currency: string; unit_amount: string } }[];
      const data = (page.request["payment_intent_data"] ?? {}) as Partial<
        Pick<FakePayment, "description" | "metadata" | "setup_future_usage">
      >;
      page.payment_intent = this.addPayment({
        amount: Number(line!.price_data.unit_amount),
        currency: line!.price_data.currency,
        customer,
        payment_method: card.id,
        description: data.description ?? null,
        metadata: data.metadata ?? {},
        setup_future_usage: data.setup_future_usage ?? null,
      });
      this.settle(page.payment_intent, card);
      await this.send("payment_intent.succeeded", page.payment_intent);
    }
    await this.send("checkout.session.completed", page);
  }

  /** The payer disputes a payment, or the bank decides about it. */
  async dispute(payment: string, status: Stripe.Dispute.Status, reference = idOf("du")): Promise<string> {
    const { amount, currency } = this.payments.get(payment)!;
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
    this.disputes.set(reference, dispute);
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
    if (request.method === "GET") return this.read(path, readForm(url.search.slice(1)));
    const fields = readForm(body);
    if (typeof idempotencyKey !== "string") return this.write(path, fields);
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
    const card = this.cards.get(textOf(fields["payment_method"]));
    if (card?.behaviour === "SILENT") return "SILENCE";
    const entry: SavedAnswer = { request };
    this.answers.set(key, entry);
    await wait(RUNNING_MS);
    try {
      const answer = this.write(path, fields);
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

  private read(path: string, fields: FormFields): unknown {
    const [kind, id] = [
      path
        .split("/")
        .slice(0, path.startsWith("checkout/") ? 2 : 1)
        .join("/"),
      path.split("/").at(-1)!,
    ];
    if (path === "payment_intents/search") return this.search(fields);
    if (path === "refunds") {
      checkParameters(fields, parameterRules.listRefunds);
      const refunds = [...this.refunds.values()].filter(
        ({ payment_intent: payment }) => payment === fields["payment_intent"],
      );
      return listOf(path, refunds.reverse(), fields);
    }
    if (path === kind) {
      checkParameters(fields, parameterRules.list);
      const values = [...(this.booksOf(kind)?.values() ?? [])].map((one) => render(one, []));
      return listOf(path, values.reverse(), fields);
    }
    checkParameters(fields, parameterRules.retrieve);
    const found = this.booksOf(kind)?.get(id);
    if (!found) throw noSuch(kind, id);
    return render(found, expansionsOf(fields));
  }

  private booksOf(kind: string): ReadonlyMap<string, object> | undefined {
    const books: Record<string, ReadonlyMap<string, object>> = {
      payment_intents: this.payments,
      setup_intents: this.setups,
      "checkout/sessions": this.pages,
      refunds: this.refunds,
      disputes: this.disputes,
    };
    return books[kind];
  }

  private write(path: string, fields: FormFields): unknown {
    const [, kind, id = "", action = ""] = /^(checkout\/sessions|[a-z_]+)(?:\/([\w]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (path === "payment_intents") return this.createPayment(fields);
    if (path === "setup_intents") return this.createSetup(fields);
    if (path === "checkout/sessions") return this.createPage(fields);
    if (path === "refunds") return this.createRefund(fields);
    if (path === "customers") {
      checkParameters(fields, parameterRules.createCustomer);
      return { id: idOf("cus"), object: "customer", metadata: fields["metadata"] ?? {} };
    }
    if (kind === "payment_methods" && action === "attach") return this.attach(id, fields);
    checkParameters(fields, parameterRules.change);
    if (kind === "payment_intents" && action === "cancel") return this.cancelPayment(id, fields);
    if (kind === "setup_intents" && action === "cancel") {
      const setup = this.setups.get(id);
      if (!setup) throw noSuch("setup_intent", id);
      if (setup.status === "succeeded" || setup.status === "canceled")
        throw invalidRequest("You cannot cancel this SetupIntent.", "setup_intent_unexpected_state");
      setup.status = "canceled";
      return render(setup, expansionsOf(fields));
    }
    if (kind === "checkout/sessions" && action === "expire") {
      const page = this.pages.get(id);
      if (!page) throw noSuch("checkout.session", id);
      if (page.status !== "open") throw invalidRequest("Only Checkout Sessions with a status of open can be expired.");
      page.status = "expired";
      page.url = null;
      return render(page, expansionsOf(fields));
    }
    throw invalidRequest(`Unrecognized request URL (POST: /v1/${path}).`);
  }

  private createPayment(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.createPayment);
    const amount = toAmount(fields["amount"]);
    const currency = toCurrency(fields["currency"]);
    const method = fields["payment_method"] as string | undefined;
    const card = method === undefined ? undefined : this.cardOf(method);
    const isConfirmed = fields["confirm"] === "true";
    if (fields["off_session"] !== undefined && !isConfirmed)
      throw invalidRequest("`off_session` can only be used with `confirm=true`.", "parameter_invalid");
    if (card && card.customer !== (fields["customer"] ?? null))
      throw invalidRequest("The customer does not have a payment method with this ID.", "payment_method_customer");
    const payment = this.addPayment({
      amount,
      currency,
      customer: (fields["customer"] as string | undefined) ?? null,
      payment_method: card?.id ?? null,
      description: (fields["description"] as string | undefined) ?? null,
      metadata: (fields["metadata"] as Record<string, string> | undefined) ?? {},
      setup_future_usage: null,
    });
    if (!isConfirmed) return render(payment, expansionsOf(fields));
    if (!card) throw invalidRequest("A payment method is needed to confirm.", "payment_intent_unexpected_state");
    const { behaviour } = card;
    if (typeof behaviour === "object") this.decline(payment, card, behaviour.decline);
    if (behaviour === "NEEDS_PAYER") {
      if (fields["off_session"] === "true" || fields["error_on_requires_action"] === "true")
        this.decline(payment, card, authenticationRequired);
      payment.status = "requires_action";
      payment.next_action = {
        type: "redirect_to_url",
        redirect_to_url: {
          url: `https://hooks.stripe.com/3d_secure_2/${payment.id}`,
          return_url: (fields["return_url"] as string | undefined) ?? null,
        },
      };
      return render(payment, expansionsOf(fields));
    }
    this.settle(payment, card);
    return render(payment, expansionsOf(fields));
  }

  private createSetup(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.createSetup);
    const card = this.cardOf(textOf(fields["payment_method"]));
    const setup = this.addSetup(card, (fields["metadata"] as Record<string, string> | undefined) ?? {});
    return render(setup, expansionsOf(fields));
  }

  private createPage(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.createPage);
    const mode = fields["mode"] as Stripe.Checkout.Session["mode"];
    if (mode === "payment") {
      const [line] = (fields["line_items"] ?? []) as { price_data: { currency: string; unit_amount: string } }[];
      if (!line) throw invalidRequest("Missing required param: line_items.", "parameter_missing");
      toAmount(line.price_data.unit_amount);
      toCurrency(line.price_data.currency);
      if (fields["setup_intent_data"])
        throw invalidRequest("setup_intent_data is for mode setup.", "parameter_invalid");
    } else if (fields["line_items"] || fields["payment_intent_data"])
      throw invalidRequest("A set-up has no line items.", "parameter_invalid");
    const id = idOf("cs_test");
    const page: FakePage = {
      id,
      object: "checkout.session",
      client_reference_id: (fields["client_reference_id"] as string | undefined) ?? null,
      metadata: (fields["metadata"] as Record<string, string> | undefined) ?? {},
      mode,
      status: "open",
      url: `https://checkout.stripe.com/c/pay/${id}`,
      payment_intent: null,
      setup_intent: null,
      request: fields,
    };
    this.pages.set(id, page);
    return render(page, expansionsOf(fields));
  }

  /** https://docs.stripe.com/api/refunds/create */
  private createRefund(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.createRefund);
    const payment = this.payments.get(textOf(fields["payment_intent"]));
    if (payment?.status !== "succeeded") throw noSuch("payment_intent", textOf(fields["payment_intent"]));
    const refunded = [...this.refunds.values()]
      .filter(({ payment_intent: id }) => id === payment.id)
      .reduce((sum, { amount }) => sum + amount, 0);
    if (refunded === payment.amount)
      throw invalidRequest("The charge has already been refunded.", "charge_already_refunded");
    const amount = fields["amount"] === undefined ? payment.amount - refunded : toAmount(fields["amount"]);
    if (refunded + amount > payment.amount)
      throw invalidRequest("Refund amount is greater than the unrefunded amount on the charge.");
    const refund: FakeRefund = {
      id: idOf("re"),
      object: "refund",
      amount,
      metadata: (fields["metadata"] as Record<string, string> | undefined) ?? {},
      status: "succeeded",
      payment_intent: payment.id,
    };
    this.refunds.set(refund.id, refund);
    return refund;
  }

  private cancelPayment(id: string, fields: FormFields): unknown {
    const payment = this.payments.get(id);
    if (!payment) throw noSuch("payment_intent", id);
    if (payment.status === "succeeded" || payment.status === "canceled")
      throw invalidRequest(
        `You cannot cancel this PaymentIntent because it has a status of ${payment.status}.`,
        "payment_intent_unexpected_state",
      );
    payment.status = "canceled";
    payment.next_action = null;
    return render(payment, expansionsOf(fields));
  }

  private attach(id: string, fields: FormFields): unknown {
    checkParameters(fields, parameterRules.attachMethod);
    const card: StoredCard = {
      id: idOf("pm"),
      customer: textOf(fields["customer"]),
      behaviour: testMethods[id] ?? "APPROVES",
      last4: "4242",
    };
    this.cards.set(card.id, card);
    return { id: card.id, object: "payment_method", customer: card.customer };
  }

  private search(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.search);
    const [, field = "", quoted = ""] = /^metadata\["(\w+)"\]:"((?:[^"\\]|\\.)*)"$/.exec(textOf(fields["query"])) ?? [];
    if (field === "") throw invalidRequest("We were unable to parse your search query.");
    const value = quoted.replace(/\\(.)/g, "$1");
    const found = [...this.indexed.values()].filter(({ metadata }) => metadata[field] === value);
    const expansions = expansionsOf(fields).map((one) => one.replace(/^data\./, ""));
    return {
      object: "search_result",
      url: "/v1/payment_intents/search",
      has_more: false,
      next_page: null,
      data: found.map((one) => render(one, expansions)),
    };
  }

  private cardOf(method: string): StoredCard {
    const card = this.cards.get(method);
    if (!card) throw noSuch("PaymentMethod", method);
    return card;
  }

  private addPayment(
    values: Pick<
      FakePayment,
      "amount" | "currency" | "customer" | "payment_method" | "description" | "metadata" | "setup_future_usage"
    >,
  ): FakePayment {
    const payment: FakePayment = {
      ...values,
      id: idOf("pi"),
      object: "payment_intent",
      created: Math.floor(this.now().getTime() / 1000),
      last_payment_error: null,
      latest_charge: null,
      next_action: null,
      status: values.payment_method === null ? "requires_payment_method" : "requires_confirmation",
    };
    this.payments.set(payment.id, payment);
    return payment;
  }

  private addSetup(card: StoredCard, metadata: Record<string, string>): FakeSetup {
    const setup: FakeSetup = {
      id: idOf("seti"),
      object: "setup_intent",
      customer: card.customer,
      last_setup_error: null,
      metadata,
      next_action: null,
      status: "succeeded",
      payment_method: { id: card.id, object: "payment_method", card: cardDetailsOf(card) },
      methodId: card.id,
    };
    this.setups.set(setup.id, setup);
    return setup;
  }

  private settle(payment: FakePayment, card: StoredCard): void {
    payment.status = "succeeded";
    payment.next_action = null;
    payment.latest_charge = {
      id: idOf("ch"),
      object: "charge",
      receipt_url: `https://pay.stripe.com/receipts/${payment.id}`,
      refunded: false,
      payment_method_details: { type: "card", card: cardDetailsOf(card) },
    };
  }

  /** @throws the card error. */
  private decline(payment: FakePayment, card: StoredCard, decline: FakeDecline): never {
    const error = { type: "card_error" as const, code: "card_declined", ...decline };
    payment.status = "requires_payment_method";
    payment.payment_method = null;
    payment.last_payment_error = {
      ...error,
      payment_method: { id: card.id, object: "payment_method", card: cardDetailsOf(card) },
    } as unknown as Stripe.PaymentIntent["last_payment_error"];
    throw new ApiError(402, { ...error, payment_intent: render(payment, []) as object });
  }
}

/** https://docs.stripe.com/error-codes#authentication-required */
const authenticationRequired: FakeDecline = {
  code: "authentication_required",
  decline_code: "authentication_required",
  message: "Your card was declined. This transaction requires authentication.",
};

/** Stripe's own test payment methods: https://docs.stripe.com/testing. */
const testMethods: Readonly<Record<string, CardBehaviour>> = {
  pm_card_visa: "APPROVES",
  pm_card_chargeCustomerFail: { decline: { decline_code: "generic_decline", message: "Your card was declined." } },
  pm_card_authenticationRequired: "NEEDS_PAYER",
};

const cardDetailsOf = ({ last4, id }: StoredCard) => ({ brand: "visa", last4, fingerprint: `fingerprint_${id}` });

const send = (response: ServerResponse, status: number, body: unknown): void =>
  void response
    .writeHead(status, { "content-type": "application/json", "request-id": idOf("req") })
    .end(JSON.stringify(body));

const textOf = (value: FormValue | undefined): string => (typeof value === "string" ? value : "");

const expansionsOf = ({ expand }: FormFields): string[] => (Array.isArray(expand) ? expand.map(String) : []);

/** An object as it is sent: what is not expanded is an id. */
function render(value: object, expansions: readonly string[]): unknown {
  const fields = { ...value } as Record<string, unknown>;
  delete fields["request"];
  delete fields["methodId"];
  for (const name of ["latest_charge", "payment_intent", "setup_intent", "payment_method"]) {
    const nested: unknown = fields[name];
    if (typeof nested !== "object" || nested === null) continue;
    const below = expansions.filter((one) => one === name || one.startsWith(`${name}.`));
    fields[name] =
      below.length === 0
        ? (nested as { id: string }).id
        : render(nested, below.map((one) => one.slice(name.length + 1)).filter(Boolean));
  }
  return structuredClone(fields);
}

function listOf(path: string, values: readonly unknown[], fields: FormFields): unknown {
  const after = values.findIndex((one) => (one as { id: string }).id === fields["starting_after"]) + 1;
  const limit = Number(fields["limit"] ?? 10);
  const data = values.slice(after, after + limit);
  return { object: "list", url: `/v1/${path}`, has_more: after + limit < values.length, data };
}

function toAmount(value: unknown): number {
  const amount = Number(value);
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw invalidRequest(`Invalid positive integer: ${String(value)}`, "parameter_invalid_integer");
  return amount;
}

function toCurrency(value: unknown): string {
  if (!/^[a-z]{3}$/.test(String(value)))
    throw invalidRequest(`Invalid currency: ${String(value)}`, "parameter_invalid");
  return String(value);
}
