import type { Handle } from "../database/client.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import { VendorRepository, type VendorRecord } from "../vendors/vendor.repository.ts";
import type { ScenarioVendor } from "../recovery/covers/cover.facts.ts";
import { later, MINUTE_MS, type Calendar } from "./calendar.ts";
import { Changes } from "./scheduled-changes.ts";
import { ChildOrders } from "./child-orders.ts";
import { LISTED_PLAN } from "./catalogue/child-vendors.ts";
import { Dice } from "./seeded-random.ts";
import { keepEvents } from "./rows/event-rows.ts";
import { Invoicing } from "./invoice-history.ts";
import { Memberships, turn } from "./first-orders.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import { OrderMaker, wanted } from "./order-factory.ts";
import { keepOrders } from "./rows/order-rows.ts";
import { DemoCashier } from "./rows/demo-payments.ts";
import { keepPayments } from "./rows/payment-rows.ts";
import { keepPeople, numberPeople, peopleOf, type Person } from "./customers.ts";
import { Purchases } from "./one-time-orders.ts";
import { Recoveries } from "./recoveries.ts";
import { Renewals, type LastRenewal } from "./renewal-history.ts";
import { Settlements } from "./demo-proration-orders.ts";
import { Shelves } from "./catalogue/demo-catalogue.ts";
import type { SubscriptionDraft } from "./rows/subscription-draft.ts";
import { keepSubscriptions, keepUnits } from "./rows/subscription-rows.ts";

const CUSTOMERS = 220;
const DAYS = 460;
/** Orders go back one year. */
const YEAR_DAYS = 364;
/** Since when the vendor's prices contain the tax. */
const TAX_INCLUDED_DAYS = 240;

/** What people come for, one after the other. */
const roles = [
  ...["BUYER", "SUBSCRIBER", "BUYER", "RARE", "BUYER", "SUBSCRIBER", "LOOKER", "BUYER", "BOTH", "LOOKER"],
] as const;
/** The rarest state takes about so long to come to. */
const RARE_DAYS = 50;

