import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Worker } from "../../../src/jobs/worker.ts";
import { rowsOf } from "../../hostile/query-rows.ts";
import { createChild } from "../child-vendors.ts";
import type { TestGateway, TestVendor } from "../test-gateway.ts";
import { listing } from "../child-listing.ts";
import { linkTo, Payer } from "../checkout-fixture.ts";
import { Shelf } from "../test-catalogue.ts";
import { Till } from "../test-payments.ts";
import { workOff } from "../test-worker.ts";
import type { ToldFinalAction, ToldPlan } from "./model-plan.ts";
import { RETRIES } from "./model-subscription.ts";

/** What a card does when it is charged. */
export type CardMood = "WORKS" | "DECLINES" | "LOST" | "ANSWERS_ARE_LOST";

const moods: Record<CardMood, object> = {
  WORKS: { behaviour: "APPROVE" },
  DECLINES: { behaviour: "DECLINE", code: "51", message: "Insufficient funds." },
  LOST: { behaviour: "DECLINE", code: "41", message: "Lost card." },
  ANSWERS_ARE_LOST: { behaviour: "FAIL_AFTER_CHARGE" },
};

/** What the model knows that is not permitted. */
const refusals = new Set<unknown>(["ILLEGAL_TRANSITION", "SUBSCRIPTION_NOT_RUNNING", "QUOTA_EXCEEDED"]);

const DECLINED = "4000000000000515";

let cards = 0;

