import type { GatewayAdapter, PaymentGateway } from "../../schema/vocabulary.ts";
import {
  keyInUseRefusal,
  type IdempotencyService,
  type ChargeEffect,
  type ChargingRequest,
} from "../idempotency/idempotency.service.ts";
import { invalid, invariant, Refusal, unknownReference } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import type { OrderRecord } from "../orders/order-record.service.ts";
import { isFree, storesMethod } from "../orders/order.payability.ts";
import { UnrecordedChargeService } from "./unrecorded-charge.service.ts";
import type { GatewayAccountService } from "./gateways/gateway-account.service.ts";
import {
  GatewayFault,
  type RawCallback,
  type Card,
  type ChargeOutcome,
  type ChargeRequest,
  type AdapterAccount,
  type GatewayPort,
  type Instrument,
} from "./gateways/gateway-port.ts";
import type {
  ChargeTarget,
  PaymentClaim,
  ChargePredicate,
  PaymentClaimService,
  PaymentIntent,
} from "./payment-claim.service.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import type { PaymentService } from "./payment.service.ts";
import type { BackupRestoreService } from "./restores/backup-restore.service.ts";
import type { RefundRecord } from "./refunds/refund.repository.ts";
import type { RefundIntent, RefundService } from "./refunds/refund.service.ts";
import type { StoredMethodService } from "./stored-method.service.ts";

/** The services of one transaction that payments need. */
export interface PaymentServices {
  paymentClaims: PaymentClaimService;
  payments: PaymentService;
  refunds: RefundService;
  gatewayAccounts: GatewayAccountService;
  storedMethods: StoredMethodService;
  idempotency: IdempotencyService;
  backupRestores: BackupRestoreService;
}

/** Runs work in a transaction of its own, which is committed when this is over. */
export type RunTransaction<Services> = <T>(work: (services: Services) => Promise<T>) => Promise<T>;

/** The gateway ports by adapter. */
export type Gateways = Readonly<Record<GatewayAdapter, GatewayPort>>;

/** A payment, with the data that goes only to its gateway and is never stored. */
export interface PaymentSubmission extends PaymentIntent {
  card?: Card | null;
  /** Whether the method is also stored if the order does not need it. */
  storeMethod?: boolean | null;
  returnUrl?: string | null;
  /** The request that pays, if it has an idempotency key: a repeat continues the same payment. */
  request?: ChargingRequest | undefined;
}

/** Is informed of the progress of a request. */
export interface MoneyRequestObserver {
  /** Called each time that something was done which the same request would not do again. */
  onEffect(): void;
  /**
   * Called when the idempotency key blocks the request: the first request is still running, or it was a different one.
   */
  onKeyRefused(refusal: Refusal): void;
}

/** Number of attempts that are looked up in one batch. */
const LOOK_UP_BATCH_SIZE = 50;

/**
 * Charges and refunds: claims in one transaction, calls the gateway while none is open, records the outcome in another.
 * If a crash or a silent gateway leaves an outcome open, it is looked up and never charged again.
 */
export class PaymentProcessor<Services extends PaymentServices = PaymentServices> {
  private readonly unrecordedCharges: UnrecordedChargeService;

  constructor(
    private readonly deps: {
      write: RunTransaction<Services>;
      gateways: Gateways;
      now: () => Date;
      watch: MoneyRequestObserver;
    },
  ) {
    this.unrecordedCharges = new UnrecordedChargeService(deps.write, deps.gateways);
  }

  /** Pays an order. @returns the number of the payment, whose state has the outcome. */
  async payOrder(vendorId: number, submission: PaymentSubmission): Promise<number> {
    const claim = await this.claimPayment(vendorId, submission);
    invariant(claim, "the order can be paid");
    return this.executeClaim(vendorId, submission, claim);
  }

  /** Pays an order where that may be, as is decided in the transaction of the claim; undefined where it may not. */
  async payOrderIf(
    vendorId: number,
    submission: PaymentSubmission,
    mayCharge: (services: Services, order: OrderRecord, charging: ChargeTarget) => Promise<boolean>,
  ): Promise<number | undefined> {
    const claim = await this.claimPayment(
      vendorId,
      submission,
      (services) => (order, charging) => mayCharge(services, order, charging),
    );
    return claim && this.executeClaim(vendorId, submission, claim);
  }

