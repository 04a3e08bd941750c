import type { Handle } from "../database/client.ts";
import { firstOf, itemAt } from "../kernel/required-values.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { VendorRepository, type VendorRecord } from "../vendors/vendor.repository.ts";
import type { RecoveryVendor } from "../recovery/covers/cover.facts.ts";
import { addMilliseconds, MINUTE_MS, type DemoCalendar } from "./calendar.ts";
import { ScheduledChanges } from "./scheduled-changes.ts";
import { ChildOrderHistory } from "./child-orders.ts";
import { LISTED_PLAN } from "./catalogue/child-vendors.ts";
import { SeededRandom } from "./seeded-random.ts";
import { saveEvents } from "./rows/event-rows.ts";
import { InvoiceHistory } from "./invoice-history.ts";
import { FirstOrders, transitionAndReschedule } from "./first-orders.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import { OrderFactory, orderItemsOf } from "./order-factory.ts";
import { saveOrders } from "./rows/order-rows.ts";
import { DemoPayments } from "./rows/demo-payments.ts";
import { savePayments } from "./rows/payment-rows.ts";
import { saveCustomers, assignCustomerIds, createCustomers, type CustomerDraft } from "./customers.ts";
import { OneTimeOrders } from "./one-time-orders.ts";
import { RecoveryHistory } from "./recoveries.ts";
import { RenewalHistory, type LastRenewal } from "./renewal-history.ts";
import { DemoProrationOrders } from "./demo-proration-orders.ts";
import { DemoCatalogue } from "./catalogue/demo-catalogue.ts";
import type { SubscriptionDraft } from "./rows/subscription-draft.ts";
import { saveSubscriptions, saveUnits } from "./rows/subscription-rows.ts";

const CUSTOMER_COUNT = 220;
const HISTORY_DAYS = 460;
/** The oldest orders are one year old. */
const MAX_ORDER_AGE_DAYS = 364;
/** The vendor's prices have included tax for this many days. */
const TAX_INCLUDED_SINCE_DAYS = 240;

/** The roles of customers, assigned in turn. */
const customerRoles = [
  ...["BUYER", "SUBSCRIBER", "BUYER", "RARE", "BUYER", "SUBSCRIBER", "LOOKER", "BUYER", "BOTH", "LOOKER"],
] as const;
/** An order takes about this long to reach the rarest status. */
const RARE_STATUS_DAYS = 50;

/** Plans and quantities that customers subscribe to. The first entries are chosen most often. */
const offeredSubscriptions: readonly (readonly [plan: string, quantity: number, home: "anywhere" | "KR"])[] = [
  ["HouseBea1", 1, "anywhere"],
  ["RoastLog1", 1, "anywhere"],
  ["Messages1", 1, "KR"],
  ["HouseBea1", 2, "anywhere"],
  ["CafeSeat2", 1, "KR"],
  ["StarterK1", 1, "KR"],
  ["CafeSeat1", 5, "anywhere"],
  ["Machines1", 1, "KR"],
  ["LatteCla2", 1, "KR"],
  ["Messages2", 2_000, "KR"],
  ["RoastLog2", 1, "anywhere"],
];

/** The final states of subscriptions, assigned in turn. */
const finalStates = [
  ...["ACTIVE", "ACTIVE", "UNPAID", "ACTIVE", "CANCELED", "ACTIVE", "PENDING_CANCEL", "ACTIVE", "PAUSE"],
  ...["ACTIVE", "PENDING_PAUSE", "ACTIVE", "UNPAID"],
] as const;
type FinalState = (typeof finalStates)[number];

/** A year of demo data for the billing side, built in memory and saved in one step. */
export class BillingHistory {
  private readonly random = new SeededRandom(2_026);
  private readonly payments = new DemoPayments(this.random);
  private readonly orders: OrderDraft[] = [];
  private readonly subscriptions: SubscriptionDraft[] = [];
  private readonly oneTimeOrders: OneTimeOrders;
  private readonly firstOrders: FirstOrders;
  private readonly recoveries: RecoveryHistory;
  private readonly renewals: RenewalHistory;
  private readonly prorationOrders: DemoProrationOrders;
  private readonly invoices: InvoiceHistory;
  private readonly scheduledChanges: ScheduledChanges;

  private constructor(
    private readonly calendar: DemoCalendar,
    private readonly zoneId: string,
    private readonly catalogue: DemoCatalogue,
    private readonly orderFactoryAt: (at: Date) => OrderFactory,
    private readonly childOrders: ChildOrderHistory,
  ) {
    this.oneTimeOrders = new OneTimeOrders(this.random, calendar, catalogue, orderFactoryAt, this.payments);
    this.firstOrders = new FirstOrders(this.random, zoneId, catalogue, orderFactoryAt, this.payments);
    this.recoveries = new RecoveryHistory(calendar, zoneId, this.payments);
    this.renewals = new RenewalHistory(this.random, calendar, zoneId, orderFactoryAt, this.payments, this.recoveries);
    this.prorationOrders = new DemoProrationOrders(this.random, calendar, catalogue, orderFactoryAt, this.payments);
    this.scheduledChanges = new ScheduledChanges(calendar);
    this.invoices = new InvoiceHistory(calendar, catalogue, orderFactoryAt, this.payments);
  }

