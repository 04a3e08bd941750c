import { limitConcurrency } from "../kernel/scheduling/concurrency-limit.ts";
import { MicroBatches } from "../kernel/scheduling/micro-batches.ts";
import { Refusal } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import { runTogether } from "../kernel/scheduling/run-together.ts";
import type { ChargeBatchService } from "../payments/batches/charge-batch.service.ts";
import type { PaymentProcessor } from "../payments/payment-processor.service.ts";
import type { PaymentServices, RunTransaction } from "../payments/payment-request.service.ts";
import {
  UNATTENDED_LEASE_MS,
  noPayment,
  UnattendedChargeService,
  type UnattendedChargeResult,
  type UnattendedCharge,
} from "../payments/unattended-charge.service.ts";
import type { RenewalCharge, RenewalClaimService } from "../subscriptions/renewal-orders/renewal-claim.service.ts";
import type { SubscriptionRenewalsService } from "../subscriptions/subscription-renewals.service.ts";
import type { SubscriptionService } from "../subscriptions/subscription.service.ts";
import type { RecoveryVendor } from "../recovery/covers/cover.facts.ts";
import type { RenewalRecoveryService } from "../recovery/renewal-covers/renewal-recovery.service.ts";
import type {
  FailedRenewalCharge,
  RenewalCoverRecord,
  RenewalCoverService,
} from "../recovery/renewal-covers/renewal-cover.service.ts";
import { ConcurrentCharges, type ChargingTurn, type ClaimedCharges } from "./concurrent-charges.ts";
import { RenewalBatchService, toRenewalKey } from "./renewal-batch.service.ts";

/** The services of one transaction that billing needs. */
interface RenewalRunnerServices extends PaymentServices {
  subscriptions: SubscriptionService;
  subscriptionRenewals: SubscriptionRenewalsService;
  renewalClaims: RenewalClaimService;
  renewalCovers: RenewalCoverService;
  renewalRecovery: RenewalRecoveryService;
}

/** A charge of a renewal, the first one or a retry. */
interface ScheduledCharge {
  orderId: number;
  subscriptionId: number;
  methodId: number | null;
  /** The date of a cover that it is the try of; null for the first charge. */
  retryAt: Date | null;
  /** Idempotency key: the same charge, however often it is started. */
  key: string;
  /** When it was due. */
  dueAt: Date;
}

/** The most charges that have transactions of their own at the same time: more would wait too long for a connection. */
const MAX_SINGLES = 25;

/** The most failed charges that are recorded in one transaction, and how long the first of them waits for others. */
const MAX_FAILURES = 50;
const GATHER_FAILURES_MS = 20;

/** The turn of a worker; without a number the gateways say how many charges they take at the same time. */
type RequestedTurn = Omit<ChargingTurn, "concurrency"> & { concurrency?: number | undefined };

/** The result of a charge: it was no longer due, it was made, or a fault deferred it. */
export type RenewalStepResult = "NOTHING" | "DONE" | "DEFERRED";

/**
 * Charges due renewals and retries failed ones. Every step is claimed on its own row with a short lease and has a key
 * that identifies it: whatever crashes, it is done once.
 */
export class RenewalRunner {
  private readonly charges: UnattendedChargeService<RenewalRunnerServices>;
  private readonly failures: MicroBatches<FailedRenewalCharge, void>;
  private readonly limitSingles = limitConcurrency(MAX_SINGLES);

  constructor(
    private readonly deps: {
      write: RunTransaction<RenewalRunnerServices>;
      /** Runs work that is done many times at once in one transaction. */
      writeBatch: RunTransaction<RenewalRunnerServices>;
      processor: Pick<PaymentProcessor<RenewalRunnerServices>, "payOrder" | "payOrderIf">;
      chargeBatches: Pick<ChargeBatchService<RenewalRunnerServices>, "prepare" | "send">;
      vendor: RecoveryVendor;
      now: () => Date;
      /** Gets the error of a batch whose renewals are charged one by one. */
      onBatchFault: (error: unknown) => void;
    },
  ) {
    const { write, writeBatch, processor, vendor, now, onBatchFault } = deps;
    this.charges = new UnattendedChargeService(write, processor, vendor.id, now);
    this.failures = new MicroBatches({
      runBatch: (all) =>
        writeBatch(({ renewalCovers }) =>
          runTogether(onePerOrder(all), (failure) => renewalCovers.recordFailedCharge(vendor, failure)),
        ),
      runOne: (failure) => write(({ renewalCovers }) => renewalCovers.recordFailedCharge(vendor, failure)),
      maxSize: MAX_FAILURES,
      gatherMs: GATHER_FAILURES_MS,
      onFault: onBatchFault,
    });
  }

