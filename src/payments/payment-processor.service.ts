import type { GatewayAdapter, PaymentGateway } from "../../schema/vocabulary.ts";
import {
  keyInUse,
  type IdempotencyService,
  type MoneyEffect,
  type MoneyRequest,
} from "../idempotency/idempotency.service.ts";
import { invalid, invariant, Refusal, unknownReference } from "../kernel/refusals.ts";
import type { OrderRecord } from "../orders/order-payment.service.ts";
import { EarlierChargeService } from "./unrecorded-charge.service.ts";
import type { GatewayAccountService } from "./gateways/gateway-account.service.ts";
import {
  GatewayFault,
  type CallbackMessage,
  type Card,
  type ChargeOutcome,
  type ChargeRequest,
  type GatewayAccount,
  type GatewayPort,
  type Instrument,
} from "./gateways/gateway-port.ts";
import type { Charging, Claim, MayCharge, PaymentClaimService, PaymentIntent } from "./payment-claim.service.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import type { PaymentService } from "./payment.service.ts";
import type { RestoreService } from "./restores/backup-restore.service.ts";
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
  keyedRequests: IdempotencyService;
  restores: RestoreService;
}

/** Runs work in a transaction of its own, which is committed when this is over. */
export type Write<Services> = <T>(work: (services: Services) => Promise<T>) => Promise<T>;

/** The gateways by the code that speaks to them. */
export type Gateways = Readonly<Record<GatewayAdapter, GatewayPort>>;

/** A payment, with what its gateway is told and nobody keeps. */
export interface Paying extends PaymentIntent {
  card?: Card | null;
  /** Whether the method is to be stored also where the order does not need it. */
  storeMethod?: boolean | null;
  returnUrl?: string | null;
  /** The request that pays, if it has an idempotency key: a repeat goes on with the same payment. */
  request?: MoneyRequest | undefined;
}

/** Is informed of what happens to a request. */
export interface RequestWatch {
  /** Called each time that something was done which the same request would not do again. */
  done(): void;
  /** Called when the key of the request does not let it run: it is running, or stands for another request. */
  keyRefused(refusal: Refusal): void;
}

/** How much is looked up at once. */
const MOST_AT_ONCE = 50;

/**
 * Moves money: claims in one transaction, asks the gateway while none is open, records in another. What a crash or a
 * silent gateway leaves open is asked about, and never charged again.
 */
export class CashierService<Services extends PaymentServices = PaymentServices> {
  private readonly earlier: EarlierChargeService;

  constructor(
    private readonly write: Write<Services>,
    private readonly gateways: Gateways,
    private readonly now: () => Date,
    private readonly watch: RequestWatch,
  ) {
    this.earlier = new EarlierChargeService(write, gateways);
  }

  /** Pays an order. @returns the number of the payment; its state tells what became of it. */
  async pay(vendorId: number, paying: Paying): Promise<number> {
    const claim = await this.claim(vendorId, paying);
    invariant(claim, "nothing keeps it from being paid");
    return this.carryOut(vendorId, paying, claim);
  }

  /** Pays an order where that may be, as is decided in the transaction of the claim; undefined where it may not. */
  async payIf(
    vendorId: number,
    paying: Paying,
    mayCharge: (services: Services, order: OrderRecord, charging: Charging) => Promise<boolean>,
  ): Promise<number | undefined> {
    const claim = await this.claim(
      vendorId,
      paying,
      (services) => (order, charging) => mayCharge(services, order, charging),
    );
    return claim && this.carryOut(vendorId, paying, claim);
  }

