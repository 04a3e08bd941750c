import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { FakeTossError, invalidRequest, paymentNotFound } from "./toss-error.ts";

/** A decline as Toss words it; its status is 400 for most codes and 403 for some. */
export interface FakeTossDecline {
  code: string;
  message: string;
  status?: number;
}

/** The behaviour of a billing key when it is charged. */
export type BillingBehaviour =
  "APPROVES" | "SILENT_AFTER_CHARGE" | "SILENT" | "FAILS_AFTER_CHARGE" | "GARBAGE" | { decline: FakeTossDecline };

interface BillingKey {
  billingKey: string;
  customerKey: string;
  behaviour: BillingBehaviour;
  number: string;
}

interface FakeCancel {
  transactionKey: string;
  cancelReason: string;
  cancelAmount: number;
}

/** A payment with the fields of Toss's Payment object that are sent. */
export interface FakeTossPayment {
  paymentKey: string;
  orderId: string;
  orderName: string;
  type: "NORMAL" | "BILLING";
  status: "READY" | "IN_PROGRESS" | "DONE" | "CANCELED" | "PARTIAL_CANCELED" | "ABORTED" | "EXPIRED";
  currency: string;
  totalAmount: number;
  balanceAmount: number;
  card: { number: string } | null;
  receipt: { url: string } | null;
  failure: { code: string; message: string } | null;
  cancels: FakeCancel[] | null;
}

/** What a page asks of Toss's script: https://docs.tosspayments.com/sdk/v2/js. */
export interface WindowRequest {
  clientKey: string;
  customerKey: string;
  call: "requestBillingAuth" | "requestPayment";
  parameters: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  status: number;
  body: unknown;
}