  /** Charges renewals that are due, some at the same time. @returns how many were charged or deferred. */
  async chargeDueRenewals(requested: RequestedTurn): Promise<number> {
    const turn = await this.toTurn(requested);
    const batches = new RenewalBatchService<RenewalRunnerServices>({ ...this.deps, vendorId: this.deps.vendor.id });
    const claim = async (limit: number): Promise<ClaimedCharges> => {
      const { claimed, prepared, otherIds } = await batches.claim(limit);
      const charges = [
        ...prepared.map(({ renewal, charge, faults }) => async (release: () => void) => {
          const result = this.charges.toResultOfAttempt(await this.deps.chargeBatches.send(charge, release), faults);
          // A paid renewal needs no transaction of its own, and those that failed share one.
          if (result.kind === "PAID") return "DONE";
          const apply = () => this.applyResult(toFirstCharge(renewal), result);
          return result.kind === "FAILED" ? apply() : this.limitSingles(apply);
        }),
        ...otherIds.map((id) => () => this.limitSingles(() => this.chargeRenewalOf(id))),
      ];
      return { charges, found: claimed + otherIds.length };
    };
    return new ConcurrentCharges(turn, claim).run();
  }

  /** Claims the renewal of one subscription if it is due, as part of a larger transaction. @throws a Refusal where it cannot be ordered. */
  claimRenewal(claims: RenewalClaimService, subscriptionId: number): Promise<RenewalCharge | undefined> {
    return claims.claimDueRenewal(this.deps.vendor.id, this.leaseEnd(), subscriptionId);
  }

  /** Charges a renewal that is claimed. */
  async chargeClaimedRenewal(claim: RenewalCharge): Promise<RenewalStepResult> {
    return claim.isPaid ? "DONE" : this.collectPayment(toFirstCharge(claim));
  }

  /** Makes retries that are due, some at the same time. @returns how many were made or deferred. */
  async makeDueRetries(requested: RequestedTurn): Promise<number> {
    const turn = await this.toTurn(requested);
    const claim = async (limit: number): Promise<ClaimedCharges> => {
      const covers = await this.deps.write(({ renewalCovers }) =>
        renewalCovers.claimDueRetries(this.deps.vendor.id, this.leaseEnd(), limit),
      );
      return { charges: covers.map((cover) => () => this.makeRetry(cover)), found: covers.length };
    };
    return new ConcurrentCharges({ ...turn, concurrency: Math.min(turn.concurrency, MAX_SINGLES) }, claim).run();
  }

  /** Makes a retry that is claimed. */
  private async makeRetry(cover: RenewalCoverRecord): Promise<RenewalStepResult> {
    const { renewalOrderId: orderId, renewalSubscriptionId: subscriptionId, id } = cover;
    const retryAt = required(cover.retryAt, "retryAt");
    const subscription = await this.deps.write(({ subscriptions }) =>
      subscriptions.lockSubscription(this.deps.vendor.id, subscriptionId),
    );
    const { status, cancelAt, endDate, paymentMethodId: methodId } = subscription;
    // Where its end and a try are due together, the end wins.
    const isOver = status !== "UNPAID" || [cancelAt, endDate].some((at) => at !== null && at <= this.deps.now());
    if (isOver) {
      await this.endCover(orderId, "CANCELED");
      return "DONE";
    }
    const key = `cover ${id} ${retryAt.getTime()}`;
    return this.collectPayment({ orderId, subscriptionId, methodId, retryAt, key, dueAt: retryAt });
  }