  /**
   * Refunds an order. A repeat of the request sends a refund again if it has been unanswered for longer than the
   * gateway's time limit.
   */
  async refundOrder(vendorId: number, intent: RefundIntent, request?: ChargingRequest): Promise<void> {
    const { refundIds, isNew } = await this.runOncePerKey(vendorId, request, async ({ refunds }) => {
      const claimed = await refunds.claim(vendorId, intent);
      return { refundIds: claimed.map(({ id }) => id) };
    });
    const refunds = await this.deps.write((services) => services.refunds.byIds(vendorId, refundIds));
    const pending = refunds.filter(({ state }) => state === "PENDING");
    if (!isNew && pending.some((refund) => !this.isLookUpDue(refund))) throw this.reportKeyRefusal(keyInUseRefusal());
    for (const refund of pending) await this.sendRefund(vendorId, refund);
    this.deps.watch.onEffect();
  }

  /** Makes a change that a charge may follow, once for the key of its request; a repeat is given the effect of the first. */
  async applyChangeOnce<Effect extends ChargeEffect>(
    vendorId: number,
    request: ChargingRequest | undefined,
    change: (services: Services) => Promise<Effect>,
  ): Promise<Effect & { isNew: boolean }> {
    const effect = await this.runOncePerKey(vendorId, request, change);
    this.deps.watch.onEffect();
    return effect;
  }

  /**
   * Goes on with the charge of an order that the first sending of a request began, if it is open.
   * @throws a Refusal IDEMPOTENCY_KEY_IN_USE while its gateway may still answer.
   */
  async resumeCharge(vendorId: number, orderId: number): Promise<void> {
    const open = await this.deps.write(({ payments }) => payments.openAttemptOf(vendorId, orderId));
    if (open) await this.resumeAttempt(vendorId, open, true);
  }

  /**
   * Takes the notice that the deposit of an order arrived: the merchant's word for its own account, else the gateway's.
   * @throws a Refusal ORDER_NOT_FOUND, NO_DEPOSIT_AWAITED, DEPOSIT_NOT_ARRIVED.
   */
  async confirmDeposit(vendorId: number, orderId: number, request?: ChargingRequest): Promise<number> {
    const [recordedEffect, open] = await this.deps.write(async ({ payments, idempotency }) => {
      if (!(await payments.orderExists(vendorId, orderId)))
        throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
      const effect = request && (await this.findRecordedEffect(vendorId, request, idempotency));
      return [effect, await payments.openAttemptOf(vendorId, orderId)];
    });
    if (recordedEffect && "paymentId" in recordedEffect) {
      this.deps.watch.onEffect();
      return recordedEffect.paymentId;
    }
    if (!open?.vbank) throw invalid("NO_DEPOSIT_AWAITED", "The order does not wait for a deposit.");
    const isOwnAccount = open.paymentGateway === "EMPTY";
    const outcome = isOwnAccount
      ? approvedWithoutGateway(open)
      : await this.queryGateway(vendorId, open.paymentGateway, (gateway, account) =>
          gateway.lookUpCharge(account, open.idempotencyKey),
        );
    if (outcome?.kind === "DEPOSIT")
      throw invalid("DEPOSIT_NOT_ARRIVED", "The gateway reports that the deposit has not arrived yet.");
    await this.runOncePerKey(vendorId, request, async ({ payments }) => {
      if (!outcome) await payments.markOutcomeUnknown(vendorId, open.id);
      else await payments.recordOutcome(vendorId, open.id, outcome, isOwnAccount ? "MANAGER" : "SYSTEM");
      return { paymentId: open.id };
    });
    this.deps.watch.onEffect();
    return open.id;
  }

  /** Asks the gateway what became of the attempt that an order waits for, if it waits for one. */
  async refreshOpenPayment(vendorId: number, orderId: number): Promise<void> {
    const open = await this.deps.write(({ payments }) => payments.openAttemptOf(vendorId, orderId));
    if (!open || open.paymentGateway === "EMPTY") return;
    const outcome = await this.queryGateway(vendorId, open.paymentGateway, (gateway, account) =>
      gateway.lookUpCharge(account, open.idempotencyKey),
    );
    await this.saveOutcome(vendorId, open.id, outcome, true);
  }

