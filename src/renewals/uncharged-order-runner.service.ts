import { required } from "../kernel/required-values.ts";
import type { PaymentProcessor } from "../payments/payment-processor.service.ts";
import type { PaymentServices, RunTransaction } from "../payments/payment-request.service.ts";
import { UnattendedChargeService, type UnattendedChargeResult } from "../payments/unattended-charge.service.ts";
import type { UnchargedOrderService } from "./uncharged-order.service.ts";

interface UnchargedOrderServices extends PaymentServices {
  unchargedOrders: UnchargedOrderService;
}

type UnchargedOrder = Awaited<ReturnType<UnchargedOrderService["findUncharged"]>>[number];

/** Charges orders of subscriptions that are to be charged at once. */
export class UnchargedOrderRunner<Services extends UnchargedOrderServices = UnchargedOrderServices> {
  private readonly charges: UnattendedChargeService<Services>;

  constructor(
    private readonly deps: {
      write: RunTransaction<Services>;
      processor: Pick<PaymentProcessor<Services>, "payOrder" | "payOrderIf">;
      vendorId: number;
      now: () => Date;
    },
  ) {
    const { write, processor, vendorId, now } = deps;
    this.charges = new UnattendedChargeService(write, processor, vendorId, now);
  }

  /** Charges orders; each is tried once by itself. @returns how many were charged. */
  async chargeOrders(limit: number): Promise<number> {
    const { write, vendorId } = this.deps;
    const orders = await write(({ unchargedOrders }) => unchargedOrders.findUncharged(vendorId, limit));
    let chargedCount = 0;
    for (const order of orders) {
      const result = await this.charge(order);
      // An unavailable gateway is not called for each of them, one after the other.
      if (result.kind === "FAULT" && result.origin === "GATEWAY") break;
      if (result.kind !== "FAULT" && (result.kind !== "FAILED" || result.paymentId !== null)) chargedCount++;
    }
    return chargedCount;
  }

  /** Charges an order now, in the call that created it; orders that were tried or deferred already are left to the worker. */
  async chargeNow(orderId: number): Promise<void> {
    const { write, vendorId } = this.deps;
    const [order] = await write(({ unchargedOrders }) => unchargedOrders.findUncharged(vendorId, 1, orderId));
    if (order) await this.charge(order);
  }

  private async charge({
    orderId,
    subscriptionId,
    methodId,
    createdAt,
  }: UnchargedOrder): Promise<UnattendedChargeResult> {
    const { write, vendorId } = this.deps;
    const result = await this.charges.charge({
      orderId,
      methodId: required(methodId, "methodId"),
      key: "at once",
      dueAt: createdAt,
    });
    if (result.kind === "FAULT" && result.origin === "MERCHANT")
      await write(({ unchargedOrders }) =>
        unchargedOrders.deferOrder(vendorId, subscriptionId, { ...result, orderId }),
      );
    return result;
  }
}
