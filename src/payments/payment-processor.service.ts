import { keyInUseRefusal, type ChargingRequest } from "../idempotency/idempotency.service.ts";
import { invariant, Refusal } from "../kernel/refusals.ts";
import type { OrderRecord } from "../orders/order-record.service.ts";
import { isFree, storesMethod } from "../orders/order.payability.ts";
import { approvedWithoutGateway, toUnavailableDecline } from "./gateways/charge.outcomes.ts";
import { GatewayCallService } from "./gateways/gateway-account.service.ts";
import {
  GatewayFault,
  type Card,
  type ChargeOutcome,
  type ChargeRequest,
  type Instrument,
} from "./gateways/gateway-port.ts";
import type { ChargeTarget, PaymentClaim, ChargePredicate, PaymentIntent } from "./payment-claim.service.ts";
import { toChargeTerms } from "./payment.charge.ts";
import { PaymentReconciliation } from "./payment-reconciliation.service.ts";
import { PaymentRequestService, type PaymentDependencies, type PaymentServices } from "./payment-request.service.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import { isAwaitingPayer, isLookUpDue, isOpenAttempt } from "./payment.states.ts";
import { UnrecordedChargeService } from "./unrecorded-charge.service.ts";

/** A payment, with the data that goes only to its gateway and is never stored. */
export interface PaymentSubmission extends PaymentIntent {
  card?: Card | null;
  /** Whether the method is also stored if the order does not need it. */
  storeMethod?: boolean | null;
  returnUrl?: string | null;
  /** The request that pays, if it has an idempotency key: a repeat continues the same payment. */
  request?: ChargingRequest | undefined;
}

/**
 * Charges orders: claims in one transaction, calls the gateway while none is open, records the outcome in another. If a
 * crash or a silent gateway leaves an outcome open, it is looked up and never charged again.
 */
export class PaymentProcessor<Services extends PaymentServices = PaymentServices> {
  private readonly requests: PaymentRequestService<Services>;
  private readonly reconciliation: PaymentReconciliation<Services>;
  private readonly gatewayCalls: GatewayCallService;
  private readonly unrecordedCharges: UnrecordedChargeService;

  constructor(private readonly deps: PaymentDependencies<Services>) {
    this.requests = new PaymentRequestService(deps);
    this.reconciliation = new PaymentReconciliation(deps);
    this.gatewayCalls = new GatewayCallService(deps);
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
   * Goes on with the charge of an order that the first sending of a request began, if it is open.
   * @throws a Refusal IDEMPOTENCY_KEY_IN_USE while its gateway may still answer.
   */
  async resumeCharge(vendorId: number, orderId: number): Promise<void> {
    const open = await this.deps.write(({ payments }) => payments.openAttemptOf(vendorId, orderId));
    if (open) await this.resumeAttempt(vendorId, open, true);
  }

  /** An attempt that only waits for its payer gives way to the next; one that is charged at this moment does not. */
  private async claimPayment(
    vendorId: number,
    { request, card, returnUrl, ...payment }: PaymentSubmission,
    createPredicate?: (services: Services) => ChargePredicate,
  ): Promise<PaymentClaim | undefined> {
    const cardEntry = card ? "NUMBER" : returnUrl == null ? undefined : "GATEWAY_PAGE";
    const intent: PaymentIntent = { ...payment, cardEntry };
    const claim = () =>
      this.deps.write(async (services) => {
        const { paymentClaims, idempotency } = services;
        const effect = request && (await this.requests.findRecordedEffect(vendorId, request, idempotency));
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
    if (
      open.length === 0 ||
      !open.every((payment) => isAwaitingPayer(payment) || isLookUpDue(payment, this.deps.now()))
    )
      return false;
    for (const payment of open) await this.reconciliation.closeAttempt(vendorId, payment);
    return true;
  }

  private async executeClaim(vendorId: number, submission: PaymentSubmission, claim: PaymentClaim): Promise<number> {
    if (claim.isNew)
      await this.settleAttempt(vendorId, claim.payment, () => this.chargeUnlessFound(vendorId, claim, submission));
    else if (isOpenAttempt(claim.payment))
      await this.resumeAttempt(vendorId, claim.payment, submission.request !== undefined);
    this.deps.watch.onEffect();
    return claim.payment.id;
  }

  /** The same request again: its attempt may be in progress, may wait for its payer, or was left by a crash. */
  private async resumeAttempt(vendorId: number, payment: PaymentRecord, isRepeat: boolean): Promise<void> {
    if (isAwaitingPayer(payment)) return;
    if (!isLookUpDue(payment, this.deps.now()))
      throw isRepeat ? this.requests.refuseRunningRequest() : keyInUseRefusal();
    await this.reconciliation.closeAttempt(vendorId, payment);
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
    const { paymentGateway, paymentMethod, methodId, idempotencyKey } = payment;
    if (paymentGateway === "EMPTY")
      return paymentMethod === "BANK"
        ? { kind: "DEPOSIT", reference: idempotencyKey, account: {} }
        : approvedWithoutGateway(payment);
    const token =
      methodId === null
        ? undefined
        : await this.deps.write(({ storedMethods }) => storedMethods.decryptToken(vendorId, methodId));
    const request: ChargeRequest = {
      ...toChargeTerms(payment, order),
      instrument: toInstrument(token, card),
      storeInstrument: methodId === null && (storeMethod === true || storesMethod(order)),
      returnUrl: returnUrl ?? null,
    };
    return this.gatewayCalls.call(vendorId, paymentGateway, (gateway, account) =>
      isFree(payment) ? gateway.storeMethod(account, request) : gateway.charge(account, request),
    );
  }

  /** Requests an outcome and records it; if it is unknown, looks it up, or else defers the look-up. */
  async settleAttempt(
    vendorId: number,
    payment: PaymentRecord,
    charge: () => Promise<ChargeOutcome | undefined>,
    recordOutcome = (outcome: ChargeOutcome) => this.recordOutcome(vendorId, payment, outcome),
  ): Promise<void> {
    try {
      const outcome = await charge();
      if (outcome) await recordOutcome(outcome);
    } catch (error) {
      if (!(error instanceof GatewayFault)) throw error;
      if (error.kind === "NOT_SENT") await recordOutcome(toUnavailableDecline(error.message));
      else await this.reconciliation.closeAttempt(vendorId, payment);
    }
  }

  private recordOutcome(vendorId: number, { id }: PaymentRecord, outcome: ChargeOutcome): Promise<void> {
    return this.deps.write(({ payments }) => payments.recordOutcome(vendorId, id, outcome));
  }
}

function toInstrument(token: string | undefined, card: Card | null | undefined): Instrument {
  if (token !== undefined) return { kind: "TOKEN", token };
  return card ? { kind: "CARD", card } : { kind: "NONE" };
}