  /**
   * Handles a callback. Its contents are looked up at the gateway, so that it may come twice, late, or in any order.
   * @throws a Refusal CALLBACK_REFUSED if its signature is wrong, or the vendor has no account at the gateway.
   */
  async handleCallback(vendorId: number, gateway: PaymentGateway, message: RawCallback): Promise<void> {
    const decryptedAccount = await this.deps.write(({ gatewayAccounts }) =>
      gatewayAccounts.findDecrypted(vendorId, gateway),
    );
    if (!decryptedAccount) throw new Refusal("denied", "CALLBACK_REFUSED", "No payment waits for this callback.");
    const { adapter, account } = decryptedAccount;
    const port = this.deps.gateways[adapter];
    const { idempotencyKey } = port.readCallback(account, message);
    const payment = await this.deps.write(({ payments }) => payments.byKey(vendorId, idempotencyKey));
    if (!payment || payment.state === "SUCCEEDED") return;
    await this.saveOutcome(
      vendorId,
      payment.id,
      await undefinedOnGatewayFault(() => port.lookUpCharge(account, idempotencyKey)),
      true,
    );
  }

  /** Settles open attempts whose lease has ended, and unanswered refunds. @returns the number of both. */
  async resolveOpenAttempts(vendorId: number): Promise<number> {
    const [open, refunds] = await this.deps.write(async (services) => [
      await services.payments.dueForLookUp(vendorId, LOOK_UP_BATCH_SIZE),
      await services.refunds.dueForLookUp(vendorId, LOOK_UP_BATCH_SIZE),
    ]);
    for (const payment of open) await this.closeAttempt(vendorId, payment);
    for (const refund of refunds) await this.sendRefund(vendorId, refund);
    return open.length + refunds.length;
  }

  /** An attempt that only waits for its payer gives way to the next; one that is charged at this moment does not. */
  private async claimPayment(
    vendorId: number,
    { request, ...intent }: PaymentSubmission,
    createPredicate?: (services: Services) => ChargePredicate,
  ): Promise<PaymentClaim | undefined> {
    const claim = () =>
      this.deps.write(async (services) => {
        const { paymentClaims, idempotency } = services;
        const effect = request && (await this.findRecordedEffect(vendorId, request, idempotency));
        if (effect && "paymentId" in effect) return paymentClaims.loadClaim(vendorId, effect.paymentId);
        const claimed = await paymentClaims.claim(vendorId, intent, createPredicate && createPredicate(services));
        if (claimed?.restoredAt)
          await this.unrecordedCharges.requireSearchable(services.gatewayAccounts, vendorId, claimed.restoredAt);
        if (request && claimed) await idempotency.bindKeyToEffect(vendorId, request, { paymentId: claimed.payment.id });
        return claimed;
      });
    for (let isLastTry = false; ; isLastTry = true) {
      try {
        return await claim();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // The claim was undone, and with it that the restore was noticed: the operator's release counts from then.
        if (error.code === "CHARGES_AWAIT_OPERATOR")
          await this.deps.write(({ backupRestores }) => backupRestores.detectRestore());
        if (error.code === "PRICE_CHANGED") {
          // The payer has to agree to the order's current total; if it is unchanged, the cause of the refusal is
          // already gone.
          const changed = await this.deps.write(({ paymentClaims }) => paymentClaims.reprice(vendorId, intent.orderId));
          if (changed || isLastTry) throw changed ?? error;
        } else if (
          error.code !== "PAYMENT_IN_PROGRESS" ||
          isLastTry ||
          !(await this.closeBlockingAttempts(vendorId, intent.orderId))
        )
          throw error;
      }
    }
  }

  /**
   * Ends the attempts that block the payment of an order, if all of them are pending. @returns whether it ended them.
   */
  private async closeBlockingAttempts(vendorId: number, orderId: number): Promise<boolean> {
    const open = await this.deps.write(({ paymentClaims }) => paymentClaims.blockingAttempts(vendorId, orderId));
    if (open.length === 0 || !open.every((payment) => isAwaitingPayer(payment) || this.isLookUpDue(payment)))
      return false;
    for (const payment of open) await this.closeAttempt(vendorId, payment);
    return true;
  }

  /**
   * Runs the claim in one transaction with the idempotency key of its request; a repeat gets the effect of the earlier
   * one.
   */
  private runOncePerKey<Effect extends ChargeEffect>(
    vendorId: number,
    request: ChargingRequest | undefined,
    work: (services: Services) => Promise<Effect>,
  ): Promise<Effect & { isNew: boolean }> {
    return this.deps.write(async (services) => {
      const recordedEffect = request && (await this.findRecordedEffect(vendorId, request, services.idempotency));
      if (recordedEffect) return { ...(recordedEffect as Effect), isNew: false };
      const effect = await work(services);
      if (request) await services.idempotency.bindKeyToEffect(vendorId, request, effect);
      return { ...effect, isNew: true };
    });
  }

