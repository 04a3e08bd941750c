import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { PaymentGateway } from "../../../../schema/vocabulary.ts";
import { ZERO } from "../../../kernel/amounts.ts";
import { denied, invalidField, invariant } from "../../../kernel/refusals.ts";
import { parseJsonBody } from "../../../kernel/json-reader.ts";
import { endOfCardMonth } from "../card-expiry.ts";
import type {
  GatewayCallback,
  RawCallback,
  ChargeIdentity,
  ChargeOutcome,
  ChargeRequest,
  FoundCharge,
  AdapterAccount,
  RawGateway,
  RefundOutcome,
  RefundRequest,
} from "../gateway-port.ts";
import type { SimulatedCharge, SimulatedGatewayRepository } from "./simulated-gateway.repository.ts";
import { findTestCard } from "./simulated-cards.ts";
import { toChargeOutcome, approvingScript, readScript, type InstrumentScript } from "./simulated-charge.ts";

/** Delivers the simulated gateway's callbacks: headers and body as over the network. */
export type DeliverCallback = (
  to: { vendorId: number; gateway: PaymentGateway },
  headers: Record<string, string>,
  body: string,
) => Promise<void>;

const SIGNATURE_HEADER = "x-simulated-signature";
const SLOW_ANSWER_MS = 400;
const LATE_CALLBACK_MS = 300;
const FAILING_LOOK_UPS = 1;
const UNSEARCHABLE_CREDENTIALS = "no-search";
/** An older callback may be a recorded one that is replayed. */
const SIGNATURE_TOLERANCE_MS = 300_000;

const randomId = (): string => randomBytes(18).toString("base64url");