  /** Builds and saves the history. `child` is the child vendor whose product the vendor sells. */
  static async createAndSave(
    handle: Handle,
    calendar: DemoCalendar,
    vendor: RecoveryVendor,
    child: VendorRecord,
    vault: SecretVault,
  ): Promise<void> {
    const { id: vendorId } = vendor;
    const terms = await new VendorRepository(handle).billingTerms(vendorId);
    const catalogue = await DemoCatalogue.load(handle, calendar, vendorId);
    const random = new SeededRandom(7);
    const orderFactoryAt = (at: Date) =>
      new OrderFactory(random, { ...terms, vatIncluded: calendar.daysSince(at) < TAX_INCLUDED_SINCE_DAYS });
    const childOrders = await ChildOrderHistory.load(handle, calendar, random, vendorId, child);
    const history = new BillingHistory(calendar, terms.zoneId, catalogue, orderFactoryAt, childOrders);
    const customers = createCustomers(history.random, calendar, CUSTOMER_COUNT, HISTORY_DAYS);
    history.generate(customers);
    await history.save(handle, vendor, customers, vault);
  }

  private generate(customers: readonly CustomerDraft[]): void {
    for (const customer of customers) {
      const role = customerRoles[customer.index % customerRoles.length];
      const age = Math.min(this.calendar.daysSince(customer.createdAt), MAX_ORDER_AGE_DAYS);
      if (role === "SUBSCRIBER" || role === "BOTH") this.addSubscription(customer, age);
      if (role === "BUYER" || role === "BOTH") this.addOneTimeOrders(customer, age);
      if (role === "RARE" && age > RARE_STATUS_DAYS)
        for (let count = 0; count < 3; count++) this.orders.push(this.oneTimeOrders.createRareOrder(customer));
    }
    const koreanCustomers = customers.filter(
      ({ home, index }) => home.countryCode === "KR" && index > 130 && index < 200,
    );
    this.addRenewalInProgress(firstOf(koreanCustomers));
    this.orders.push(...this.invoices.createInvoices(koreanCustomers.slice(1)));
    for (const [index, customer] of koreanCustomers.slice(20, 28).entries())
      this.addChildProductOrder(customer, 5 + 11 * index);
    for (const { customer, modifiedAt } of this.orders)
      if (modifiedAt > customer.lastActiveAt) customer.lastActiveAt = modifiedAt;
  }

  private addOneTimeOrders(customer: CustomerDraft, age: number): void {
    const count = this.random.integerBetween(1, 3);
    for (let remaining = count; remaining > 0; remaining--) {
      const at = this.calendar.daysAgo((age * remaining) / (count + 1));
      const isLocal = customer.home.countryCode === "KR";
      if (isLocal && this.random.chance(8)) this.orders.push(this.oneTimeOrders.createServiceOrder(customer, at));
      else if (isLocal && this.random.chance(3)) this.orders.push(this.oneTimeOrders.createManualSale(customer, at));
      else this.orders.push(this.oneTimeOrders.createUsualOrder(customer, at));
    }
  }

  /** Adds an order for the child vendor's product, and the child order that belongs to it. */
  private addChildProductOrder(customer: CustomerDraft, daysAgo: number): void {
    const quantity = this.random.integerBetween(1, 3);
    const items = orderItemsOf(this.catalogue.findOffer(LISTED_PLAN), { quantity });
    const at = this.calendar.daysAgo(daysAgo);
    const order = this.orderFactoryAt(at).createOrder(customer, items, {
      type: "ONE_TIME",
      createdAt: at,
      currency: "KRW",
    });
    this.orders.push(
      this.oneTimeOrders.advanceTo(order, daysAgo > 40 ? "FINISHED_SUCCESSFULLY" : "ORDER_DELIVERY_COMPLETED"),
    );
    this.childOrders.addChildOrder(order, quantity);
  }

  private addSubscription(customer: CustomerDraft, age: number): void {
    const isLocal = customer.home.countryCode === "KR";
    const offered = offeredSubscriptions.filter(([, , where]) => isLocal || where === "anywhere");
    const [plan, quantity] = itemAt(
      offered,
      Math.min(this.random.integerBelow(offered.length), this.random.integerBelow(offered.length)),
    );
    const at = this.calendar.daysAgo(age * 0.9);
    // The gateway has not confirmed the payment methods of the newest customers yet.
    const isConfirmed = customer.index < CUSTOMER_COUNT - 5;
    const started = this.firstOrders.createFirstOrder(customer, plan, quantity, at, isConfirmed);
    this.orders.push(started.order);
    for (const subscription of started.subscriptions) {
      this.subscriptions.push(subscription);
      if (isConfirmed)
        this.renewAndEnd(subscription, plan, itemAt(finalStates, this.subscriptions.length % finalStates.length));
    }
  }