  /** Gives money back. A repeat of the request sends again what nobody has answered for longer than a gateway may take. */
  async refund(vendorId: number, intent: RefundIntent, request?: MoneyRequest): Promise<void> {
    const { refundIds, isNew } = await this.onceForKey(vendorId, request, async ({ refunds }) => {
      const claimed = await refunds.claim(vendorId, intent);
      return { refundIds: claimed.map(({ id }) => id) };
    });
    const refunds = await this.write((services) => services.refunds.byIds(vendorId, refundIds));
    const pending = refunds.filter(({ state }) => state === "PENDING");
    if (!isNew && pending.some((refund) => !this.isDue(refund))) throw this.keyRefused(keyInUse());
    for (const refund of pending) await this.send(vendorId, refund);
    this.watch.done();
  }

  /** Makes a change that a charge may follow, once for the key of its request; a repeat is given the effect of the first. */
  async changeOnce<Effect extends MoneyEffect>(
    vendorId: number,
    request: MoneyRequest | undefined,
    change: (services: Services) => Promise<Effect>,
  ): Promise<Effect & { isNew: boolean }> {
    const effect = await this.onceForKey(vendorId, request, change);
    this.watch.done();
    return effect;
  }

  /**
   * Goes on with the charge of an order that the first sending of a request began, if it is open.
   * @throws a Refusal IDEMPOTENCY_KEY_IN_USE while its gateway may still answer.
   */
  async resumeCharge(vendorId: number, orderId: number): Promise<void> {
    const open = await this.write(({ payments }) => payments.openOf(vendorId, orderId));
    if (open) await this.resume(vendorId, open, true);
  }

  /**
   * Takes the notice that the deposit of an order arrived: the merchant's word for its own account, else the gateway's.
   * @throws a Refusal ORDER_NOT_FOUND, NO_DEPOSIT_AWAITED, DEPOSIT_NOT_ARRIVED.
   */
  async confirmDeposit(vendorId: number, orderId: number, request?: MoneyRequest): Promise<number> {
    const [known, open] = await this.write(async ({ payments, keyedRequests }) => {
      if (!(await payments.orderExists(vendorId, orderId)))
        throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
      const effect = request && (await this.effectOf(vendorId, request, keyedRequests));
      return [effect, await payments.openOf(vendorId, orderId)];
    });
    if (known && "paymentId" in known) {
      this.watch.done();
      return known.paymentId;
    }
    if (!open?.vbank) throw invalid("NO_DEPOSIT_AWAITED", "No deposit is awaited for the order.");
    const isOwn = open.paymentGateway === "EMPTY";
    const outcome = isOwn
      ? received(open)
      : await this.ask(vendorId, open.paymentGateway, (gateway, account) =>
          gateway.lookUp(account, open.idempotencyKey),
        );
    if (outcome?.kind === "DEPOSIT")
      throw invalid("DEPOSIT_NOT_ARRIVED", "The gateway says that the deposit has not arrived yet.");
    await this.onceForKey(vendorId, request, async ({ payments }) => {
      if (!outcome) await payments.lost(vendorId, open.id);
      else await payments.record(vendorId, open.id, outcome, isOwn ? "MANAGER" : "SYSTEM");
      return { paymentId: open.id };
    });
    this.watch.done();
    return open.id;
  }

  /** Asks the gateway what became of the attempt that an order waits for, if it waits for one. */
  async lookAgain(vendorId: number, orderId: number): Promise<void> {
    const open = await this.write(({ payments }) => payments.openOf(vendorId, orderId));
    if (!open || open.paymentGateway === "EMPTY") return;
    const outcome = await this.ask(vendorId, open.paymentGateway, (gateway, account) =>
      gateway.lookUp(account, open.idempotencyKey),
    );
    await this.keep(vendorId, open.id, outcome, true);
  }