/** The vendor of a charge, read from its reference. */
const vendorIdOf = (reference: string): number | undefined => {
  const [, digits] = /^sim_(\d{1,15})_[\w-]{24}$/.exec(reference) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** Signs a callback. */
const signCallback = (secret: string, seconds: number, body: string): string =>
  createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");

/**
 * A simulated payment gateway that charges no real money. The card number selects the behaviour (see
 * `simulated.cards`). It has its own tables and, like a real gateway, charges once per idempotency key.
 */
export class SimulatedGateway implements RawGateway {
  /** Number of look-ups of a key that still fail before one is answered. */
  private readonly remainingOutages = new Map<string, number>();

  constructor(
    private readonly records: SimulatedGatewayRepository,
    private readonly deliver: DeliverCallback,
    private readonly secretOf: (vendorId: number, gateway: PaymentGateway) => Promise<string | undefined>,
    private readonly now: () => Date,
  ) {}

  async charge(account: AdapterAccount, request: ChargeRequest): Promise<unknown> {
    const known = await this.records.chargeByKey(account.vendorId, request.idempotencyKey);
    if (known) return toChargeOutcome(known);
    const { script, ending, token } = await this.resolveScript(account, request);
    if (script.behaviour === "SILENT") await neverResolve();
    if (script.behaviour === "FAIL") throw new Error("502 Bad Gateway");
    if (script.behaviour === "SLOW") await wait(SLOW_ANSWER_MS);
    const isStored = script.behaviour !== "NOT_STORED" && (request.storeInstrument || token !== null);
    const charge = await this.records.addCharge({
      vendorId: account.vendorId,
      idempotencyKey: request.idempotencyKey,
      reference: `sim_${account.vendorId}_${randomId()}`,
      orderReference: request.orderReference,
      subject: request.subject,
      attempt: request.attempt,
      amount: request.amount,
      currency: request.currency,
      method: request.method,
      behaviour: JSON.stringify(script),
      ending,
      token: isStored ? (token ?? `simtok_${randomId()}`) : null,
      ...(await this.decideStatus(account, request, script, token)),
      createdAt: request.requestedAt,
    });
    await this.saveMethod(charge);
    return this.respond(account, charge, script);
  }

  storeMethod(account: AdapterAccount, request: ChargeRequest): Promise<unknown> {
    return this.charge(account, { ...request, amount: ZERO, storeInstrument: true });
  }

  completeCharge(account: AdapterAccount, charge: ChargeIdentity): Promise<unknown> {
    return this.lookUpCharge(account, charge);
  }

  describeWindow(): null {
    return null;
  }

  async lookUpCharge({ vendorId }: AdapterAccount, { idempotencyKey }: ChargeIdentity): Promise<ChargeOutcome> {
    this.failWhileDown(idempotencyKey);
    const charge = await this.records.chargeByKey(vendorId, idempotencyKey);
    return charge ? toChargeOutcome(charge) : { kind: "UNKNOWN" };
  }

  async closeCharge({ vendorId, gateway }: AdapterAccount, { idempotencyKey }: ChargeIdentity): Promise<ChargeOutcome> {
    this.failWhileDown(idempotencyKey);
    const closed = { status: "CLOSED", settledAt: this.now() };
    const charge = await this.records.addCharge({
      vendorId,
      idempotencyKey,
      reference: `sim_${vendorId}_${randomId()}`,
      orderReference: "",
      amount: ZERO,
      currency: "",
      method: "",
      behaviour: JSON.stringify(approvingScript(gateway)),
      ...closed,
      createdAt: closed.settledAt,
    });
    return toChargeOutcome((await this.records.settlePending(vendorId, idempotencyKey, closed)) ?? charge);
  }

  /** Credentials choose a gateway of the kind that cannot be searched. */
  canSearch({ credentials }: AdapterAccount): boolean {
    return credentials !== UNSEARCHABLE_CREDENTIALS;
  }

  async searchCharges({ vendorId, gateway }: AdapterAccount, subject: string): Promise<FoundCharge[]> {
    const charges = await this.records.chargesBySubject(vendorId, subject);
    return charges
      .filter((charge) => readScript(charge).gateway === gateway)
      .map((charge) => {
        const { idempotencyKey, amount, currency } = charge;
        return { idempotencyKey, amount, currency, outcome: toChargeOutcome(charge) };
      });
  }

  async detachMethod({ vendorId }: AdapterAccount, token: string): Promise<boolean> {
    await this.records.removeMethod(vendorId, token);
    return true;
  }

  async refund({ vendorId }: AdapterAccount, request: RefundRequest): Promise<RefundOutcome> {
    const { idempotencyKey, chargeReference, amount, requestedAt } = request;
    const known = await this.records.refundByKey(vendorId, idempotencyKey);
    if (known) return { kind: "REFUNDED", reference: known.reference };
    const charge = await this.records.chargeByReference(vendorId, chargeReference);
    if (charge?.status !== "APPROVED") return { kind: "REFUSED", code: "NOT_CHARGED", message: "Nothing was charged." };
    const refunded = await this.records.refundedAmountOf(vendorId, chargeReference);
    if (refunded.plus(amount).gt(charge.amount))
      return { kind: "REFUSED", code: "TOO_MUCH", message: "The amount is more than was charged." };
    const refund = await this.records.addRefund({
      vendorId,
      idempotencyKey,
      reference: `simref_${randomId()}`,
      chargeReference,
      amount,
      createdAt: requestedAt,
    });
    return { kind: "REFUNDED", reference: refund.reference };
  }

  async lookUpRefund({ vendorId }: AdapterAccount, { idempotencyKey }: RefundRequest): Promise<RefundOutcome> {
    const refund = await this.records.refundByKey(vendorId, idempotencyKey);
    return refund ? { kind: "REFUNDED", reference: refund.reference } : { kind: "UNKNOWN" };
  }

  /** Nobody disputes a simulated charge. */
  lookUpDispute(): Promise<null> {
    return Promise.resolve(null);
  }

  readCallback({ callbackSecret }: AdapterAccount, { headers, body, receivedAt }: RawCallback): GatewayCallback {
    const [, seconds = "", signature = ""] =
      /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(headers[SIGNATURE_HEADER])) ?? [];
    const expected = signCallback(callbackSecret, Number(seconds), body);
    const isSignatureValid =
      signature !== "" && timingSafeEqual(Buffer.from(signature, "hex"), Buffer.from(expected, "hex"));
    const isFresh = Math.abs(receivedAt.getTime() - Number(seconds) * 1000) <= SIGNATURE_TOLERANCE_MS;
    if (!isSignatureValid || !isFresh)
      throw denied("CALLBACK_REFUSED", "The callback is not signed by the gateway, or it is too old.");
    const { idempotencyKey } = (parseJsonBody(Buffer.from(body)) ?? {}) as { idempotencyKey?: unknown };
    if (typeof idempotencyKey !== "string" || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
      throw invalidField("idempotencyKey", "must be the key of a charge: 1 to 255 printable ASCII characters.");
    return { kind: "CHARGE", idempotencyKey };
  }

  /** Completes a pending charge as the payer or the bank would; the gateway reports it by a callback. */
  async completePending(reference: string, approved: boolean): Promise<{ returnUrl: string | null } | undefined> {
    const vendorId = vendorIdOf(reference);
    const charge = vendorId === undefined ? undefined : await this.records.chargeByReference(vendorId, reference);
    if (!charge) return undefined;
    const settled = await this.records.settlePending(charge.vendorId, charge.idempotencyKey, {
      ...(approved
        ? { status: "APPROVED" }
        : { status: "DECLINED", code: "1A", message: "The payer did not confirm the charge." }),
      settledAt: this.now(),
    });
    if (settled) {
      await this.saveMethod(settled);
      await this.sendCallback(settled);
    }
    return { returnUrl: readScript(charge).returnUrl ?? null };
  }

  /** Finds the pending charge that its confirmation page shows. */
  async findPendingCharge(reference: string): Promise<SimulatedCharge | undefined> {
    const vendorId = vendorIdOf(reference);
    return vendorId === undefined ? undefined : this.records.chargeByReference(vendorId, reference);
  }

  private failWhileDown(idempotencyKey: string): void {
    const remaining = this.remainingOutages.get(idempotencyKey) ?? 0;
    if (remaining === 0) return;
    this.remainingOutages.set(idempotencyKey, remaining - 1);
    throw new Error("503 Service Unavailable");
  }

  private async resolveScript(
    { vendorId, gateway }: AdapterAccount,
    { instrument, returnUrl }: ChargeRequest,
  ): Promise<{ script: InstrumentScript; ending: string | null; token: string | null }> {
    const scriptContext = { gateway, ...(returnUrl !== null && { returnUrl }) };
    if (instrument.kind === "TOKEN") {
      const method = await this.records.methodByToken(vendorId, instrument.token);
      if (!method) throw new Error("404 Unknown token");
      const script = { ...(JSON.parse(method.behaviour) as InstrumentScript), ...scriptContext };
      return { script, ending: method.ending, token: instrument.token };
    }
    if (instrument.kind === "NONE")
      return { script: { ...approvingScript(gateway), ...scriptContext }, ending: null, token: null };
    const { number, ...card } = findTestCard(instrument.card.number);
    const expiresAt = endOfCardMonth(instrument.card.expiryYear, instrument.card.expiryMonth).toISOString();
    const fingerprint = createHash("sha256").update(`${vendorId} ${number}`).digest("hex");
    return { script: { ...card, fingerprint, expiresAt, ...scriptContext }, ending: number.slice(-4), token: null };
  }

  /** Approved, declined, or what is waited for. */
  private async decideStatus(
    { vendorId }: AdapterAccount,
    { method, isOffSession, requestedAt }: ChargeRequest,
    { behaviour, times, ...response }: InstrumentScript,
    token: string | null,
  ): Promise<{ status: string } & Partial<SimulatedCharge>> {
    const { code = null, adviceCode = null, message = null } = response;
    if (DEPOSIT_METHODS.has(method)) return { status: "DEPOSIT" };
    if (behaviour === "CHALLENGE")
      return isOffSession
        ? { ...declinedStatus, code: "1A", message: "Authentication required.", settledAt: requestedAt }
        : { status: "CHALLENGE" };
    const isLaterCharge = behaviour === "DECLINE_LATER" && isOffSession && token !== null;
    const declines =
      behaviour === "DECLINE" ||
      (isLaterCharge && (times === undefined || (await this.records.countDeclined(vendorId, token)) < times));
    return declines
      ? { ...declinedStatus, code, adviceCode, message, settledAt: requestedAt }
      : { status: "APPROVED", settledAt: requestedAt };
  }

  private async saveMethod({ vendorId, status, token, behaviour, ending, createdAt }: SimulatedCharge): Promise<void> {
    if (status !== "APPROVED" || token === null) return;
    await this.records.addMethod({ vendorId, token, behaviour, ending: ending ?? "", createdAt });
  }

  /** Answers as the card's behaviour requires; callbacks after the answer are not awaited. */
  private async respond(
    { callbackSecret }: AdapterAccount,
    charge: SimulatedCharge,
    { behaviour }: InstrumentScript,
  ): Promise<unknown> {
    const sendNow = () => this.sendCallback(charge, callbackSecret);
    const sendLater = (milliseconds: number, ...callbacks: (() => Promise<void>)[]) =>
      void wait(milliseconds, undefined, { ref: false })
        .then(async () => {
          for (const one of callbacks) await one();
        })
        .catch(() => undefined);
    if (behaviour === "CALLBACK_FIRST") await sendNow();
    if (behaviour === "CALLBACK_TWICE") sendLater(0, sendNow, sendNow);
    if (behaviour === "CALLBACK_LATE") sendLater(LATE_CALLBACK_MS, sendNow);
    if (behaviour === "CALLBACK_DISORDERED")
      sendLater(0, sendNow, () => this.sendCallback({ ...charge, status: "DECLINED" }, callbackSecret));
    if (behaviour === "SILENT_AFTER_CHARGE") await neverResolve();
    if (behaviour === "FAIL_AFTER_CHARGE") throw new Error("500 Internal Server Error");
    if (behaviour === "DOWN_AFTER_CHARGE") {
      this.remainingOutages.set(charge.idempotencyKey, FAILING_LOOK_UPS);
      throw new Error("503 Service Unavailable");
    }
    if (behaviour === "GARBAGE") return { kind: "ALL GOOD", html: "<html>" };
    return toChargeOutcome(charge);
  }

  private async sendCallback(charge: SimulatedCharge, secret?: string): Promise<void> {
    const { vendorId, idempotencyKey, reference, status } = charge;
    const { gateway } = readScript(charge);
    const signingSecret = secret ?? (await this.secretOf(vendorId, gateway));
    invariant(signingSecret, "the account of the charge is stored");
    const seconds = Math.floor(this.now().getTime() / 1000);
    const body = JSON.stringify({ idempotencyKey, reference, status });
    const signature = `t=${seconds},v1=${signCallback(signingSecret, seconds, body)}`;
    await this.deliver(
      { vendorId, gateway },
      { [SIGNATURE_HEADER]: signature, "content-type": "application/json" },
      body,
    );
  }
}

/** Methods by which a payer pays into an account. */
const DEPOSIT_METHODS: ReadonlySet<string> = new Set(["VBANK", "BANK_TRANSFER"]);

const declinedStatus = { status: "DECLINED" };

const neverResolve = (): Promise<never> => new Promise(() => undefined);
