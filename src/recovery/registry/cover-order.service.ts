import type { PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { toAmount, type Amount } from "../../kernel/amounts.ts";
import { invalid, invalidField, invalidFields, unknownReference } from "../../kernel/refusals.ts";
import { required } from "../../kernel/required-values.ts";
import { sentFields } from "../../kernel/sent-fields.ts";
import type { CoverCustomerRepository } from "./cover-customer.repository.ts";
import { toRegistrationEvents } from "./cover-order.events.ts";
import type { CoverOrderLine, CoverOrderRecord, CoverOrderRepository } from "./cover-order.repository.ts";
import { isPaidStatus, orderStatusAfter, initialOrderStatus } from "./cover-order.states.ts";
import type { CoverPriceRepository } from "./cover-price.repository.ts";
import type { CoverSubscriptionRecord, CoverSubscriptionRepository } from "./cover-subscription.repository.ts";
import type { CoverRepository } from "../covers/cover.repository.ts";
import type { RecoveryVendor } from "../covers/cover.facts.ts";
import type { CoverService } from "../covers/cover.service.ts";
import type { FailureReport } from "../covers/failure-report.ts";
import { registerRecord } from "./registration.ts";
import type { CoverTimelineService } from "../covers/cover-timeline.service.ts";

/** An order as a merchant registers one. */
export interface CoverOrderRegistration extends FailureReport {
  customerId: number;
  amount: Amount;
  items: readonly CoverOrderLine[];
  partnerOrderId: string;
  amountReturned?: Amount | null;
  paymentDate?: Date | null;
  canceledAt?: Date | null;
  idKey?: string | null;
  subscriptionId?: number | null;
  paymentInfo?: string | null;
  paymentGateway?: PaymentGateway | null;
  paymentMethod?: PaymentMethod | null;
  paymentFailed?: boolean | null;
  replaceIfExists?: boolean | null;
}

/** More lines than any order has; each is a row of one statement. */
const MAX_ITEMS = 1_000;

/** Registers orders in the recovery module, and updates their covers from the registration. */
export class CoverOrderService {
  constructor(
    private readonly deps: {
      coverOrderRepository: CoverOrderRepository;
      coverCustomerRepository: CoverCustomerRepository;
      coverPriceRepository: CoverPriceRepository;
      coverSubscriptionRepository: CoverSubscriptionRepository;
      coverRepository: CoverRepository;
      covers: CoverService;
      coverTimeline: CoverTimelineService;
      now: Date;
    },
  ) {}

  /** Registers an order and, where its payment failed, starts or continues its recovery. */
  async register(vendor: RecoveryVendor, input: CoverOrderRegistration): Promise<CoverOrderRecord> {
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
    if (items.length > MAX_ITEMS) throw invalidField("items", `must have at most ${MAX_ITEMS} lines.`);
    await this.requireKnownReferences(vendor.id, input);
    const subscription = await this.lockSubscription(vendor.id, input);
    const { record, before } = await registerRecord(this.deps.coverOrderRepository, vendor.id, {
      noun: "order",
      partnerId: fields.partnerOrderId,
      replaceIfExists: replaceIfExists ?? false,
      newValues: () => this.toNewValues(fields, failure !== null),
      replacementValues: (existing) =>
        this.toReplacementValues(vendor.id, existing, subscription, fields, failure !== null),
    });
    await Promise.all([
      before
        ? this.deps.coverOrderRepository.replaceItems(vendor.id, record.id, items)
        : this.deps.coverOrderRepository.addItems(vendor.id, record.id, items),
      this.deps.coverTimeline.recordEvents(vendor.id, ...toRegistrationEvents(record, before)),
    ]);
    if (failure && record.status === "PAYMENT_FAILURE")
      await this.deps.covers.reportFailure(vendor, record, subscription, failure);
    else if (before && subscription) await this.deps.covers.attachToSubscription(vendor.id, record, subscription);
    if (input.canceledAt || record.status === "FULL_REFUND")
      await this.deps.covers.endCoverOfOrder(vendor.id, record.id, "CANCELED");
    else if (!failure && input.paymentDate && isPaidStatus(record.status))
      await this.deps.covers.endCoverOfOrder(vendor.id, record.id, "PAID");
    return required(await this.deps.coverOrderRepository.byId(vendor.id, record.id), "the order");
  }

  /** Locks the subscription before the order, as everywhere, in case the registration reports a failure. */
  private async lockSubscription(
    vendorId: number,
    input: CoverOrderRegistration,
  ): Promise<CoverSubscriptionRecord | undefined> {
    const subscriptionId =
      input.subscriptionId ??
      (input.replaceIfExists ? await this.subscriptionIdOfOrder(vendorId, input.partnerOrderId) : null);
    if (subscriptionId == null) return undefined;
    const subscription = await this.deps.coverSubscriptionRepository.lock(vendorId, subscriptionId);
    if (!subscription) throw unknownReference("SUBSCRIPTION_NOT_FOUND", "subscriptionId", "subscription");
    if (input.subscriptionId != null && subscription.customerId !== input.customerId) {
      throw subscriptionMismatch();
    }
    return subscription;
  }

  private async subscriptionIdOfOrder(vendorId: number, partnerOrderId: string): Promise<number | null> {
    return (await this.deps.coverOrderRepository.byPartnerId(vendorId, partnerOrderId))?.subscriptionId ?? null;
  }

  private async requireKnownReferences(vendorId: number, { customerId, items }: CoverOrderRegistration): Promise<void> {
    const [customers, prices] = await Promise.all([
      this.deps.coverCustomerRepository.byIds(vendorId, [customerId]),
      this.deps.coverPriceRepository.byIds(vendorId, [...new Set(items.map(({ priceId }) => priceId))]),
    ]);
    if (customers.length === 0) throw unknownReference("CUSTOMER_NOT_FOUND", "customerId", "customer");
    const knownPriceIds = new Set(prices.map(({ id }) => id));
    const unknownIndex = items.findIndex(({ priceId }) => !knownPriceIds.has(priceId));
    if (unknownIndex >= 0) throw unknownReference("PRICE_NOT_FOUND", `items[${unknownIndex}].priceId`, "price plan");
  }

  private toNewValues(fields: Omit<CoverOrderRegistration, "items">, paymentFailed: boolean) {
    const amountReturned = fields.amountReturned ?? toAmount(0);
    const { paymentDate = null, canceledAt = null } = fields;
    return {
      ...fields,
      amountReturned,
      paymentGateway: fields.paymentGateway ?? ("UNKNOWN" as const),
      status: initialOrderStatus({ paymentFailed, amount: fields.amount, amountReturned, canceledAt, paymentDate }),
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    };
  }

  private async toReplacementValues(
    vendorId: number,
    existing: CoverOrderRecord,
    subscription: CoverSubscriptionRecord | undefined,
    fields: Omit<CoverOrderRegistration, "items">,
    paymentFailed: boolean,
  ) {
    const cover = await this.deps.coverRepository.lockLatestOf(vendorId, existing.id);
    const subscriptionId = fields.subscriptionId ?? existing.subscriptionId;
    const isMoved =
      fields.customerId !== existing.customerId ||
      (existing.subscriptionId !== null && subscriptionId !== existing.subscriptionId);
    if (cover?.state === "IN_PROGRESS" && isMoved) {
      throw invalid(
        "COVER_IN_PROGRESS",
        "A recovery is running, so the order cannot move to another customer or subscription.",
      );
    }
    if (subscription && subscription.customerId !== fields.customerId) throw subscriptionMismatch();
    const amountReturned = fields.amountReturned ?? existing.amountReturned;
    const { paymentDate = null, canceledAt = null } = fields;
    return {
      ...sentFields(fields),
      amountReturned,
      subscriptionId,
      paymentDate: paymentDate ?? existing.paymentDate,
      canceledAt: canceledAt ?? existing.canceledAt,
      paymentGateway: fields.paymentGateway ?? existing.paymentGateway,
      status: orderStatusAfter(existing.status, {
        paymentFailed,
        amount: fields.amount,
        amountReturned,
        canceledAt,
        paymentDate,
      }),
      modifiedAt: this.deps.now,
    };
  }
}

const subscriptionMismatch = () => invalid("SUBSCRIPTION_MISMATCH", "The subscription belongs to another customer.");