  private async findRecordedEffect(
    vendorId: number,
    request: ChargingRequest,
    idempotency: IdempotencyService,
  ): Promise<ChargeEffect | undefined> {
    try {
      return await idempotency.findEffect(vendorId, request);
    } catch (error) {
      throw error instanceof Refusal ? this.reportKeyRefusal(error) : error;
    }
  }

  private reportKeyRefusal(refusal: Refusal): Refusal {
    this.deps.watch.onKeyRefused(refusal);
    return refusal;
  }

  private async executeClaim(vendorId: number, submission: PaymentSubmission, claim: PaymentClaim): Promise<number> {
    if (claim.isNew)
      await this.settleAttempt(vendorId, claim.payment, () => this.chargeUnlessFound(vendorId, claim, submission));
    else if (isOpenPayment(claim.payment))
      await this.resumeAttempt(vendorId, claim.payment, submission.request !== undefined);
    this.deps.watch.onEffect();
    return claim.payment.id;
  }

  /** The same request again: its attempt may be in progress, may wait for its payer, or was left by a crash. */
  private async resumeAttempt(vendorId: number, payment: PaymentRecord, isRepeat: boolean): Promise<void> {
    if (isAwaitingPayer(payment)) return;
    if (!this.isLookUpDue(payment)) throw isRepeat ? this.reportKeyRefusal(keyInUseRefusal()) : keyInUseRefusal();
    await this.closeAttempt(vendorId, payment);
  }

  private isLookUpDue({ lookUpAt }: { lookUpAt: Date | null }): boolean {
    return lookUpAt !== null && lookUpAt <= this.deps.now();
  }

  /** Charges, after a restore only what no gateway has in its books; undefined where it was there and is recorded. */
  private async chargeUnlessFound(
    vendorId: number,
    claim: PaymentClaim,
    submission: PaymentSubmission,
  ): Promise<ChargeOutcome | undefined> {
    const { payment, restoredAt } = claim;
    const foundCharge = restoredAt && (await this.unrecordedCharges.findCharge(vendorId, payment));
    if (!foundCharge) return this.sendCharge(vendorId, claim, submission);
    const { gateway, charge } = foundCharge;
    await this.deps.write(({ payments }) => payments.recordFoundCharge(vendorId, payment.id, gateway, charge));
    return undefined;
  }

  private async sendCharge(
    vendorId: number,
    { payment, order }: PaymentClaim,
    { card, storeMethod, returnUrl }: PaymentSubmission,
  ): Promise<ChargeOutcome> {
    const { paymentGateway, paymentMethod, methodId, idempotencyKey, amount } = payment;
    if (paymentGateway === "EMPTY")
      return paymentMethod === "BANK"
        ? { kind: "DEPOSIT", reference: idempotencyKey, account: {} }
        : approvedWithoutGateway(payment);
    const token =
      methodId === null
        ? undefined
        : await this.deps.write(({ storedMethods }) => storedMethods.decryptToken(vendorId, methodId));
    const request: ChargeRequest = {
      idempotencyKey,
      orderReference: order.idKey,
      subject: payment.subject ?? order.idKey,
      attempt: payment.attempt ?? 1,
      amount,
      currency: payment.currency,
      method: required(paymentMethod, "paymentMethod"),
      instrument: toInstrument(token, card),
      storeInstrument: methodId === null && (storeMethod === true || storesMethod(order)),
      isOffSession: payment.initiator === "MERCHANT" && methodId !== null,
      returnUrl: returnUrl ?? null,
      requestedAt: payment.createdAt,
    };
    return this.callGateway(vendorId, paymentGateway, (gateway, account) =>
      isFree(payment) ? gateway.storeMethod(account, request) : gateway.charge(account, request),
    );
  }

  /** Requests an outcome and records it; if it is unknown, looks it up, or else defers the look-up. */
  private async settleAttempt(
    vendorId: number,
    payment: PaymentRecord,
    charge: () => Promise<ChargeOutcome | undefined>,
  ): Promise<void> {
    try {
      const outcome = await charge();
      if (outcome) await this.saveOutcome(vendorId, payment.id, outcome);
    } catch (error) {
      if (!(error instanceof GatewayFault)) throw error;
      if (error.kind === "NOT_SENT") await this.saveOutcome(vendorId, payment.id, toUnavailableDecline(error.message));
      else await this.closeAttempt(vendorId, payment);
    }
  }

