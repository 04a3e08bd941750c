import type { NoPaymentReason } from "../../schema/vocabulary.ts";
import type { ChargingRequest } from "../idempotency/idempotency.service.ts";
import { toAmount, toPlainString, ZERO, type Amount } from "../kernel/amounts.ts";
import { Refusal } from "../kernel/refusals.ts";
import type { OrderPaymentService } from "../orders/order-payment.service.ts";
import type { SubscriptionStopService } from "../subscriptions/changes/subscription-stop.service.ts";
import type { RenewalCharge, RenewalClaimService } from "../subscriptions/renewal-orders/renewal-claim.service.ts";
import type { PaymentProcessor } from "../payments/payment-processor.service.ts";
import type { PaymentRequestService, PaymentServices } from "../payments/payment-request.service.ts";
import type { SubscriptionService } from "../subscriptions/subscription.service.ts";
import type { RenewalRunner } from "./renewal-runner.service.ts";
import type { UnchargedOrderRunner } from "./uncharged-order-runner.service.ts";

/** The services of one transaction that a change and its charge need. */
interface ChangeServices extends PaymentServices {
  paidOrders: OrderPaymentService;
  renewalClaims: RenewalClaimService;
  subscriptions: SubscriptionService;
  subscriptionStop: SubscriptionStopService;
}

/** The effect of a subscription's change: an order to charge at once, and the unused value of paid time. */
interface ChangeEffect {
  order: { id: number } | null;
  refundable?: Amount;
}

/** A change of a subscription that was made, and the attempt to charge for it. */
export interface ChargedChange {
  orderId: number | null;
  refundable: Amount;
  paymentId: number | null;
  /** Why there is no payment; null where there is one. */
  noPaymentReason: NoPaymentReason | null;
}

/**
 * Changes subscriptions and charges for the changes in the same call. The change is made in one transaction with the
 * key of its request; the charge is claimed in the next one as a worker would claim it: the first of both makes the one
 * charge.
 */
export class ChargedChangeService<Services extends ChangeServices = ChangeServices> {
  constructor(
    private readonly deps: {
      write: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
      processor: PaymentProcessor<Services>;
      paymentRequests: PaymentRequestService<Services>;
      renewalRunner: RenewalRunner;
      unchargedOrderRunner: UnchargedOrderRunner;
      vendorId: number;
      now: () => Date;
      request: ChargingRequest | undefined;
    },
  ) {}

  /** Makes a change, and charges its order to the stored method of the subscription. @throws what the change is refused with. */
  async changeAndCharge(
    subscriptionId: number,
    applyChange: (services: Services) => Promise<ChangeEffect>,
  ): Promise<ChargedChange> {
    const { isNew, ...effect } = await this.deps.paymentRequests.applyChangeOnce(
      this.deps.vendorId,
      this.deps.request,
      async (services) => toMoneyEffect(await applyChange(services)),
    );
    if (effect.orderId !== null) {
      if (!isNew) await this.deps.processor.resumeCharge(this.deps.vendorId, effect.orderId);
      await this.deps.unchargedOrderRunner.chargeNow(effect.orderId);
    }
    return this.toResult(subscriptionId, effect);
  }

  /**
   * Ends a pause, and charges the period that begins with it. The period is claimed together with the end of the pause, so
   * that a repeat finds its order; where it cannot be ordered, the pause ends all the same, and the worker orders it later.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION.
   */
  async activateAndCharge(subscriptionId: number, reason: string | null): Promise<ChargedChange> {
    let renewal: RenewalCharge | undefined;
    let canOrderRenewal = true;
    const activate = () =>
      this.deps.paymentRequests.applyChangeOnce(
        this.deps.vendorId,
        this.deps.request,
        async ({ subscriptionStop, renewalClaims }) => {
          await subscriptionStop.activate(this.deps.vendorId, subscriptionId, { actor: "MANAGER", reason });
          renewal = canOrderRenewal ? await this.claimRenewal(renewalClaims, subscriptionId) : undefined;
          return toMoneyEffect({ order: renewal ? { id: renewal.orderId } : null });
        },
      );
    let result: Awaited<ReturnType<typeof activate>>;
    try {
      result = await activate();
    } catch (error) {
      if (!(error instanceof RenewalNotOrderable)) throw error;
      canOrderRenewal = false;
      result = await activate();
    }
    const { isNew, ...effect } = result;
    if (isNew && renewal) await this.deps.renewalRunner.chargeClaimedRenewal(renewal);
    else if (effect.orderId !== null) await this.deps.processor.resumeCharge(this.deps.vendorId, effect.orderId);
    return this.toResult(subscriptionId, effect);
  }

  private async claimRenewal(claims: RenewalClaimService, subscriptionId: number): Promise<RenewalCharge | undefined> {
    try {
      return await this.deps.renewalRunner.claimRenewal(claims, subscriptionId);
    } catch (error) {
      throw error instanceof Refusal ? new RenewalNotOrderable() : error;
    }
  }

  private toResult(
    subscriptionId: number,
    { orderId, refundable }: { orderId: number | null; refundable: string },
  ): Promise<ChargedChange> {
    return this.deps.write(async ({ payments, paidOrders, subscriptions }) => {
      const payment = orderId === null ? undefined : await payments.newestOf(this.deps.vendorId, orderId);
      const record = await subscriptions.getById(this.deps.vendorId, subscriptionId);
      const isDue =
        orderId === null
          ? record.nextPaymentDate !== null && record.nextPaymentDate <= this.deps.now()
          : (await paidOrders.payableLines(this.deps.vendorId, orderId)).length > 0;
      const reason = !isDue ? "NOTHING_DUE" : record.paymentMethodId === null ? "NO_STORED_METHOD" : "DEFERRED";
      return {
        orderId,
        refundable: toAmount(refundable),
        paymentId: payment?.id ?? null,
        noPaymentReason: payment ? null : reason,
      };
    });
  }
}

/** A renewal that cannot be ordered now: the change that it is part of is made without it. */
class RenewalNotOrderable extends Error {}

const toMoneyEffect = ({ order, refundable = ZERO }: ChangeEffect) => ({
  orderId: order?.id ?? null,
  refundable: toPlainString(refundable),
});
