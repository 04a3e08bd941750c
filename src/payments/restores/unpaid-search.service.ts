import { lastOf } from "../../kernel/required-values.ts";
import { UnrecordedChargeService } from "../unrecorded-charge.service.ts";
import type { Gateways } from "../gateways/gateway-port.ts";
import type { PaymentServices, RunTransaction } from "../payment-request.service.ts";
import type { UnpaidOrder } from "../payment-claim.service.ts";

/** Number of orders that are read in one page. */
const PAGE = 50;

/** The result of a search. */
export interface SearchedOrders {
  /** Number of orders that were searched. */
  searched: number;
  /** Number of charges that were found and recorded. */
  recorded: number;
}

/**
 * Searches the gateways, after a restore, for charges of orders that are unpaid here, and records them. Their payers
 * paid after the backup was taken, so these orders might never be charged, and thereby searched, again.
 */
export class UnpaidOrderSearch {
  private readonly earlier: UnrecordedChargeService;

  constructor(
    private readonly write: RunTransaction<PaymentServices>,
    gateways: Gateways,
  ) {
    this.earlier = new UnrecordedChargeService(write, gateways);
  }

  /** Searches all orders of a vendor. It can be repeated. @throws a GatewayFault where a gateway does not answer. */
  async search(vendorId: number): Promise<SearchedOrders> {
    const counts = { searched: 0, recorded: 0 };
    for (let last = 0; ;) {
      const page = await this.write(({ paymentClaims }) => paymentClaims.unpaidSinceBackup(vendorId, last, PAGE));
      for (const order of page.filter(({ subject }) => subject !== null)) {
        counts.searched++;
        while (await this.recordFound(vendorId, order)) counts.recorded++;
      }
      if (page.length === 0) return counts;
      last = lastOf(page).orderId;
    }
  }

  /** Records one charge of an order that was made since the backup. @returns whether there was one. */
  private async recordFound(vendorId: number, order: UnpaidOrder): Promise<boolean> {
    const found = await this.earlier.findCharge(vendorId, { subject: order.subject, idempotencyKey: null });
    if (!found) return false;
    return this.write(async ({ paymentClaims, payments }) => {
      const paymentId = await paymentClaims.claimFoundCharge(vendorId, order, found);
      // The attempt in progress is looked up later; a later search finds the rest.
      if (paymentId === undefined) return false;
      await payments.recordFoundCharge(vendorId, paymentId, found.gateway, found.charge);
      return true;
    });
  }
}
