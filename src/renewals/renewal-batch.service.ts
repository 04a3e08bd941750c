import { Refusal } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import { runTogether } from "../kernel/scheduling/run-together.ts";
import type { ChargeBatchService, PreparedCharge } from "../payments/batches/charge-batch.service.ts";
import type { PaymentServices, RunTransaction } from "../payments/payment-request.service.ts";
import {
  toRequestKey,
  toSubmission,
  UNATTENDED_LEASE_MS,
  type FaultsBefore,
} from "../payments/unattended-charge.service.ts";
import type { RenewalCharge, RenewalClaimService } from "../subscriptions/renewal-orders/renewal-claim.service.ts";

interface BatchServices extends PaymentServices {
  renewalClaims: RenewalClaimService;
}

/** A renewal whose charge can be sent at once. */
export interface PreparedRenewal {
  renewal: RenewalCharge;
  charge: PreparedCharge;
  /** The faults since it was due. */
  faults: FaultsBefore;
}

/** Claimed renewals, and the subscriptions of due renewals that are to be claimed one by one. */
export interface ClaimedRenewals {
  /** The number of claimed renewals: those to charge, and those that are free. */
  claimed: number;
  prepared: PreparedRenewal[];
  otherIds: number[];
}

/** The key of a renewal's charge: the same for each claim of its period. */
export const toRenewalKey = ({ dueAt }: Pick<RenewalCharge, "dueAt">): string => `renewal ${dueAt.getTime()}`;

/**
 * Claims many due renewals in one transaction, with their orders and payments. The services that claim a single renewal run for all
 * of them at the same time, so that both do the same.
 */
export class RenewalBatchService<Services extends BatchServices> {
  constructor(
    private readonly deps: {
      write: RunTransaction<Services>;
      writeBatch: RunTransaction<Services>;
      chargeBatches: Pick<ChargeBatchService<Services>, "prepare">;
      vendorId: number;
      now: () => Date;
      /** Gets the error of renewals that could not be claimed together. */
      onBatchFault: (error: unknown) => void;
    },
  ) {}

  /** Claims due renewals and their payments. What one of them is refused with is left to its own claim. */
  async claim(limit: number): Promise<ClaimedRenewals> {
    const refusedIds = new Set<number>();
    for (;;) {
      try {
        return await this.deps.writeBatch((services) => this.claimAllowed(services, limit, refusedIds));
      } catch (error) {
        if (!(error instanceof RefusedClaims)) {
          this.deps.onBatchFault(error);
          // It does not say whose it is: one renewal must not hold up the others.
          return this.findDue(limit);
        }
        for (const id of error.subscriptionIds) refusedIds.add(id);
      }
    }
  }

  private async findDue(limit: number): Promise<ClaimedRenewals> {
    const { write, vendorId } = this.deps;
    const { plain, otherIds } = await write(({ renewalClaims }) => renewalClaims.lockDueRenewals(vendorId, limit));
    return { claimed: 0, prepared: [], otherIds: [...plain.map(({ id }) => id), ...otherIds] };
  }

  private async claimAllowed(
    services: Services,
    limit: number,
    refusedIds: ReadonlySet<number>,
  ): Promise<ClaimedRenewals> {
    const { vendorId, now } = this.deps;
    const due = await services.renewalClaims.lockDueRenewals(vendorId, limit);
    const allowed = due.plain.filter(({ id }) => !refusedIds.has(id));
    const leaseEnd = new Date(now().getTime() + UNATTENDED_LEASE_MS);
    const newlyRefused: number[] = [];
    const claims = await runTogether(allowed, async (record) => {
      try {
        const renewal = await services.renewalClaims.claimLocked(vendorId, record, leaseEnd);
        if (renewal.isPaid) return [];
        const prepared = await this.prepare(services, renewal);
        if (!prepared) newlyRefused.push(record.id);
        return prepared ? [prepared] : [];
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        newlyRefused.push(record.id);
        return [];
      }
    });
    // A part of a transaction cannot be undone: all are claimed again, without those that were refused.
    if (newlyRefused.length > 0) throw new RefusedClaims(newlyRefused);
    const otherIds = [...due.otherIds, ...due.plain.filter(({ id }) => refusedIds.has(id)).map(({ id }) => id)];
    return { claimed: allowed.length, prepared: claims.flat(), otherIds };
  }

  private async prepare(services: Services, renewal: RenewalCharge): Promise<PreparedRenewal | undefined> {
    const { orderId, dueAt } = renewal;
    const methodId = required(renewal.methodId, "methodId");
    const faults = await services.payments.faultsSince(this.deps.vendorId, orderId, dueAt);
    const requestKey = toRequestKey(toRenewalKey(renewal), faults);
    const charge = await this.deps.chargeBatches.prepare(services, toSubmission(orderId, methodId, requestKey));
    return charge && { renewal, charge, faults };
  }
}

/** Renewals that cannot be claimed together with others. */
class RefusedClaims extends Error {
  constructor(readonly subscriptionIds: readonly number[]) {
    super("Some renewals are to be claimed one by one.");
  }
}