  /** Schedules retries with the methods that payers have stored since a charge failed. @returns how many. */
  async scheduleChangedMethods(limit: number): Promise<number> {
    const { write, vendor } = this.deps;
    const ids = await write(({ subscriptionRenewals }) => subscriptionRenewals.findChangedMethods(vendor.id, limit));
    let scheduled = 0;
    for (const id of ids)
      if (await write(({ renewalCovers }) => renewalCovers.retryWithNewMethod(vendor, id))) scheduled++;
    return scheduled;
  }

  /** Charges the renewal of one subscription, if it is still due. */
  private async chargeRenewalOf(subscriptionId: number): Promise<RenewalStepResult> {
    const { write, vendor } = this.deps;
    try {
      const claim = await write(({ renewalClaims }) => this.claimRenewal(renewalClaims, subscriptionId));
      return claim ? await this.chargeClaimedRenewal(claim) : "NOTHING";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await write(({ renewalClaims }) => renewalClaims.deferDueRenewal(vendor.id, subscriptionId, error.message));
      return "DONE";
    }
  }

  private async collectPayment(charge: ScheduledCharge): Promise<RenewalStepResult> {
    return this.applyResult(charge, await this.attemptCharge(charge));
  }

  private async applyResult(charge: ScheduledCharge, result: UnattendedChargeResult): Promise<RenewalStepResult> {
    const { orderId, subscriptionId, retryAt } = charge;
    switch (result.kind) {
      case "IN_PROGRESS":
      case "BLOCKED":
        break;
      case "PAID":
        // The payment ended the cover of the subscription's renewal; this ends one of an earlier renewal.
        if (retryAt !== null) await this.endCover(orderId, "PAID");
        break;
      case "NOT_PAYABLE":
        await this.endCover(orderId, "CANCELED");
        break;
      case "FAULT": {
        const deferral = { ...result, orderId };
        await this.deps.write(({ renewalCovers }) => renewalCovers.deferCharge(this.deps.vendor.id, charge, deferral));
        return "DEFERRED";
      }
      case "FAILED": {
        const failure = { ...result, orderId, subscriptionId, retryAt };
        await this.failures.add(failure);
      }
    }
    return "DONE";
  }

  private async attemptCharge({ methodId, retryAt, ...charge }: ScheduledCharge): Promise<UnattendedChargeResult> {
    if (methodId === null) {
      const errorMessage = "There is no stored payment method.";
      return { ...noPayment, errorCode: "NO_PAYMENT_METHOD", errorMessage, createdAt: this.deps.now() };
    }
    const { orderId, subscriptionId, key, dueAt } = charge;
    // A first charge is no retry: it counts for others, and is made.
    const mayCharge: UnattendedCharge<RenewalRunnerServices>["mayCharge"] =
      retryAt === null
        ? undefined
        : ({ renewalCovers }, order, charging) =>
            renewalCovers.confirmRetry(this.deps.vendor, order, { ...charging, subscriptionId, retryAt });
    return this.charges.charge({ orderId, methodId, key, dueAt, mayCharge });
  }

  private endCover(orderId: number, reason: "PAID" | "CANCELED"): Promise<void> {
    return this.deps.write(({ renewalRecovery }) =>
      renewalRecovery.endCoverOfOrder(this.deps.vendor.id, orderId, reason),
    );
  }

  private async toTurn({ concurrency, ...limits }: RequestedTurn): Promise<ChargingTurn> {
    const { write, vendor } = this.deps;
    return {
      ...limits,
      concurrency: concurrency ?? (await write(({ gatewayAccounts }) => gatewayAccounts.chargeConcurrency(vendor.id))),
    };
  }

  private leaseEnd(): Date {
    return new Date(this.deps.now().getTime() + UNATTENDED_LEASE_MS);
  }
}

/** The first charge of a renewal; its key names the period. */
const toFirstCharge = (renewal: RenewalCharge): ScheduledCharge => ({
  ...renewal,
  retryAt: null,
  key: toRenewalKey(renewal),
});

/** Of two failures of one order the second one must see what the first one led to. */
function onePerOrder(failures: readonly FailedRenewalCharge[]): readonly FailedRenewalCharge[] {
  const orderIds = new Set(failures.map(({ orderId }) => orderId));
  if (orderIds.size < failures.length) throw new Error("An order has several failed charges.");
  return failures;
}