  /**
   * Takes a callback. What it says is looked up at the gateway, so that it may come twice, late, or in any order.
   * @throws a Refusal CALLBACK_REFUSED where its signature is wrong, or the vendor has no account at the gateway.
   */
  async callback(vendorId: number, gateway: PaymentGateway, message: CallbackMessage): Promise<void> {
    const opened = await this.write(({ gatewayAccounts }) => gatewayAccounts.opened(vendorId, gateway));
    if (!opened) throw new Refusal("denied", "CALLBACK_REFUSED", "Nothing awaits this callback.");
    const { adapter, account } = opened;
    const port = this.gateways[adapter];
    const { idempotencyKey } = port.readCallback(account, message);
    const payment = await this.write(({ payments }) => payments.byKey(vendorId, idempotencyKey));
    if (!payment || payment.state === "SUCCEEDED") return;
    await this.keep(vendorId, payment.id, await answerOf(() => port.lookUp(account, idempotencyKey)), true);
  }

  /** Settles what was left open: attempts whose time is over, and refunds that nobody has answered. @returns how many. */
  async sweep(vendorId: number): Promise<number> {
    const [open, refunds] = await this.write(async (services) => [
      await services.payments.toLookUp(vendorId, MOST_AT_ONCE),
      await services.refunds.toLookUp(vendorId, MOST_AT_ONCE),
    ]);
    for (const payment of open) await this.close(vendorId, payment);
    for (const refund of refunds) await this.send(vendorId, refund);
    return open.length + refunds.length;
  }

  /** An attempt that only waits for its payer gives way to the next; one that is charged at this moment does not. */
  private async claim(
    vendorId: number,
    { request, ...intent }: Paying,
    judge?: (services: Services) => MayCharge,
  ): Promise<Claim | undefined> {
    const claim = () =>
      this.write(async (services) => {
        const { paymentClaims, keyedRequests } = services;
        const effect = request && (await this.effectOf(vendorId, request, keyedRequests));
        if (effect && "paymentId" in effect) return paymentClaims.known(vendorId, effect.paymentId);
        const claimed = await paymentClaims.claim(vendorId, intent, judge && judge(services));
        if (claimed?.restoredAt)
          await this.earlier.requireSearchable(services.gatewayAccounts, vendorId, claimed.restoredAt);
        if (request && claimed) await keyedRequests.bind(vendorId, request, { paymentId: claimed.payment.id });
        return claimed;
      });
    for (let isLast = false; ; isLast = true) {
      try {
        return await claim();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // The claim was undone, and with it that the restore was noticed: the operator's release counts from then.
        if (error.code === "CHARGES_AWAIT_OPERATOR") await this.write(({ restores }) => restores.restoredAt());
        if (error.code === "PRICE_CHANGED") {
          // Whoever pays is asked again, by what the order costs now; where that is what it cost, the reason was gone at once.
          const changed = await this.write(({ paymentClaims }) => paymentClaims.reprice(vendorId, intent.orderId));
          if (changed || isLast) throw changed ?? error;
        } else if (error.code !== "PAYMENT_IN_PROGRESS" || isLast || !(await this.giveWay(vendorId, intent.orderId)))
          throw error;
      }
    }
  }

  /** Ends the attempts that keep an order from being paid, if all of them only wait. @returns whether they did. */
  private async giveWay(vendorId: number, orderId: number): Promise<boolean> {
    const open = await this.write(({ paymentClaims }) => paymentClaims.inTheWay(vendorId, orderId));
    if (open.length === 0 || !open.every((payment) => waitsForPayer(payment) || this.isDue(payment))) return false;
    for (const payment of open) await this.close(vendorId, payment);
    return true;
  }

  /** Does what moves money in one transaction with the key of its request; a repeat is given what an earlier one did. */
  private onceForKey<Effect extends MoneyEffect>(
    vendorId: number,
    request: MoneyRequest | undefined,
    act: (services: Services) => Promise<Effect>,
  ): Promise<Effect & { isNew: boolean }> {
    return this.write(async (services) => {
      const known = request && (await this.effectOf(vendorId, request, services.keyedRequests));
      if (known) return { ...(known as Effect), isNew: false };
      const effect = await act(services);
      if (request) await services.keyedRequests.bind(vendorId, request, effect);
      return { ...effect, isNew: true };
    });
  }

