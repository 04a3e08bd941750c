import {
  keyInUseRefusal,
  type ChargeEffect,
  type ChargingRequest,
  type IdempotencyService,
} from "../idempotency/idempotency.service.ts";
import { Refusal } from "../kernel/refusals.ts";
import type { DisputeService } from "./disputes/dispute.service.ts";
import type { GatewayAccountService } from "./gateways/gateway-account.service.ts";
import type { Gateways } from "./gateways/gateway-port.ts";
import type { PaymentClaimService } from "./payment-claim.service.ts";
import type { PaymentService } from "./payment.service.ts";
import type { RefundService } from "./refunds/refund.service.ts";
import type { BackupRestoreService } from "./restores/backup-restore.service.ts";
import type { StoredMethodService } from "./stored-method.service.ts";

/** The services of one transaction that payments need. */
export interface PaymentServices {
  paymentClaims: PaymentClaimService;
  payments: PaymentService;
  refunds: RefundService;
  gatewayAccounts: GatewayAccountService;
  storedMethods: StoredMethodService;
  disputes: DisputeService;
  idempotency: IdempotencyService;
  backupRestores: BackupRestoreService;
}

/** Runs work in a transaction of its own, which is committed when this is over. */
export type RunTransaction<Services> = <T>(work: (services: Services) => Promise<T>) => Promise<T>;

/** Is informed of the progress of a request. */
export interface MoneyRequestObserver {
  /** Called each time that something was done which the same request would not do again. */
  onEffect(): void;
  /**
   * Called when the idempotency key blocks the request: the first request is still running, or it was a different one.
   */
  onKeyRefused(refusal: Refusal): void;
}

/** The dependencies of every service that moves money: each claims in one transaction and records in another. */
export interface PaymentDependencies<Services extends PaymentServices> {
  write: RunTransaction<Services>;
  gateways: Gateways;
  now: () => Date;
  watch: MoneyRequestObserver;
}

/** Gives a request with an idempotency key one effect, and informs the observer of the request. */
export class PaymentRequestService<Services extends PaymentServices> {
  constructor(private readonly deps: Pick<PaymentDependencies<Services>, "write" | "watch">) {}

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
   * Runs the claim in one transaction with the idempotency key of its request; a repeat gets the effect of the earlier
   * one.
   */
  runOncePerKey<Effect extends ChargeEffect>(
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

  /** The effect that the key of a request is bound to; undefined if the request is new. */
  async findRecordedEffect(
    vendorId: number,
    request: ChargingRequest,
    idempotency: IdempotencyService,
  ): Promise<ChargeEffect | undefined> {
    try {
      return await idempotency.findEffect(vendorId, request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.deps.watch.onKeyRefused(error);
      throw error;
    }
  }

  /** The refusal of a repeat whose first request is still running. */
  refuseRunningRequest(): Refusal {
    const refusal = keyInUseRefusal();
    this.deps.watch.onKeyRefused(refusal);
    return refusal;
  }
}
