import type { EventService } from "../events/event.service.ts";
import { ZERO, type Amount } from "../kernel/amounts.ts";
import { newCode } from "../kernel/codes.ts";
import { invalidField } from "../kernel/refusals.ts";
import { firstOf } from "../kernel/required-values.ts";
import type { OfferService, Orderable } from "../products/offer.service.ts";
import { convertPrice, toPaymentCurrency } from "../products/price-plans/price.currency.ts";
import { isMeteredType, planTypes } from "../products/price-plans/price.plan-types.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import { findImportedCycle, isImportable } from "./subscription.import.ts";
import { addIntervals } from "./subscription.period.ts";
import type { SubscriptionRecord, SubscriptionRepository } from "./subscription.repository.ts";
import { scheduleDatesOf, type ScheduleState } from "./subscription.schedule.ts";

/** A running subscription of another system. */
export interface ImportedSubscription {
  customerId: number;
  priceId: number;
  /** The stored method; null if there is none to charge. */
  methodId: number | null;
  quantity: number;
  /** The currency that is charged; null for the base currency of the vendor. */
  currency: string | null;
  /** The agreed price of one unit in this currency; null for the price of the plan. */
  price: Amount | null;
  startDate: Date | null;
  nextPaymentDate: Date;
  cycleAnchor: Date | null;
  /** Number of cycles that were charged; null if it is not known. */
  chargedCount: number | null;
  /** Since when Recoup charges it. */
  chargesFrom: Date;
}

/** Creates subscriptions that another system has charged until now. */
export class SubscriptionImportService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
      offers: OfferService;
      vendors: VendorService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** @throws a Refusal INVALID_ARGUMENT, NO_EXCHANGE_RATE. */
  async importSubscription(vendorId: number, imported: ImportedSubscription): Promise<SubscriptionRecord> {
    const { customerId, priceId, methodId, quantity } = imported;
    if (imported.nextPaymentDate < this.deps.now)
      throw invalidField(
        "nextPaymentDate",
        "must not be in the past: a charge that was missed stays with the previous system.",
      );
    const orderable = firstOf(await this.deps.offers.findSold(vendorId, [{ priceId, optionIds: [] }]));
    const terms = await this.deps.vendors.billingTerms(vendorId);
    const currency = imported.currency ?? terms.currency;
    const { schedule, current } = this.toSchedule(imported, orderable, terms.zoneId);
    const dates = scheduleDatesOf(schedule, terms.zoneId);
    if (dates.nextPaymentDate === null)
      throw invalidField("nextPaymentDate", "must be before the end of the subscription, which follows from the plan.");
    const money = toPaymentCurrency(terms, currency);
    const price = imported.price ?? convertPrice(money, orderable.terms.price, orderable.terms.currencyPrice);
    const times = { createdAt: this.deps.now, modifiedAt: this.deps.now };
    const record = await this.deps.subscriptionRepository.add(vendorId, {
      ...schedule,
      ...dates,
      ...times,
      code: newCode("subscription"),
      customerId,
      priceId,
      paymentMethodId: methodId,
      currency,
      provideStartDay: orderable.terms.claim.provideStartDay,
      startDate: imported.startDate ?? schedule.cycleAnchor,
      currentPeriodStart: current.start,
      chargesFrom: imported.chargesFrom,
    });
    await this.deps.subscriptionRepository.addItem(vendorId, {
      ...times,
      code: newCode("subscription_item"),
      subscriptionId: record.id,
      position: 0,
      type: "SKU",
      productId: orderable.product.id,
      priceId,
      price,
      currency,
      quantity,
      optionPrice: ZERO,
      chargedCycles: schedule.chargedCycle > 0 ? schedule.renewalCount : 0,
      activatedAt: this.deps.now,
    });
    await this.deps.events.recordEvents(vendorId, {
      subject: "SUBSCRIPTION",
      subjectId: record.id,
      subscriptionId: record.id,
      customerId,
      trigger: "startSubscription",
      statusBefore: null,
      statusAfter: "ACTIVE",
      actor: "SYSTEM",
      facts: { nextPaymentDate: dates.nextPaymentDate, chargesFrom: imported.chargesFrom },
    });
    return record;
  }

  private toSchedule(imported: ImportedSubscription, { plan, terms }: Orderable, zoneId: string) {
    const { type, recurring, claim } = terms;
    if (!recurring || !isImportable(claim.methodType, isMeteredType(type), planTypes[type].hasMembers))
      throw invalidField("priceId", "must be a prepaid plan with a cycle, without usage and not of a bundle.");
    const cycle = { interval: recurring.interval, intervalCount: recurring.intervalCount };
    const found = findImportedCycle(imported, cycle, zoneId);
    if (!found)
      throw invalidField(
        "cycleAnchor",
        "must be an instant from which a cycle ends at `nextPaymentDate`, in the zone of the vendor.",
      );
    const { cycleAnchor, chargedCycle, chargesBefore, current } = found;
    if (plan.expiryRecurringCount !== null && plan.expiryRecurringCount > 0 && imported.chargedCount === null)
      throw invalidField("chargedCount", "is required: the plan ends after a number of cycles.");
    const { membershipExpirationDate: length, membershipExpirationDateType: unit } = plan;
    const start = imported.startDate ?? cycleAnchor;
    const schedule: ScheduleState & { status: "ACTIVE" } = {
      ...cycle,
      status: "ACTIVE",
      claimMethodType: claim.methodType,
      whenToClaimType: claim.whenToClaimType,
      billingDate: claim.billingDate,
      nextInterval: null,
      nextIntervalCount: null,
      cycleAnchor,
      chargedCycle,
      renewalCount: (imported.chargedCount ?? chargedCycle - chargesBefore) + chargesBefore,
      currentPeriodEnd: current.end,
      membershipEndDate: length > 0 && unit ? addIntervals(start, length, unit, zoneId) : null,
      expiryRecurringCount: plan.expiryRecurringCount || null,
      pauseAt: null,
      resumeAt: null,
      cancelAt: null,
    };
    return { schedule, current };
  }
}