  /** Adds the renewals of a subscription, then applies its final state. */
  private renewAndEnd(subscription: SubscriptionDraft, plan: string, ending: FinalState): void {
    const { present } = this.calendar;
    const startedAt = subscription.createdAt;
    const days = this.calendar.daysSince(startedAt);
    const endsAt =
      ending === "CANCELED"
        ? this.calendar.daysAgo(days * 0.3)
        : ending === "PAUSE"
          ? this.calendar.daysAgo(days * 0.1)
          : present;
    const lastRenewal: LastRenewal = ending === "UNPAID" ? "FAILED" : "PAID";
    this.orders.push(...this.renewals.renewUntil(subscription, endsAt, lastRenewal));
    if (subscription.schedule.status !== "ACTIVE") return;
    if (ending === "ACTIVE") this.addMidPeriodChange(subscription, plan);
    else this.applyFinalState(subscription, ending, endsAt);
  }

  private applyFinalState(subscription: SubscriptionDraft, ending: FinalState, at: Date): void {
    const { currentPeriodEnd } = subscription.schedule;
    const now = this.calendar.daysAgo(1);
    switch (ending) {
      case "CANCELED":
        subscription.canceledAt = at;
        return transitionAndReschedule(subscription, "cancelSubscription", at, this.zoneId);
      case "PAUSE":
        subscription.pausedAt = at;
        return transitionAndReschedule(subscription, "pauseSubscription", at, this.zoneId, {
          resumeAt: this.calendar.daysAgo(-20),
        });
      case "PENDING_CANCEL":
        return transitionAndReschedule(subscription, "scheduleCancellation", now, this.zoneId, {
          cancelAt: currentPeriodEnd,
        });
      case "PENDING_PAUSE": {
        const pause = {
          pauseAt: currentPeriodEnd,
          resumeAt: addMilliseconds(currentPeriodEnd, 30 * 24 * 60 * MINUTE_MS),
        };
        return transitionAndReschedule(subscription, "schedulePause", now, this.zoneId, pause);
      }
      default:
    }
  }

  /** Adds changes to some running subscriptions within their current period. */
  private addMidPeriodChange(subscription: SubscriptionDraft, plan: string): void {
    const { currentPeriodStart, trialEndDate } = subscription.schedule;
    const isNew = this.calendar.daysSince(currentPeriodStart) < 1;
    if (isNew || (trialEndDate && trialEndDate > this.calendar.present)) return;
    const isLocal = subscription.customer.home.countryCode === "KR";
    this.scheduledChanges.considerSubscription(subscription, plan);
    if (plan === "CafeSeat1") this.orders.push(this.prorationOrders.raiseQuota(subscription, 3));
    else if (plan === "HouseBea1" && isLocal && this.random.chance(40))
      this.orders.push(this.prorationOrders.addProduct(subscription, "HouseBea1", this.random.chance(50)));
    else if (this.random.chance(15))
      this.orders.push(this.prorationOrders.addPaymentMethod(subscription, "PAYMENT_METHOD"));
    else if (this.random.chance(10))
      this.orders.push(this.prorationOrders.addPaymentMethod(subscription, "ADD_PAYMENT_METHOD"));
  }

  /** Adds a subscription whose renewal is in progress. */
  private addRenewalInProgress(customer: CustomerDraft): void {
    const started = this.firstOrders.createFirstOrder(
      customer,
      "HouseBea3",
      1,
      addMilliseconds(this.calendar.daysAgo(28), -3 * MINUTE_MS),
    );
    this.orders.push(started.order);
    for (const subscription of started.subscriptions) {
      this.subscriptions.push(subscription);
      this.orders.push(...this.renewals.renewUntil(subscription, this.calendar.present, "IN_PROGRESS"));
    }
  }

  private async save(
    handle: Handle,
    vendor: RecoveryVendor,
    customers: readonly CustomerDraft[],
    vault: SecretVault,
  ): Promise<void> {
    const { id: vendorId } = vendor;
    const orders = [...this.orders].sort((a, b) => a.values.createdAt.getTime() - b.values.createdAt.getTime());
    await assignCustomerIds(handle, customers);
    await saveCustomers(handle, vendorId, customers, this.calendar, vault);
    await saveSubscriptions(handle, vendorId, this.subscriptions);
    await saveOrders(handle, vendorId, orders);
    await saveUnits(handle, vendorId, this.subscriptions);
    await savePayments(handle, vendorId, orders);
    await this.invoices.save(handle, vendorId);
    await this.childOrders.save(handle, this.calendar, vault);
    await saveEvents(handle, vendorId, { customers, orders, subscriptions: this.subscriptions }, this.calendar);
    await this.recoveries.save(handle, vendor);
    await this.scheduledChanges.save(handle, vendor.id);
  }
}