/** The number of a card that nobody else has: fourteen digits, a count, and the digit of the Luhn check. */
function newCard(): string {
  const digits = `42424242${String(++cards).padStart(7, "0")}`;
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** A merchant of one play, at whom things are really done: by GraphQL, on the payers' pages, by the worker. */
export class Merchant {
  /** Numbers of first orders that wait to be paid, and of subscriptions; each has its place in the model. */
  readonly waiting: { id: number; code: string; plans: readonly ToldPlan[] }[] = [];
  readonly subscriptions: { id: string; card: string; itemCode: string }[] = [];

  private readonly offers = new Map<string, object>();
  /** What the merchant's child has for sale; there is a child once something of it is ordered. */
  private childs: Shelf | undefined;

  private constructor(
    readonly gateway: TestGateway,
    readonly vendor: TestVendor,
    readonly till: Till,
    private readonly shelf: Shelf,
    private readonly worker: Worker,
  ) {}

  /** Opens a shop with what its policy has for subscriptions whose recovery was in vain. */
  static async open(gateway: TestGateway, worker: Worker, finalAction: ToldFinalAction): Promise<Merchant> {
    const vendor = await gateway.openVendor();
    const till = await Till.open(gateway, { token: vendor.token });
    const terms = { plan: { kind: "LADDER", offsetsInDays: RETRIES }, finalAction };
    const { policy } = await till.done("proposeRecoveryPolicy", { terms }, "policy { databaseId }");
    await till.done("activateRecoveryPolicy", { policyId: String(policy.databaseId) }, "policy { databaseId }");
    return new Merchant(gateway, vendor, till, new Shelf(gateway, { token: vendor.token }), worker);
  }

  /** Nobody works for the merchant any more. */
  async close(): Promise<void> {
    await rowsOf(this.gateway, sql`update vendors set enabled = false where id = ${this.vendor.id}::bigint`);
  }

  work(): Promise<void> {
    return workOff(this.worker);
  }

  async order(plans: readonly ToldPlan[], quantity: number): Promise<void> {
    const items: object[] = [];
    for (const plan of plans) items.push({ ...(await this.offer(plan)), minimumQuantity: quantity });
    const input = { customerId: String(this.till.customerId), items };
    const { order } = await this.till.done("createOrder", input, "order { databaseId code }");
    this.waiting.push({ id: order.databaseId, code: order.code, plans });
  }

  /** A payer opens the page of an order and pays. @returns the card, where it works. */
  async pays(orderCode: string, works: boolean, known?: string): Promise<string> {
    const card = works ? (known ?? newCard()) : DECLINED;
    const path = await linkTo(this.gateway, { orderId: 0, orderCode }, {}, { token: this.vendor.token });
    const payer = await Payer.at(this.gateway, path);
    await payer.payByCard(card);
    return card;
  }

  /** A payer who pays a first order whose trial was used meanwhile is shown the new sum, and is not charged. */
  async isAskedAgain(place: number): Promise<void> {
    const { code: orderCode } = this.waiting[place]!;
    const path = await linkTo(this.gateway, { orderId: 0, orderCode }, {}, { token: this.vendor.token });
    const { status } = await (await Payer.at(this.gateway, path)).payByCard(newCard());
    if (status !== 409) throw new Error(`The payer of a sum that changed was answered ${status}.`);
  }

  /** Pays a first order, by the card of a subscription where one is told. */
  async paysFirst(place: number, works: boolean, cardOf: number | null): Promise<void> {
    const { id, code, plans } = this.waiting[place]!;
    const card = await this.pays(code, works, cardOf === null ? undefined : this.subscriptions[cardOf]!.card);
    if (!works) return;
    const { subscriptions } = await this.till.read(id, "subscriptions { databaseId interval items { code } }");
    this.waiting.splice(place, 1);
    for (const { interval } of plans) {
      const { databaseId, items } = subscriptions.find((one: { interval: string }) => one.interval === interval);
      this.subscriptions.push({ id: String(databaseId), card, itemCode: items[0].code });
    }
  }

  /** The payer of an order asks for a virtual account to pay into. */
  async asksForAccount(orderId: number): Promise<void> {
    await this.till.done("payOrder", { orderId: String(orderId), method: "VBANK" }, "payment { state }");
  }

  /** The merchant says that a deposit arrived, which the gateway knows better. @returns the code of the refusal. */
  async confirmsDeposit(orderId: number): Promise<unknown> {
    const { errors } = await this.till.send("confirmDeposit", { orderId: String(orderId) }, "payment { state }");
    return errors?.[0]?.extensions["code"];
  }

  /** The bank tells that the deposit of an order arrived. */
  async deposits(orderId: number): Promise<void> {
    const { payment } = await this.till.read(orderId, "payment { gatewayReference }");
    const url = `/simulated-gateway/charges/${payment.gatewayReference}/approve`;
    const { statusCode } = await this.gateway.gateway.server.inject({ method: "POST", url });
    if (statusCode !== 200) throw new Error(`The deposit was answered ${statusCode}.`);
  }

  /** The payer stores another method for a subscription. */
  async changesMethod(place: number): Promise<boolean> {
    const subscription = this.subscriptions[place]!;
    const answer = await this.asks("requestPaymentMethod", place, {}, "order { code }");
    if (answer === "REFUSED") return false;
    subscription.card = await this.pays(answer.order.code, true);
    return true;
  }

  /** A card that is stored behaves otherwise from now on. */
  async turns(place: number, mood: CardMood): Promise<void> {
    const owner = `${this.vendor.id} ${this.subscriptions[place]!.card}`;
    const fingerprint = createHash("sha256").update(owner).digest("hex");
    const turned = JSON.stringify({ ...moods[mood], network: "VISA", fingerprint, gateway: "HOUSE" });
    await rowsOf(
      this.gateway,
      sql`update simulated_methods set behaviour = ${turned} where vendor_id = ${this.vendor.id}::bigint
        and behaviour::jsonb ->> 'fingerprint' = ${fingerprint}`,
    );
  }

  /** A mutation about a subscription; REFUSED where its state or its quota does not permit it, whatever else is refused is a fault. */
  async asks(name: string, place: number, input: object, selection = "subscription { status }"): Promise<any> {
    const subscriptionId = this.subscriptions[place]!.id;
    const { data, errors } = await this.till.send(name, { subscriptionId, ...input }, selection);
    if (!errors) return data[name];
    const code = errors[0]!.extensions["code"];
    if (refusals.has(code)) return "REFUSED";
    throw new Error(`${name} failed: ${JSON.stringify(errors)}`);
  }

  private async offer(plan: ToldPlan): Promise<object> {
    const key = JSON.stringify(plan);
    const known = this.offers.get(key);
    if (known) return known;
    const { interval, price, isPostpaid, isMetered, isChilds, trial, count, term } = plan;
    const metered = {
      type: "USAGE_BASED",
      claim: isPostpaid ? { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } : { methodType: "PRE" },
      additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges: [{ price: "10" }] },
    };
    const product = {
      name: "Journal",
      ...(trial > 0 && { enabledDemo: true, demoPeriod: trial, demoPeriodUnit: "DAY" }),
    };
    const terms = {
      ...(isMetered ? metered : { type: "FLAT" }),
      price: String(price),
      recurring: { interval },
      expiryRecurringCount: count,
      ...(term !== null && { membershipExpirationDate: term, membershipExpirationDateType: "DAY" }),
    };
    const offer = isChilds
      ? (
          await listing(await this.childsShelf(), this.shelf, terms, {
            ...product,
            draftOf: "SOFTWARE",
            quantity: null,
          })
        ).line
      : await this.ownOffer(product, terms);
    this.offers.set(key, offer);
    return offer;
  }

  private async ownOffer(product: object, terms: object): Promise<object> {
    const { databaseId, code: productCode } = await this.shelf.product({ type: "SOFTWARE", ...product });
    const { code: priceCode } = await this.shelf.plan(databaseId, terms);
    return { productCode, priceCode };
  }

  private async childsShelf(): Promise<Shelf> {
    if (!this.childs) {
      const { token } = await createChild(this.gateway, {}, { token: this.vendor.token });
      this.childs = new Shelf(this.gateway, { token });
    }
    return this.childs;
  }
}
