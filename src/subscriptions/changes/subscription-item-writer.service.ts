import type { Actor } from "../../../schema/vocabulary.ts";
import type { EventTrigger } from "../../events/event.titles.ts";
import { toAmount, type Amount } from "../../kernel/amounts.ts";
import { newCode } from "../../kernel/codes.ts";
import { invalid } from "../../kernel/refusals.ts";
import type {
  SubscriptionItemRecord,
  SubscriptionItemValues,
  SubscriptionRecord,
  SubscriptionRepository,
} from "../subscription.repository.ts";
import type { SubscriptionService } from "../subscription.service.ts";

/** The values of an item that joins a subscription. */
export type NewItem = Pick<
  SubscriptionItemValues,
  | "productId"
  | "priceId"
  | "price"
  | "quantity"
  | "optionIds"
  | "optionLabel"
  | "optionPrice"
  | "parentItemId"
  | "keepWhenRenew"
>;

/** A plan that an item gets, at a price, with the codes of this plan and of the one before. */
export interface NewPlan {
  priceId: number;
  price: Amount;
  code: string;
  before: string;
}

const toPlanFacts = ({ code, before }: Pick<NewPlan, "code" | "before">) => ({ priceCode: code, before });

/** The actor and the reason of a change to a subscription's items. */
export interface ChangeSource {
  actor: Actor;
  reason?: string | null;
  orderId?: number | null;
}