  private async effectOf(
    vendorId: number,
    request: MoneyRequest,
    keyedRequests: IdempotencyService,
  ): Promise<MoneyEffect | undefined> {
    try {
      return await keyedRequests.findEffect(vendorId, request);
    } catch (error) {
      throw error instanceof Refusal ? this.keyRefused(error) : error;
    }
  }

  private keyRefused(refusal: Refusal): Refusal {
    this.watch.keyRefused(refusal);
    return refusal;
  }

  private async carryOut(vendorId: number, paying: Paying, claim: Claim): Promise<number> {
    if (claim.isNew)
      await this.settle(vendorId, claim.payment, () => this.chargeUnlessCharged(vendorId, claim, paying));
    else if (isOpen(claim.payment)) await this.resume(vendorId, claim.payment, paying.request !== undefined);
    this.watch.done();
    return claim.payment.id;
  }

  /** The same request again: what it began may be under way, may wait for its payer, or was left by a crash. */
  private async resume(vendorId: number, payment: PaymentRecord, isRepeat: boolean): Promise<void> {
    if (waitsForPayer(payment)) return;
    if (!this.isDue(payment)) throw isRepeat ? this.keyRefused(keyInUse()) : keyInUse();
    await this.close(vendorId, payment);
  }

  private isDue({ lookUpAt }: { lookUpAt: Date | null }): boolean {
    return lookUpAt !== null && lookUpAt <= this.now();
  }

  /** Charges, after a restore only what no gateway has in its books; undefined where it was there and is recorded. */
  private async chargeUnlessCharged(
    vendorId: number,
    claim: Claim,
    paying: Paying,
  ): Promise<ChargeOutcome | undefined> {
    const { payment, restoredAt } = claim;
    const earlier = restoredAt && (await this.earlier.find(vendorId, payment));
    if (!earlier) return this.charge(vendorId, claim, paying);
    const { gateway, charge } = earlier;
    await this.write(({ payments }) => payments.recordEarlier(vendorId, payment.id, gateway, charge));
    return undefined;
  }

  private async charge(
    vendorId: number,
    { payment, order }: Claim,
    { card, storeMethod, returnUrl }: Paying,
  ): Promise<ChargeOutcome> {
    const { paymentGateway, paymentMethod, methodId, idempotencyKey, amount } = payment;
    if (paymentGateway === "EMPTY")
      return paymentMethod === "BANK" ? { kind: "DEPOSIT", reference: idempotencyKey, account: {} } : received(payment);
    const token =
      methodId === null
        ? undefined
        : await this.write(({ storedMethods }) => storedMethods.tokenOf(vendorId, methodId));
    const request: ChargeRequest = {
      idempotencyKey,
      orderReference: order.idKey,
      subject: payment.subject ?? order.idKey,
      attempt: payment.attempt ?? 1,
      amount,
      currency: payment.currency,
      method: paymentMethod!,
      instrument: instrumentOf(token, card),
      keep: methodId === null && (storeMethod === true || order.type !== "ONE_TIME"),
      unattended: payment.initiator === "MERCHANT" && methodId !== null,
      returnUrl: returnUrl ?? null,
      at: payment.createdAt,
    };
    return this.call(vendorId, paymentGateway, (gateway, account) =>
      amount.eq(0) ? gateway.store(account, request) : gateway.charge(account, request),
    );
  }

  /** Asks for an outcome and records it; where nobody can tell it, it is asked about and, if need be, left for later. */
  private async settle(
    vendorId: number,
    payment: PaymentRecord,
    charge: () => Promise<ChargeOutcome | undefined>,
  ): Promise<void> {
    try {
      const outcome = await charge();
      if (outcome) await this.keep(vendorId, payment.id, outcome);
    } catch (error) {
      if (!(error instanceof GatewayFault)) throw error;
      if (error.kind === "NOT_SENT") await this.keep(vendorId, payment.id, unavailable(error.message));
      else await this.close(vendorId, payment);
    }
  }

