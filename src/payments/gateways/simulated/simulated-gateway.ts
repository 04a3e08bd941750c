import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { PaymentGateway } from "../../../../schema/vocabulary.ts";
import { ZERO } from "../../../kernel/amounts.ts";
import { denied, invalidField, invariant } from "../../../kernel/refusals.ts";
import { readJson } from "../../../kernel/json-reader.ts";
import type {
  Callback,
  CallbackMessage,
  ChargeOutcome,
  ChargeRequest,
  FoundCharge,
  GatewayAccount,
  GatewayPort,
  RefundOutcome,
  RefundRequest,
} from "../gateway-port.ts";
import type { SimulatedCharge, SimulatedGatewayRepository } from "./simulated-gateway.repository.ts";
import { testCardOf } from "./simulated-cards.ts";
import { outcomeOf, plainScript, scriptIn, type Script } from "./simulated-charge.ts";

/** Where the simulated gateway sends its callbacks: headers and body as they would come over the network. */
export type Deliver = (
  to: { vendorId: number; gateway: PaymentGateway },
  headers: Record<string, string>,
  body: string,
) => Promise<void>;

const SIGNATURE = "x-simulated-signature";
const SLOW_MS = 400;
const LATE_MS = 300;
const QUESTIONS_UNANSWERED = 1;
const UNSEARCHABLE = "no-search";
/** A callback that is older was recorded by somebody and is played again. */
const TOLERANCE_MS = 300_000;

const random = (): string => randomBytes(18).toString("base64url");