/** What people subscribe to, and how much of it; the first ones are chosen most. */
const memberships: readonly (readonly [plan: string, quantity: number, home: "anywhere" | "KR"])[] = [
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

/** What became of subscriptions, one after the other. */
const endings = [
  ...["ACTIVE", "ACTIVE", "UNPAID", "ACTIVE", "CANCELED", "ACTIVE", "PENDING_CANCEL", "ACTIVE", "PAUSE"],
  ...["ACTIVE", "PENDING_PAUSE", "ACTIVE", "UNPAID"],
] as const;
type Ending = (typeof endings)[number];

/** A year of the billing side, told without the database and kept at once. */
export class BillingHistory {
  private readonly dice = new Dice(2_026);
  private readonly cashier = new DemoCashier(this.dice);
  private readonly orders: OrderDraft[] = [];
  private readonly subscriptions: SubscriptionDraft[] = [];
  private readonly purchases: Purchases;
  private readonly beginnings: Memberships;
  private readonly recoveries: Recoveries;
  private readonly renewals: Renewals;
  private readonly settlements: Settlements;
  private readonly invoicing: Invoicing;
  private readonly changes: Changes;

  private constructor(
    private readonly calendar: Calendar,
    private readonly zoneId: string,
    private readonly shelves: Shelves,
    private readonly makerAt: (at: Date) => OrderMaker,
    private readonly childOrders: ChildOrders,
  ) {
    this.purchases = new Purchases(this.dice, calendar, shelves, makerAt, this.cashier);
    this.beginnings = new Memberships(this.dice, zoneId, shelves, makerAt, this.cashier);
    this.recoveries = new Recoveries(calendar, zoneId, this.cashier);
    this.renewals = new Renewals(this.dice, calendar, zoneId, makerAt, this.cashier, this.recoveries);
    this.settlements = new Settlements(this.dice, calendar, shelves, makerAt, this.cashier);
    this.changes = new Changes(calendar);
    this.invoicing = new Invoicing(calendar, shelves, makerAt, this.cashier);
  }

  /** Tells the history and keeps it. The vendor sells a product of its child. */
  static async keep(
    handle: Handle,
    calendar: Calendar,
    vendor: ScenarioVendor,
    child: VendorRecord,
    vault: Vault,
  ): Promise<void> {
    const { id: vendorId } = vendor;
    const terms = await new VendorRepository(handle).orderTerms(vendorId);
    const shelves = await Shelves.of(handle, calendar, vendorId);
    const dice = new Dice(7);
    const makerAt = (at: Date) =>
      new OrderMaker(dice, { ...terms, vatIncluded: calendar.daysSince(at) < TAX_INCLUDED_DAYS });
    const childOrders = await ChildOrders.of(handle, calendar, dice, vendorId, child);
    const history = new BillingHistory(calendar, terms.zoneId, shelves, makerAt, childOrders);
    const people = peopleOf(history.dice, calendar, CUSTOMERS, DAYS);
    history.tell(people);
    await history.write(handle, vendor, people, vault);
  }

  private tell(people: readonly Person[]): void {
    for (const person of people) {
      const role = roles[person.index % roles.length];
      const age = Math.min(this.calendar.daysSince(person.createdAt), YEAR_DAYS);
      if (role === "SUBSCRIBER" || role === "BOTH") this.subscribe(person, age);
      if (role === "BUYER" || role === "BOTH") this.buy(person, age);
      if (role === "RARE" && age > RARE_DAYS)
        for (let count = 0; count < 3; count++) this.orders.push(this.purchases.rare(person));
    }
    const local = people.filter(({ home, index }) => home.countryCode === "KR" && index > 130 && index < 200);
    this.claimOne(local[0]!);
    this.orders.push(...this.invoicing.write(local.slice(1)));
    for (const [index, person] of local.slice(20, 28).entries()) this.buyOfChild(person, 5 + 11 * index);
    for (const { person, modifiedAt } of this.orders)
      if (modifiedAt > person.lastActiveAt) person.lastActiveAt = modifiedAt;
  }

  private buy(person: Person, age: number): void {
    const count = this.dice.between(1, 3);
    for (let left = count; left > 0; left--) {
      const at = this.calendar.ago((age * left) / (count + 1));
      const isLocal = person.home.countryCode === "KR";
      if (isLocal && this.dice.happens(8)) this.orders.push(this.purchases.service(person, at));
      else if (isLocal && this.dice.happens(3)) this.orders.push(this.purchases.byHand(person, at));
      else this.orders.push(this.purchases.usual(person, at));
    }
  }

  /** A product that a child vendor makes and the vendor sells. */
  private buyOfChild(person: Person, daysAgo: number): void {
    const quantity = this.dice.between(1, 3);
    const items = wanted(this.shelves.of(LISTED_PLAN), { quantity });
    const at = this.calendar.ago(daysAgo);
    const order = this.makerAt(at).make(person, items, { type: "ONE_TIME", createdAt: at, currency: "KRW" });
    this.orders.push(this.purchases.lead(order, daysAgo > 40 ? "FINISHED_SUCCESSFULLY" : "ORDER_DELIVERY_COMPLETED"));
    this.childOrders.follow(order, quantity);
  }

  private subscribe(person: Person, age: number): void {
    const isLocal = person.home.countryCode === "KR";
    const offered = memberships.filter(([, , where]) => isLocal || where === "anywhere");
    const [plan, quantity] = offered[Math.min(this.dice.below(offered.length), this.dice.below(offered.length))]!;
    const at = this.calendar.ago(age * 0.9);
    // The gateway has yet to confirm the method of who came last.
    const isConfirmed = person.index < CUSTOMERS - 5;
    const begun = this.beginnings.begin(person, plan, quantity, at, isConfirmed);
    this.orders.push(begun.order);
    for (const subscription of begun.subscriptions) {
      this.subscriptions.push(subscription);
      if (isConfirmed) this.live(subscription, plan, endings[this.subscriptions.length % endings.length]!);
    }
  }

  /** What comes after the first order, until the present. */
  private live(subscription: SubscriptionDraft, plan: string, ending: Ending): void {
    const { present } = this.calendar;
    const born = subscription.createdAt;
    const days = this.calendar.daysSince(born);
    const stop =
      ending === "CANCELED"
        ? this.calendar.ago(days * 0.3)
        : ending === "PAUSE"
          ? this.calendar.ago(days * 0.1)
          : present;
    const last: LastRenewal = ending === "UNPAID" ? "FAILED" : "PAID";
    this.orders.push(...this.renewals.until(subscription, stop, last));
    if (subscription.standing.status !== "ACTIVE") return;
    if (ending === "ACTIVE") this.settle(subscription, plan);
    else this.end(subscription, ending, stop);
  }

  private end(subscription: SubscriptionDraft, ending: Ending, at: Date): void {
    const { currentPeriodEnd } = subscription.standing;
    const now = this.calendar.ago(1);
    switch (ending) {
      case "CANCELED":
        subscription.canceledAt = at;
        return turn(subscription, "cancelSubscription", at, this.zoneId);
      case "PAUSE":
        subscription.pausedAt = at;
        return turn(subscription, "pauseSubscription", at, this.zoneId, { resumeAt: this.calendar.ago(-20) });
      case "PENDING_CANCEL":
        return turn(subscription, "scheduleCancellation", now, this.zoneId, { cancelAt: currentPeriodEnd });
      case "PENDING_PAUSE": {
        const pause = { pauseAt: currentPeriodEnd, resumeAt: later(currentPeriodEnd, 30 * 24 * 60 * MINUTE_MS) };
        return turn(subscription, "schedulePause", now, this.zoneId, pause);
      }
      default:
    }
  }

  /** Some running subscriptions change. */
  private settle(subscription: SubscriptionDraft, plan: string): void {
    const { currentPeriodStart, trialEndDate } = subscription.standing;
    const isNew = this.calendar.daysSince(currentPeriodStart) < 1;
    if (isNew || (trialEndDate && trialEndDate > this.calendar.present)) return;
    const isLocal = subscription.person.home.countryCode === "KR";
    this.changes.offer(subscription, plan);
    if (plan === "CafeSeat1") this.orders.push(this.settlements.raise(subscription, 3));
    else if (plan === "HouseBea1" && isLocal && this.dice.happens(40))
      this.orders.push(this.settlements.add(subscription, "HouseBea1", this.dice.happens(50)));
    else if (this.dice.happens(15)) this.orders.push(this.settlements.store(subscription, "PAYMENT_METHOD"));
    else if (this.dice.happens(10)) this.orders.push(this.settlements.store(subscription, "ADD_PAYMENT_METHOD"));
  }

  /** A renewal that is being charged at this hour. */
  private claimOne(person: Person): void {
    const begun = this.beginnings.begin(person, "HouseBea3", 1, later(this.calendar.ago(28), -3 * MINUTE_MS));
    this.orders.push(begun.order);
    for (const subscription of begun.subscriptions) {
      this.subscriptions.push(subscription);
      this.orders.push(...this.renewals.until(subscription, this.calendar.present, "UNDER_WAY"));
    }
  }

  private async write(handle: Handle, vendor: ScenarioVendor, people: readonly Person[], vault: Vault): Promise<void> {
    const { id: vendorId } = vendor;
    const orders = [...this.orders].sort((a, b) => a.values.createdAt.getTime() - b.values.createdAt.getTime());
    await numberPeople(handle, people);
    await keepPeople(handle, vendorId, people, this.calendar, vault);
    await keepSubscriptions(handle, vendorId, this.subscriptions);
    await keepOrders(handle, vendorId, orders);
    await keepUnits(handle, vendorId, this.subscriptions);
    await keepPayments(handle, vendorId, orders);
    await this.invoicing.keep(handle, vendorId);
    await this.childOrders.keep(handle, this.calendar, vault);
    await keepEvents(handle, vendorId, orders, this.subscriptions);
    await this.recoveries.keep(handle, vendor);
    await this.changes.keep(handle, vendor.id);
  }
}
