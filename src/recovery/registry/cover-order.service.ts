import type { PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { amountOf, type Amount } from "../../kernel/amounts.ts";
import { invalid, invalidField, invalidFields, unknownReference } from "../../kernel/refusals.ts";
import { sent } from "../../kernel/sent-fields.ts";
import type { CoverCustomerRepository } from "./cover-customer.repository.ts";
import { registrationOf } from "./cover-order.events.ts";
import type { CoverOrderLine, CoverOrderRecord, CoverOrderRepository } from "./cover-order.repository.ts";
import { isPaid, statusAfter, statusOf } from "./cover-order.states.ts";
import type { CoverPriceRepository } from "./cover-price.repository.ts";
import type { CoverSubscriptionRecord, CoverSubscriptionRepository } from "./cover-subscription.repository.ts";
import type { CoverRepository } from "../covers/cover.repository.ts";
import type { ScenarioVendor } from "../covers/cover.facts.ts";
import type { CoverService } from "../covers/cover.service.ts";
import type { FailureReport } from "../covers/failure-report.ts";
import { register } from "./registration.ts";
import type { TimelineService } from "../covers/cover-timeline.service.ts";

/** An order as a merchant registers one. */
export interface CoverOrderRegistration extends FailureReport {
  customerId: number;
  amount: Amount;
  items: readonly CoverOrderLine[];
  partnerOrderId: string;
  amountReturned?: Amount | null;
  paymentDate?: Date | null;
  canceledDate?: Date | null;
  idKey?: string | null;
  subscriptionId?: number | null;
  paymentInfo?: string | null;
  paymentGateway?: PaymentGateway | null;
  paymentMethod?: PaymentMethod | null;
  paymentFailed?: boolean | null;
  replaceIfExists?: boolean | null;
}

/** More lines than any order has; each is a row of one statement. */
const MOST_ITEMS = 1_000;

/** Registers orders in the recovery module, and tells their covers what a registration reports of them. */
export class CoverOrderService {
  constructor(
    private readonly orders: CoverOrderRepository,
    private readonly customers: CoverCustomerRepository,
    private readonly prices: CoverPriceRepository,
    private readonly subscriptions: CoverSubscriptionRepository,
    private readonly covers: CoverRepository,
    private readonly recovery: CoverService,
    private readonly timeline: TimelineService,
    private readonly now: Date,
  ) {}

  /** Registers an order and, where its payment failed, starts or continues its recovery. */
  async register(vendor: ScenarioVendor, input: CoverOrderRegistration): Promise<CoverOrderRecord> {
    const {
      items,
      replaceIfExists,
      paymentFailed,
      errorCode,
      errorMessage,
      adviceCode,
      network,
      initiator,
      ...fields
    } = input;
    const failure = paymentFailed ? { errorCode, errorMessage, adviceCode, network, initiator } : null;
    if (items.length === 0)
      throw invalidFields([{ path: "items", code: "REQUIRED", message: "must have at least one line." }]);
    if (items.length > MOST_ITEMS) throw invalidField("items", `must have at most ${MOST_ITEMS} lines.`);
    await this.refuseUnknown(vendor.id, input);
    const subscription = await this.lockSubscription(vendor.id, input);
    const { record, before } = await register(this.orders, vendor.id, {
      noun: "order",
      partnerId: fields.partnerOrderId,
      replaceIfExists: replaceIfExists ?? false,
      fresh: () => this.fresh(fields, failure !== null),
      replacing: (existing) => this.replacing(vendor.id, existing, subscription, fields, failure !== null),
    });
    await Promise.all([
      before ? this.orders.setItems(vendor.id, record.id, items) : this.orders.addItems(vendor.id, record.id, items),
      this.timeline.record(vendor.id, ...registrationOf(record, before)),
    ]);
    if (failure && record.status === "PAYMENT_FAILURE")
      await this.recovery.reportFailure(vendor, record, subscription, failure);
    else if (before && subscription) await this.recovery.adopt(vendor.id, record, subscription);
    if (input.canceledDate || record.status === "FULL_REFUND")
      await this.recovery.finish(vendor.id, record.id, "CANCELED");
    else if (!failure && input.paymentDate && isPaid(record.status))
      await this.recovery.finish(vendor.id, record.id, "PAID");
    return (await this.orders.byId(vendor.id, record.id))!;
  }

  /** The subscription that a failure would concern is held before the order is, as everywhere. */
  private async lockSubscription(
    vendorId: number,
    input: CoverOrderRegistration,
  ): Promise<CoverSubscriptionRecord | undefined> {
    const known =
      input.subscriptionId ??
      (input.replaceIfExists ? await this.subscriptionOf(vendorId, input.partnerOrderId) : null);
    if (known == null) return undefined;
    const subscription = await this.subscriptions.lock(vendorId, known);
    if (!subscription) throw unknownReference("SUBSCRIPTION_NOT_FOUND", "subscriptionId", "subscription");
    if (input.subscriptionId != null && subscription.customerId !== input.customerId) {
      throw mismatched();
    }
    return subscription;
  }

  private async subscriptionOf(vendorId: number, partnerOrderId: string): Promise<number | null> {
    return (await this.orders.byPartnerId(vendorId, partnerOrderId))?.subscriptionId ?? null;
  }

  private async refuseUnknown(vendorId: number, { customerId, items }: CoverOrderRegistration): Promise<void> {
    const [customers, prices] = await Promise.all([
      this.customers.byIds(vendorId, [customerId]),
      this.prices.byIds(vendorId, [...new Set(items.map(({ priceId }) => priceId))]),
    ]);
    if (customers.length === 0) throw unknownReference("CUSTOMER_NOT_FOUND", "customerId", "customer");
    const known = new Set(prices.map(({ id }) => id));
    const unknown = items.findIndex(({ priceId }) => !known.has(priceId));
    if (unknown >= 0) throw unknownReference("PRICE_NOT_FOUND", `items[${unknown}].priceId`, "price plan");
  }

  private fresh(fields: Omit<CoverOrderRegistration, "items">, paymentFailed: boolean) {
    const amountReturned = fields.amountReturned ?? amountOf(0);
    const { paymentDate = null, canceledDate = null } = fields;
    return {
      ...fields,
      amountReturned,
      paymentGateway: fields.paymentGateway ?? ("UNKNOWN" as const),
      status: statusOf({ paymentFailed, amount: fields.amount, amountReturned, canceledDate, paymentDate }),
      createdAt: this.now,
      modifiedAt: this.now,
    };
  }

  private async replacing(
    vendorId: number,
    existing: CoverOrderRecord,
    subscription: CoverSubscriptionRecord | undefined,
    fields: Omit<CoverOrderRegistration, "items">,
    paymentFailed: boolean,
  ) {
    const cover = await this.covers.lockLatestOf(vendorId, existing.id);
    const subscriptionId = fields.subscriptionId ?? existing.subscriptionId;
    const elsewhere =
      fields.customerId !== existing.customerId ||
      (existing.subscriptionId !== null && subscriptionId !== existing.subscriptionId);
    if (cover?.state === "IN_PROGRESS" && elsewhere) {
      throw invalid(
        "COVER_IN_PROGRESS",
        "A recovery is running, so the order cannot move to another customer or subscription.",
      );
    }
    if (subscription && subscription.customerId !== fields.customerId) throw mismatched();
    const amountReturned = fields.amountReturned ?? existing.amountReturned;
    const { paymentDate = null, canceledDate = null } = fields;
    return {
      ...sent(fields),
      amountReturned,
      subscriptionId,
      paymentDate: paymentDate ?? existing.paymentDate,
      canceledDate: canceledDate ?? existing.canceledDate,
      paymentGateway: fields.paymentGateway ?? existing.paymentGateway,
      status: statusAfter(existing.status, {
        paymentFailed,
        amount: fields.amount,
        amountReturned,
        canceledDate,
        paymentDate,
      }),
      modifiedAt: this.now,
    };
  }
}

const mismatched = () => invalid("SUBSCRIPTION_MISMATCH", "The subscription belongs to another customer.");