/** The client that a charge is of, as its reference tells. */
const clientOf = (reference: string): number | undefined => {
  const [, digits] = /^sim_(\d{1,15})_[\w-]{24}$/.exec(reference) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** Signs a callback. */
const signatureOf = (secret: string, seconds: number, body: string): string =>
  createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");

/**
 * A payment gateway that charges nobody. The number of a card tells what happens to it (see `simulated.cards`), its books
 * are its own, and what it was sent under one key it charges once, as a real one does.
 */
export class SimulatedGateway implements GatewayPort {
  /** How often questions about a key fail before they are answered. */
  private readonly down = new Map<string, number>();

  constructor(
    private readonly books: SimulatedGatewayRepository,
    private readonly deliver: Deliver,
    private readonly secretOf: (vendorId: number, gateway: PaymentGateway) => Promise<string | undefined>,
    private readonly now: () => Date,
  ) {}

  async charge(account: GatewayAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    const known = await this.books.chargeByKey(account.vendorId, request.idempotencyKey);
    if (known) return outcomeOf(known);
    const { script, ending, token } = await this.scriptOf(account, request);
    if (script.behaviour === "SILENT") await forever();
    if (script.behaviour === "FAIL") throw new Error("502 Bad Gateway");
    if (script.behaviour === "SLOW") await wait(SLOW_MS);
    const isStored = script.behaviour !== "NOT_STORED" && (request.keep || token !== null);
    const charge = await this.books.addCharge({
      vendorId: account.vendorId,
      idempotencyKey: request.idempotencyKey,
      reference: `sim_${account.vendorId}_${random()}`,
      orderReference: request.orderReference,
      subject: request.subject,
      attempt: request.attempt,
      amount: request.amount,
      currency: request.currency,
      method: request.method,
      behaviour: JSON.stringify(script),
      ending,
      token: isStored ? (token ?? `simtok_${random()}`) : null,
      ...(await this.verdict(account, request, script, token)),
      createdAt: request.at,
    });
    await this.keep(charge);
    return this.answer(account, charge, script);
  }

  store(account: GatewayAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    return this.charge(account, { ...request, amount: ZERO, keep: true });
  }

  async lookUp({ vendorId }: GatewayAccount, idempotencyKey: string): Promise<ChargeOutcome> {
    this.failWhileDown(idempotencyKey);
    const charge = await this.books.chargeByKey(vendorId, idempotencyKey);
    return charge ? outcomeOf(charge) : { kind: "UNHEARD" };
  }

  async close({ vendorId, gateway }: GatewayAccount, idempotencyKey: string): Promise<ChargeOutcome> {
    this.failWhileDown(idempotencyKey);
    const closed = { status: "CLOSED", settledAt: this.now() };
    const charge = await this.books.addCharge({
      vendorId,
      idempotencyKey,
      reference: `sim_${vendorId}_${random()}`,
      orderReference: "",
      amount: ZERO,
      currency: "",
      method: "",
      behaviour: JSON.stringify(plainScript(gateway)),
      ...closed,
      createdAt: closed.settledAt,
    });
    return outcomeOf((await this.books.settle(vendorId, idempotencyKey, closed)) ?? charge);
  }

  /** Credentials choose a gateway of the kind that cannot be searched. */
  canSearch({ credentials }: GatewayAccount): boolean {
    return credentials !== UNSEARCHABLE;
  }

  async search({ vendorId, gateway }: GatewayAccount, subject: string): Promise<FoundCharge[]> {
    const charges = await this.books.chargesOf(vendorId, subject);
    return charges
      .filter((charge) => scriptIn(charge).gateway === gateway)
      .map((charge) => {
        const { idempotencyKey, amount, currency } = charge;
        return { idempotencyKey, amount, currency, outcome: outcomeOf(charge) };
      });
  }

  async refund({ vendorId }: GatewayAccount, request: RefundRequest): Promise<RefundOutcome> {
    const { idempotencyKey, chargeReference, amount, at } = request;
    const known = await this.books.refundByKey(vendorId, idempotencyKey);
    if (known) return { kind: "REFUNDED", reference: known.reference };
    const charge = await this.books.chargeByReference(vendorId, chargeReference);
    if (charge?.status !== "APPROVED") return { kind: "REFUSED", code: "NOT_CHARGED", message: "Nothing was charged." };
    const refunded = await this.books.refundedOf(vendorId, chargeReference);
    if (refunded.plus(amount).gt(charge.amount))
      return { kind: "REFUSED", code: "TOO_MUCH", message: "More than was charged." };
    const refund = await this.books.addRefund({
      vendorId,
      idempotencyKey,
      reference: `simref_${random()}`,
      chargeReference,
      amount,
      createdAt: at,
    });
    return { kind: "REFUNDED", reference: refund.reference };
  }

  async lookUpRefund({ vendorId }: GatewayAccount, idempotencyKey: string): Promise<RefundOutcome> {
    const refund = await this.books.refundByKey(vendorId, idempotencyKey);
    return refund ? { kind: "REFUNDED", reference: refund.reference } : { kind: "UNHEARD" };
  }

  readCallback({ callbackSecret }: GatewayAccount, { headers, body, at }: CallbackMessage): Callback {
    const [, seconds = "", given = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(headers[SIGNATURE])) ?? [];
    const expected = signatureOf(callbackSecret, Number(seconds), body);
    const isOurs = given !== "" && timingSafeEqual(Buffer.from(given, "hex"), Buffer.from(expected, "hex"));
    const isFresh = Math.abs(at.getTime() - Number(seconds) * 1000) <= TOLERANCE_MS;
    if (!isOurs || !isFresh) throw denied("CALLBACK_REFUSED", "The callback is not signed by the gateway, or too old.");
    const { idempotencyKey } = (readJson(Buffer.from(body)) ?? {}) as Partial<Callback>;
    if (typeof idempotencyKey !== "string" || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
      throw invalidField("idempotencyKey", "must be the key of a charge: 1 to 255 printable ASCII characters.");
    return { idempotencyKey };
  }

  /** What the payer, or the payer's bank, does about a charge that waits: the gateway tells of it by a callback. */
  async settle(reference: string, approved: boolean): Promise<{ returnUrl: string | null } | undefined> {
    const vendorId = clientOf(reference);
    const charge = vendorId === undefined ? undefined : await this.books.chargeByReference(vendorId, reference);
    if (!charge) return undefined;
    const settled = await this.books.settle(charge.vendorId, charge.idempotencyKey, {
      ...(approved
        ? { status: "APPROVED" }
        : { status: "DECLINED", code: "1A", message: "The payer did not confirm." }),
      settledAt: this.now(),
    });
    if (settled) {
      await this.keep(settled);
      await this.tell(settled);
    }
    return { returnUrl: scriptIn(charge).returnUrl ?? null };
  }

  /** What a charge waits for, for its page. */
  async waiting(reference: string): Promise<SimulatedCharge | undefined> {
    const vendorId = clientOf(reference);
    return vendorId === undefined ? undefined : this.books.chargeByReference(vendorId, reference);
  }

  private failWhileDown(idempotencyKey: string): void {
    const left = this.down.get(idempotencyKey) ?? 0;
    if (left === 0) return;
    this.down.set(idempotencyKey, left - 1);
    throw new Error("503 Service Unavailable");
  }

  private async scriptOf(
    { vendorId, gateway }: GatewayAccount,
    { instrument, returnUrl }: ChargeRequest,
  ): Promise<{ script: Script; ending: string | null; token: string | null }> {
    const going = { gateway, ...(returnUrl !== null && { returnUrl }) };
    if (instrument.kind === "TOKEN") {
      const method = await this.books.method(vendorId, instrument.token);
      if (!method) throw new Error("404 Unknown token");
      const script = { ...(JSON.parse(method.behaviour) as Script), ...going };
      return { script, ending: method.ending, token: instrument.token };
    }
    if (instrument.kind === "NONE") return { script: { ...plainScript(gateway), ...going }, ending: null, token: null };
    const { number, ...card } = testCardOf(instrument.card.number);
    const fingerprint = createHash("sha256").update(`${vendorId} ${number}`).digest("hex");
    return { script: { ...card, fingerprint, ...going }, ending: number.slice(-4), token: null };
  }

  /** Approved, declined, or what is waited for. */
  private async verdict(
    { vendorId }: GatewayAccount,
    { method, unattended, at }: ChargeRequest,
    { behaviour, times, ...said }: Script,
    token: string | null,
  ): Promise<{ status: string } & Partial<SimulatedCharge>> {
    const { code = null, adviceCode = null, message = null } = said;
    if (DEPOSITS.has(method)) return { status: "DEPOSIT" };
    if (behaviour === "CHALLENGE")
      return unattended
        ? { ...declined, code: "1A", message: "Authentication required.", settledAt: at }
        : { status: "CHALLENGE" };
    const isLater = behaviour === "DECLINE_LATER" && unattended && token !== null;
    const declines =
      behaviour === "DECLINE" ||
      (isLater && (times === undefined || (await this.books.declinedOf(vendorId, token)) < times));
    return declines ? { ...declined, code, adviceCode, message, settledAt: at } : { status: "APPROVED", settledAt: at };
  }

  private async keep({ vendorId, status, token, behaviour, ending, createdAt }: SimulatedCharge): Promise<void> {
    if (status !== "APPROVED" || token === null) return;
    await this.books.addMethod({ vendorId, token, behaviour, ending: ending ?? "", createdAt });
  }

  /** Answers as the card wants it; callbacks that come after the answer are not waited for. */
  private async answer(
    { callbackSecret }: GatewayAccount,
    charge: SimulatedCharge,
    { behaviour }: Script,
  ): Promise<ChargeOutcome> {
    const tell = () => this.tell(charge, callbackSecret);
    const later = (milliseconds: number, ...what: (() => Promise<void>)[]) =>
      void wait(milliseconds, undefined, { ref: false })
        .then(async () => {
          for (const one of what) await one();
        })
        .catch(() => undefined);
    if (behaviour === "CALLBACK_FIRST") await tell();
    if (behaviour === "CALLBACK_TWICE") later(0, tell, tell);
    if (behaviour === "CALLBACK_LATE") later(LATE_MS, tell);
    if (behaviour === "CALLBACK_DISORDERED")
      later(0, tell, () => this.tell({ ...charge, status: "DECLINED" }, callbackSecret));
    if (behaviour === "SILENT_AFTER_CHARGE") await forever();
    if (behaviour === "FAIL_AFTER_CHARGE") throw new Error("500 Internal Server Error");
    if (behaviour === "DOWN_AFTER_CHARGE") {
      this.down.set(charge.idempotencyKey, QUESTIONS_UNANSWERED);
      throw new Error("503 Service Unavailable");
    }
    if (behaviour === "GARBAGE") return { kind: "ALL GOOD", html: "<html>" } as never;
    return outcomeOf(charge);
  }

  private async tell(charge: SimulatedCharge, secret?: string): Promise<void> {
    const { vendorId, idempotencyKey, reference, status } = charge;
    const { gateway } = scriptIn(charge);
    const signedWith = secret ?? (await this.secretOf(vendorId, gateway));
    invariant(signedWith, "whoever charged has an account");
    const seconds = Math.floor(this.now().getTime() / 1000);
    const body = JSON.stringify({ idempotencyKey, reference, status });
    const signature = `t=${seconds},v1=${signatureOf(signedWith, seconds, body)}`;
    await this.deliver({ vendorId, gateway }, { [SIGNATURE]: signature, "content-type": "application/json" }, body);
  }
}

/** Methods by which a payer pays into an account. */
const DEPOSITS: ReadonlySet<string> = new Set(["VBANK", "BANK_TRANSFER"]);

const declined = { status: "DECLINED" };

const forever = (): Promise<never> => new Promise(() => undefined);