  /** Ends an attempt: it was charged, or never will be. */
  private async closeAttempt(vendorId: number, { id, paymentGateway, idempotencyKey }: PaymentRecord): Promise<void> {
    const outcome: ChargeOutcome | undefined =
      paymentGateway === "EMPTY"
        ? { kind: "CLOSED" }
        : await this.queryGateway(vendorId, paymentGateway, (gateway, account) =>
            gateway.closeCharge(account, idempotencyKey),
          );
    await this.saveOutcome(vendorId, id, outcome);
  }

  private async saveOutcome(
    vendorId: number,
    paymentId: number,
    outcome: ChargeOutcome | undefined,
    isLookUp = false,
  ): Promise<void> {
    if (outcome === undefined && isLookUp) return;
    await this.deps.write(({ payments }) =>
      outcome ? payments.recordOutcome(vendorId, paymentId, outcome) : payments.markOutcomeUnknown(vendorId, paymentId),
    );
  }

  /** Sends a refund, or sends it again: the gateway refunds once per idempotency key. */
  private async sendRefund(vendorId: number, refund: RefundRecord): Promise<void> {
    const payment = await this.deps.write(({ payments }) => payments.byId(vendorId, refund.paymentId));
    invariant(payment, "a refunded amount was paid");
    const { paymentGateway, gatewayReference, currency } = payment;
    const outcome =
      paymentGateway === "EMPTY"
        ? { kind: "REFUNDED" as const, reference: refund.idempotencyKey }
        : await this.queryGateway(vendorId, paymentGateway, async (gateway, account) => {
            const knownOutcome =
              refund.state === "UNKNOWN" ? await gateway.lookUpRefund(account, refund.idempotencyKey) : undefined;
            if (knownOutcome && knownOutcome.kind !== "UNKNOWN") return knownOutcome;
            const { idempotencyKey, amount } = refund;
            const request = {
              idempotencyKey,
              chargeReference: required(gatewayReference, "gatewayReference"),
              amount,
              currency,
              requestedAt: this.deps.now(),
            };
            return gateway.refund(account, request);
          });
    await this.deps.write(({ refunds }) =>
      outcome ? refunds.recordOutcome(vendorId, refund.id, outcome) : refunds.markOutcomeUnknown(vendorId, refund.id),
    );
  }

  /** The gateway's answer; undefined if there is none. */
  private queryGateway<T>(
    vendorId: number,
    gateway: PaymentGateway,
    query: (gateway: GatewayPort, account: AdapterAccount) => Promise<T>,
  ): Promise<T | undefined> {
    return undefinedOnGatewayFault(() => this.callGateway(vendorId, gateway, query));
  }

  private async callGateway<T>(
    vendorId: number,
    gateway: PaymentGateway,
    query: (gateway: GatewayPort, account: AdapterAccount) => Promise<T>,
  ): Promise<T> {
    const decryptedAccount = await this.deps.write(({ gatewayAccounts }) =>
      gatewayAccounts.findDecrypted(vendorId, gateway),
    );
    invariant(decryptedAccount, "a charge of a gateway has an account there");
    return query(this.deps.gateways[decryptedAccount.adapter], decryptedAccount.account);
  }
}

const isOpenPayment = ({ state }: PaymentRecord): boolean => state === "PENDING" || state === "UNKNOWN";

const isAwaitingPayer = ({ challengeUrl, vbank }: PaymentRecord): boolean => challengeUrl !== null || vbank !== null;

async function undefinedOnGatewayFault<T>(query: () => Promise<T>): Promise<T | undefined> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof GatewayFault) return undefined;
    throw error;
  }
}

function toInstrument(token: string | undefined, card: Card | null | undefined): Instrument {
  if (token !== undefined) return { kind: "TOKEN", token };
  return card ? { kind: "CARD", card } : { kind: "NONE" };
}

/** Money that passed no gateway. */
const approvedWithoutGateway = ({ idempotencyKey }: PaymentRecord): ChargeOutcome => ({
  kind: "APPROVED",
  reference: idempotencyKey,
  receiptUrl: "",
  cardNumber: null,
  network: null,
  token: null,
  fingerprint: null,
});

const toUnavailableDecline = (message: string): ChargeOutcome => ({
  kind: "DECLINED",
  reference: null,
  code: "GATEWAY_UNAVAILABLE",
  adviceCode: null,
  message,
  cardNumber: null,
  network: null,
  token: null,
  fingerprint: null,
});