const idOf = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`;
const RUNNING_MS = 5;
const MAX_KEY_LENGTH = 300;
/** Toss masks the middle of a number, and its last digit. */
const CARD_NUMBER = "43301234****123*";

/**
 * A stand-in of Toss Payments: a server with the part of its HTTP interface that the adapter uses, and with its state. It refuses
 * unknown and missing parameters, and answers each POST once per idempotency key, API key and address, whatever the body.
 */
export class FakeToss {
  readonly payments = new Map<string, FakeTossPayment>();
  /** The secret keys that are valid. */
  readonly keys = new Set(["test_sk_recoup0123456789"]);
  /** The client keys that are valid. */
  readonly clientKeys = new Set(["test_ck_recoup0123456789"]);
  /** Where webhooks are sent. */
  webhook: ((body: string) => Promise<unknown>) | undefined;
  /** Whether confirmations are answered; they are executed in any case. */
  answersConfirmations = true;
  /** The behaviour of cards that payers register or pay with. */
  nextCard: BillingBehaviour = "APPROVES";
  /** The customer keys by the keys that payers bring back, each of which is good for one billing key. */
  private readonly authKeys = new Map<string, string>();
  /** Whether declined charges of billing keys are found by their order id. */
  listsDeclines = true;
  readonly billingKeys = new Map<string, BillingKey>();
  private readonly answers = new Map<string, Answer | "RUNNING">();

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<FakeToss> {
    const server = createServer();
    const fake = new FakeToss(server);
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

  /** Issues a billing key with a behaviour. @returns it with its customer key. */
  addBillingKey(behaviour: BillingBehaviour, customerKey = idOf("customer")): BillingKey {
    // Real billing keys are base64, so that they contain slashes.
    const billingKey = `${randomBytes(15).toString("base64")}/+=`;
    const key = { billingKey, customerKey, behaviour, number: CARD_NUMBER };
    this.billingKeys.set(billingKey, key);
    return key;
  }

  /** Changes the behaviour of a billing key. */
  setBehaviour(billingKey: string, behaviour: BillingBehaviour): void {
    this.billingKeyOf(billingKey).behaviour = behaviour;
  }

  /** The approved payments whose order id ends so. */
  approvedOf(orderIdEnd: string): FakeTossPayment[] {
    return [...this.payments.values()].filter(
      ({ orderId, status }) => orderId.endsWith(orderIdEnd) && approvedStatuses.has(status),
    );
  }

  /**
   * The payer does in the window what it asks for: registers a card, or pays with one.
   * @returns the parameters that Toss adds to the return address.
   */
  visitWindow({ clientKey, customerKey, call, parameters }: WindowRequest): Record<string, string> {
    if (!this.clientKeys.has(clientKey)) throw invalidRequest("INVALID_CLIENT_KEY");
    if (!/^[a-zA-Z0-9\-_=.,@]{2,50}$/.test(customerKey)) throw invalidRequest("INVALID_CUSTOMER_KEY");
    const common = ["method", "successUrl", "failUrl"];
    if (parameters["method"] !== "CARD") throw invalidRequest("NOT_SUPPORTED_METHOD");
    if (call === "requestBillingAuth") {
      checkParameters(parameters, common, ["windowTarget", "customerName", "customerEmail"]);
      const authKey = idOf("bln");
      this.authKeys.set(authKey, customerKey);
      return { authKey, customerKey };
    }
    checkParameters(parameters, [...common, "amount", "orderId", "orderName"], ["windowTarget"]);
    const { currency, value } = parameters["amount"] as { currency: string; value: number };
    const payment = newPayment(
      "NORMAL",
      readOrderId(parameters["orderId"]),
      String(parameters["orderName"]),
      readAmount(value),
    );
    this.payments.set(payment.paymentKey, { ...payment, currency, status: "IN_PROGRESS", receipt: null });
    return { paymentType: "NORMAL", paymentKey: payment.paymentKey, orderId: payment.orderId, amount: String(value) };
  }

  /** A webhook about a payment as Toss sends it: without a signature. */
  toWebhook({ paymentKey, orderId, status }: Pick<FakeTossPayment, "paymentKey" | "orderId" | "status">): string {
    const data = { paymentKey, orderId, status };
    return JSON.stringify({ eventType: "PAYMENT_STATUS_CHANGED", createdAt: "2026-03-01T18:30:00.000000", data });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const answer = await this.answer(request, body).catch(toErrorAnswer);
    if (answer === "SILENCE") return;
    if (answer === "GARBAGE")
      return void response.writeHead(200, { "content-type": "text/html" }).end("<html>all good</html>");
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  }

  private async answer(request: IncomingMessage, body: string): Promise<Answer | "SILENCE" | "GARBAGE"> {
    const [, encoded = ""] = /^Basic (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
    const [apiKey = "", password] = Buffer.from(encoded, "base64").toString().split(":");
    if (!this.keys.has(apiKey) || password !== "")
      throw new FakeTossError(401, "UNAUTHORIZED_KEY", "인증되지 않은 시크릿 키 혹은 클라이언트 키 입니다.");
    const path = request.url ?? "/";
    if (request.method === "GET") return { status: 200, body: this.read(path) };
    const idempotencyKey = request.headers["idempotency-key"];
    if (typeof idempotencyKey !== "string") throw invalidRequest("The adapter sends each POST with a key.");
    if (idempotencyKey.length > MAX_KEY_LENGTH)
      throw new FakeTossError(400, "INVALID_IDEMPOTENCY_KEY", "멱등키는 300자 이하여야 합니다.");
    const testCode = request.headers["tosspayments-test-code"];
    if (typeof testCode === "string") {
      const answer = { status: 400, body: { code: testCode, message: "테스트 에러 입니다." } };
      this.answers.set(`${apiKey} ${path} ${idempotencyKey}`, answer);
      return answer;
    }
    return this.writeOnce(`${apiKey} ${path} ${idempotencyKey}`, path, JSON.parse(body) as Fields);
  }

  /** https://docs.tosspayments.com/reference/using-api/authorization#멱등키-헤더 */
  private async writeOnce(key: string, path: string, fields: Fields): Promise<Answer | "SILENCE" | "GARBAGE"> {
    const saved = this.answers.get(key);
    if (saved === "RUNNING")
      throw new FakeTossError(409, "IDEMPOTENT_REQUEST_PROCESSING", "이전 멱등 요청이 처리중입니다.");
    if (saved) return saved;
    const behaviour = this.billingKeys.get(decodeURIComponent(path.replace("/v1/billing/", "")))?.behaviour;
    if (behaviour === "SILENT" && this.isAccepted(path, fields)) return "SILENCE";
    this.answers.set(key, "RUNNING");
    await wait(RUNNING_MS);
    let answer: Answer;
    try {
      answer = { status: 200, body: structuredClone(this.write(path, fields)) };
    } catch (error) {
      answer = toErrorAnswer(error);
    }
    this.answers.set(key, answer);
    if (answer.status !== 200) return answer;
    const { orderId } = answer.body as Partial<FakeTossPayment>;
    if (orderId !== undefined) await this.webhook?.(this.toWebhook(answer.body as FakeTossPayment));
    const isConfirmation = path === "/v1/payments/confirm";
    if (behaviour === "SILENT_AFTER_CHARGE" || (isConfirmation && !this.answersConfirmations)) return "SILENCE";
    if (behaviour === "GARBAGE") return "GARBAGE";
    if (behaviour === "FAILS_AFTER_CHARGE")
      throw new FakeTossError(500, "FAILED_INTERNAL_SYSTEM_PROCESSING", "내부 시스템 처리 작업이 실패했습니다.");
    return answer;
  }

  /** Whether a charge is the customer's own; another is refused at once, also where a charge would not be answered. */
  private isAccepted(path: string, { customerKey }: Fields): boolean {
    return this.billingKeyOf(decodeURIComponent(path.replace("/v1/billing/", ""))).customerKey === customerKey;
  }

  private read(path: string): unknown {
    const [, orderId] = /^\/v1\/payments\/orders\/([^/]+)$/.exec(path) ?? [];
    const [, paymentKey] = /^\/v1\/payments\/([^/]+)$/.exec(path) ?? [];
    if (orderId !== undefined) {
      const found = [...this.payments.values()].filter((one) => one.orderId === decodeURIComponent(orderId)).at(-1);
      if (!found) throw paymentNotFound();
      return found;
    }
    if (paymentKey !== undefined) return this.paymentOf(decodeURIComponent(paymentKey));
    throw new FakeTossError(404, "NOT_FOUND", "존재하지 않는 정보 입니다.");
  }

  private write(path: string, fields: Fields): unknown {
    const [, billingKey] = /^\/v1\/billing\/([^/]+)$/.exec(path) ?? [];
    const [, cancelled] = /^\/v1\/payments\/([^/]+)\/cancel$/.exec(path) ?? [];
    if (path === "/v1/billing/authorizations/issue") return this.issue(fields);
    if (path === "/v1/payments/confirm") return this.confirm(fields);
    if (billingKey !== undefined) return this.charge(this.billingKeyOf(decodeURIComponent(billingKey)), fields);
    if (cancelled !== undefined) return this.cancel(this.paymentOf(decodeURIComponent(cancelled)), fields);
    throw new FakeTossError(404, "NOT_FOUND", "존재하지 않는 정보 입니다.");
  }

  /** https://docs.tosspayments.com/reference#authkey로-카드-빌링키-발급 */
  private issue(fields: Fields): object {
    checkParameters(fields, ["authKey", "customerKey"]);
    const { authKey, customerKey } = fields as { authKey: string; customerKey: string };
    if (this.authKeys.get(authKey) !== customerKey)
      throw new FakeTossError(400, "INVALID_AUTH_KEY", "유효하지 않은 인증 키 입니다.");
    this.authKeys.delete(authKey);
    const { billingKey, number } = this.addBillingKey(this.nextCard, customerKey);
    return { billingKey, customerKey, method: "카드", card: { number } };
  }

  /** https://docs.tosspayments.com/reference#결제-승인 */
  private confirm(fields: Fields): FakeTossPayment {
    checkParameters(fields, ["paymentKey", "orderId", "amount"]);
    const payment = this.paymentOf(String(fields["paymentKey"]));
    if (payment.status !== "IN_PROGRESS")
      throw new FakeTossError(400, "ALREADY_PROCESSED_PAYMENT", "이미 처리된 결제 입니다.");
    if (payment.orderId !== fields["orderId"] || payment.totalAmount !== fields["amount"])
      throw invalidRequest("The order or the amount is not that of the payment.");
    const behaviour = this.nextCard;
    if (typeof behaviour === "object") this.abort(payment, behaviour.decline);
    payment.status = "DONE";
    payment.receipt = { url: RECEIPT_URL };
    return payment;
  }

  /** @throws the decline. */
  private abort(payment: FakeTossPayment, { code, message, status = 400 }: FakeTossDecline): never {
    payment.status = "ABORTED";
    payment.receipt = null;
    payment.failure = { code, message };
    if (this.listsDeclines) this.payments.set(payment.paymentKey, payment);
    throw new FakeTossError(status, code, message);
  }

  /** https://docs.tosspayments.com/reference#자동결제-승인 */
  private charge({ customerKey, behaviour, number }: BillingKey, fields: Fields): FakeTossPayment {
    checkParameters(fields, ["amount", "customerKey", "orderId", "orderName"], ["customerName", "taxFreeAmount"]);
    const amount = readAmount(fields["amount"]);
    const orderId = readOrderId(fields["orderId"]);
    if (fields["customerKey"] !== customerKey)
      throw new FakeTossError(
        400,
        "NOT_MATCHES_CUSTOMER_KEY",
        "빌링 인증 고객키와 결제 요청 고객키가 일치하지 않습니다.",
      );
    if (this.approvedOf(orderId).length > 0)
      throw new FakeTossError(400, "DUPLICATED_ORDER_ID", "이미 승인 및 취소가 진행된 중복된 주문번호 입니다.");
    const payment = { ...newPayment("BILLING", orderId, String(fields["orderName"]), amount), card: { number } };
    if (typeof behaviour === "object") this.abort(payment, behaviour.decline);
    this.payments.set(payment.paymentKey, payment);
    return payment;
  }

  /** https://docs.tosspayments.com/reference#결제-취소 */
  private cancel(payment: FakeTossPayment, fields: Fields): FakeTossPayment {
    checkParameters(fields, ["cancelReason"], ["cancelAmount", "taxFreeAmount"]);
    if (payment.status === "CANCELED")
      throw new FakeTossError(400, "ALREADY_CANCELED_PAYMENT", "이미 취소된 결제 입니다.");
    if (payment.status !== "DONE" && payment.status !== "PARTIAL_CANCELED")
      throw new FakeTossError(403, "NOT_CANCELABLE_PAYMENT", "취소 할 수 없는 결제 입니다.");
    const amount = fields["cancelAmount"] === undefined ? payment.balanceAmount : readAmount(fields["cancelAmount"]);
    if (amount > payment.balanceAmount)
      throw new FakeTossError(403, "NOT_CANCELABLE_AMOUNT", "취소 할 수 없는 금액 입니다.");
    payment.balanceAmount -= amount;
    payment.status = payment.balanceAmount === 0 ? "CANCELED" : "PARTIAL_CANCELED";
    const cancel = { transactionKey: idOf("txk"), cancelReason: String(fields["cancelReason"]), cancelAmount: amount };
    payment.cancels = [...(payment.cancels ?? []), cancel];
    return payment;
  }

  private billingKeyOf(billingKey: string): BillingKey {
    const key = this.billingKeys.get(billingKey);
    if (!key)
      throw new FakeTossError(
        400,
        "INVALID_BILL_KEY_REQUEST",
        "빌링키 인증이 완료되지 않았거나 유효하지 않은 빌링 결제 건 입니다.",
      );
    return key;
  }

  private paymentOf(paymentKey: string): FakeTossPayment {
    const payment = this.payments.get(paymentKey);
    if (!payment) throw paymentNotFound();
    return payment;
  }
}

const RECEIPT_URL = "https://dashboard.tosspayments.com/receipt";

const approvedStatuses: ReadonlySet<string> = new Set(["DONE", "CANCELED", "PARTIAL_CANCELED"]);

const newPayment = (
  type: FakeTossPayment["type"],
  orderId: string,
  orderName: string,
  amount: number,
): FakeTossPayment => ({
  ...{ paymentKey: idOf("tpk"), orderId, orderName, type, status: "DONE", currency: "KRW" },
  ...{ totalAmount: amount, balanceAmount: amount, receipt: { url: RECEIPT_URL } },
  ...{ card: { number: CARD_NUMBER }, failure: null, cancels: null },
});

const toErrorAnswer = (error: unknown): Answer =>
  error instanceof FakeTossError
    ? { status: error.status, body: { code: error.code, message: error.message } }
    : { status: 500, body: { code: "FAILED_INTERNAL_SYSTEM_PROCESSING", message: String(error) } };

/** @throws a FakeTossError for the first parameter that is unknown or missing. */
function checkParameters(fields: Fields, required: readonly string[], optional: readonly string[] = []): void {
  for (const name of Object.keys(fields))
    if (!required.includes(name) && !optional.includes(name)) throw invalidRequest(`Unknown parameter: ${name}`);
  for (const name of required)
    if (fields[name] === undefined || fields[name] === "") throw invalidRequest(`Missing parameter: ${name}`);
}

function readAmount(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
    throw invalidRequest(`Not an amount in won: ${String(value)}`);
  return value;
}

function readOrderId(value: unknown): string {
  if (typeof value !== "string" || !/^[a-zA-Z0-9-_=]{6,64}$/.test(value))
    throw invalidRequest(`Not an order id: ${String(value)}`);
  return value;
}