/** Changes the items of subscriptions. The caller has locked the subscription. */
export class SubscriptionItemWriterService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
      subscriptions: SubscriptionService;
      now: Date;
    },
  ) {}

  /**
   * The running subscription to change, locked.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_NOT_SWITCHED_OVER.
   */
  async lockRunning(vendorId: number, id: number): Promise<SubscriptionRecord> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    if (record.chargesFrom !== null && record.chargesFrom > this.deps.now)
      throw invalid(
        "SUBSCRIPTION_NOT_SWITCHED_OVER",
        `The subscription was imported, and the previous system charges it until ${record.chargesFrom.toISOString()}; change it after that.`,
      );
    if (["ACTIVE", "PENDING_PAUSE", "PENDING_CANCEL"].includes(record.status)) return record;
    const sentence = `The subscription is ${record.status}; its items can be changed only while it is running.`;
    throw invalid("SUBSCRIPTION_NOT_RUNNING", sentence);
  }

  /** Adds an item: at once, or when the order that adds it is paid. */
  async addItem(
    vendorId: number,
    record: SubscriptionRecord,
    position: number,
    item: NewItem,
    isPaid: boolean,
  ): Promise<SubscriptionItemRecord> {
    const added = await this.deps.subscriptionRepository.addItem(vendorId, {
      ...item,
      code: newCode("subscription_item"),
      subscriptionId: record.id,
      position,
      type: "SKU",
      currency: record.currency,
      isAdditional: true,
      activatedAt: isPaid ? this.deps.now : null,
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    if (isPaid) await this.deps.subscriptions.countRecurringRevenue(vendorId, record.id);
    return added;
  }

  /** An item whose order is paid belongs to the subscription; the cycle under way is charged. Answers whether it waited for that. */
  async activateItem(vendorId: number, record: SubscriptionRecord, item: SubscriptionItemRecord, source: ChangeSource) {
    if (item.activatedAt !== null) return false;
    const chargedCycles = record.chargedCycle > 0 ? 1 : 0;
    await this.deps.subscriptionRepository.updateItem(vendorId, item.id, {
      activatedAt: this.deps.now,
      chargedCycles,
      modifiedAt: this.deps.now,
    });
    await this.recordItemEvent(vendorId, record, "addItem", item, source, { quantity: item.quantity });
    return true;
  }

  /** From now on there is another quantity of an item. */
  async changeQuantity(
    vendorId: number,
    record: SubscriptionRecord,
    item: SubscriptionItemRecord,
    quantity: number,
    source: ChangeSource & { refundable?: Amount },
  ): Promise<void> {
    await this.deps.subscriptionRepository.updateItem(vendorId, item.id, { quantity, modifiedAt: this.deps.now });
    const facts = { before: item.quantity, quantity, refundable: source.refundable?.toFixed() };
    await this.recordItemEvent(vendorId, record, "changeQuantity", item, source, facts);
  }

  /** From now on an item does not belong to the subscription. */
  async removeItem(
    vendorId: number,
    record: SubscriptionRecord,
    item: SubscriptionItemRecord,
    source: ChangeSource & { refundable?: Amount },
  ): Promise<void> {
    await this.deps.subscriptionRepository.updateItem(vendorId, item.id, {
      removedAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    await this.recordItemEvent(vendorId, record, "removeItem", item, source, {
      refundable: source.refundable?.toFixed(),
    });
  }

  /** An item gives way to the same with another quantity. */
  async replaceQuantity(
    vendorId: number,
    record: SubscriptionRecord,
    item: SubscriptionItemRecord,
    position: number,
    { quantity, parentItemId }: Pick<SubscriptionItemRecord, "quantity" | "parentItemId">,
    source: ChangeSource,
  ): Promise<SubscriptionItemRecord> {
    const next = await this.replaceItem(vendorId, item, { position, quantity, parentItemId });
    await this.recordItemEvent(vendorId, record, "changeQuantity", next, source, { before: item.quantity, quantity });
    return next;
  }

  /** An item gives way to the same with another plan, so that each plan is charged for its time. */
  async replacePlan(
    vendorId: number,
    record: SubscriptionRecord,
    item: SubscriptionItemRecord,
    position: number,
    { priceId, price, ...codes }: NewPlan,
    source: ChangeSource,
  ): Promise<void> {
    const next = await this.replaceItem(vendorId, item, {
      position,
      priceId,
      price,
      nextPriceId: null,
      nextPrice: null,
    });
    await this.updateLeadingPlan(vendorId, record, next, priceId);
    await this.recordItemEvent(vendorId, record, "changePlan", next, source, toPlanFacts(codes));
  }

  /** Changes the plan of an item from now on, and drops a scheduled change. */
  async changePlan(
    vendorId: number,
    record: SubscriptionRecord,
    item: SubscriptionItemRecord,
    { priceId, price, ...codes }: NewPlan,
    source: ChangeSource & { refundable?: Amount },
  ): Promise<void> {
    const values = { priceId, price, nextPriceId: null, nextPrice: null, modifiedAt: this.deps.now };
    await this.deps.subscriptionRepository.updateItem(vendorId, item.id, values);
    await this.updateLeadingPlan(vendorId, record, item, priceId);
    const facts = { ...toPlanFacts(codes), refundable: source.refundable?.toFixed() };
    await this.recordItemEvent(vendorId, record, "changePlan", item, source, facts);
  }

  /** An item has another plan from the next cycle on. */
  async schedulePlanChange(
    vendorId: number,
    record: SubscriptionRecord,
    item: SubscriptionItemRecord,
    { priceId, price, ...codes }: NewPlan,
    source: ChangeSource,
  ): Promise<void> {
    await this.setNextPlan(vendorId, item.id, { priceId, price });
    const facts = { ...toPlanFacts(codes), at: record.currentPeriodEnd };
    await this.recordItemEvent(vendorId, record, "schedulePlanChange", item, source, facts);
  }

  /** The item stays with its current plan. */
  async withdrawPlanChange(
    vendorId: number,
    record: SubscriptionRecord,
    item: SubscriptionItemRecord,
    source: ChangeSource,
  ): Promise<void> {
    await this.setNextPlan(vendorId, item.id, null);
    await this.recordItemEvent(vendorId, record, "withdrawPlanChange", item, source, {});
  }

  /** Records the unused value of paid time after a change. */
  async addRefundableAmount(vendorId: number, record: SubscriptionRecord, amount: Amount): Promise<void> {
    const { id, refundableAmount } = record;
    if (amount.gt(0))
      await this.deps.subscriptionRepository.update(vendorId, id, { refundableAmount: refundableAmount.plus(amount) });
  }

  /** The plan and the price of an item from the next cycle on; null are those that it has. */
  async setNextPlan(vendorId: number, itemId: number, next: { priceId: number; price: Amount } | null): Promise<void> {
    const values = { nextPriceId: next?.priceId ?? null, nextPrice: next?.price ?? null };
    await this.deps.subscriptionRepository.updateItem(vendorId, itemId, { ...values, modifiedAt: this.deps.now });
  }

  /** More or fewer units are allowed of an item from now on. */
  async changeQuota(vendorId: number, item: SubscriptionItemRecord, change: number, { actor, orderId }: ChangeSource) {
    const units = {
      series: "QUOTA" as const,
      at: this.deps.now,
      change: toAmount(change),
      orderId: orderId ?? null,
      actor,
    };
    if (change !== 0)
      await this.deps.subscriptionRepository.addUnits(vendorId, [
        { itemId: item.id, ...units, createdAt: this.deps.now },
      ]);
  }

  /**
   * An item that replaces another one continues its count of charged cycles, so that its start is not charged twice.
   */
  private async replaceItem(
    vendorId: number,
    item: SubscriptionItemRecord,
    changes: Partial<SubscriptionItemValues> & Pick<SubscriptionItemValues, "position">,
  ): Promise<SubscriptionItemRecord> {
    const { id, code: _code, vendorId: _vendor, ...copiedValues } = item;
    await this.deps.subscriptionRepository.updateItem(vendorId, id, {
      removedAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    const times = { activatedAt: this.deps.now, createdAt: this.deps.now, modifiedAt: this.deps.now };
    const code = newCode("subscription_item");
    const chargedCycles = Math.max(item.chargedCycles, 1);
    return this.deps.subscriptionRepository.addItem(vendorId, {
      ...copiedValues,
      ...times,
      code,
      chargedCycles,
      ...changes,
    });
  }

  /** The plan of a subscription is that of its first item. */
  private async updateLeadingPlan(
    vendorId: number,
    record: SubscriptionRecord,
    { id }: SubscriptionItemRecord,
    priceId: number,
  ) {
    const items = await this.deps.subscriptionRepository.itemsOf(vendorId, record.id);
    const first = items.find(({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null);
    if (first?.id === id)
      await this.deps.subscriptionRepository.update(vendorId, record.id, { priceId, modifiedAt: this.deps.now });
  }

  private recordItemEvent(
    vendorId: number,
    record: SubscriptionRecord,
    kind: EventTrigger,
    { code }: SubscriptionItemRecord,
    { actor, reason, orderId }: ChangeSource,
    facts: Record<string, unknown>,
  ): Promise<void> {
    const details = { actor, reason: reason ?? null, orderId: orderId ?? null, facts: { itemCode: code, ...facts } };
    return this.deps.subscriptions.recordEvent(vendorId, record, kind, details);
  }
}