  /** Ends an attempt: it was charged, or never will be. */
  private async close(vendorId: number, { id, paymentGateway, idempotencyKey }: PaymentRecord): Promise<void> {
    const outcome: ChargeOutcome | undefined =
      paymentGateway === "EMPTY"
        ? { kind: "CLOSED" }
        : await this.ask(vendorId, paymentGateway, (gateway, account) => gateway.close(account, idempotencyKey));
    await this.keep(vendorId, id, outcome);
  }

  private async keep(
    vendorId: number,
    paymentId: number,
    outcome: ChargeOutcome | undefined,
    isHearsay = false,
  ): Promise<void> {
    if (outcome === undefined && isHearsay) return;
    await this.write(({ payments }) =>
      outcome ? payments.record(vendorId, paymentId, outcome) : payments.lost(vendorId, paymentId),
    );
  }

  /** Sends a refund, again where it was sent before: under one key it gives back once. */
  private async send(vendorId: number, refund: RefundRecord): Promise<void> {
    const payment = await this.write(({ payments }) => payments.byId(vendorId, refund.paymentId));
    invariant(payment, "what is given back was paid");
    const { paymentGateway, gatewayReference, currency } = payment;
    const outcome =
      paymentGateway === "EMPTY"
        ? { kind: "REFUNDED" as const, reference: refund.idempotencyKey }
        : await this.ask(vendorId, paymentGateway, async (gateway, account) => {
            const known =
              refund.state === "UNKNOWN" ? await gateway.lookUpRefund(account, refund.idempotencyKey) : undefined;
            if (known && known.kind !== "UNHEARD") return known;
            const { idempotencyKey, amount } = refund;
            const request = { idempotencyKey, chargeReference: gatewayReference!, amount, currency, at: this.now() };
            return gateway.refund(account, request);
          });
    await this.write(({ refunds }) =>
      outcome ? refunds.record(vendorId, refund.id, outcome) : refunds.lost(vendorId, refund.id),
    );
  }

  /** What a gateway answers; undefined where it does not. */
  private ask<T>(
    vendorId: number,
    gateway: PaymentGateway,
    question: (gateway: GatewayPort, account: GatewayAccount) => Promise<T>,
  ): Promise<T | undefined> {
    return answerOf(() => this.call(vendorId, gateway, question));
  }

  private async call<T>(
    vendorId: number,
    gateway: PaymentGateway,
    question: (gateway: GatewayPort, account: GatewayAccount) => Promise<T>,
  ): Promise<T> {
    const opened = await this.write(({ gatewayAccounts }) => gatewayAccounts.opened(vendorId, gateway));
    invariant(opened, "who was charged through a gateway has an account there");
    return question(this.gateways[opened.adapter], opened.account);
  }
}

const isOpen = ({ state }: PaymentRecord): boolean => state === "PENDING" || state === "UNKNOWN";

const waitsForPayer = ({ challengeUrl, vbank }: PaymentRecord): boolean => challengeUrl !== null || vbank !== null;

async function answerOf<T>(question: () => Promise<T>): Promise<T | undefined> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof GatewayFault) return undefined;
    throw error;
  }
}

function instrumentOf(token: string | undefined, card: Card | null | undefined): Instrument {
  if (token !== undefined) return { kind: "TOKEN", token };
  return card ? { kind: "CARD", card } : { kind: "NONE" };
}

/** Money that passed no gateway. */
const received = ({ idempotencyKey }: PaymentRecord): ChargeOutcome => ({
  kind: "APPROVED",
  reference: idempotencyKey,
  receiptUrl: "",
  cardNumber: null,
  network: null,
  token: null,
  fingerprint: null,
});

const unavailable = (message: string): ChargeOutcome => ({
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
