import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Worker } from "../../../src/jobs/worker.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { createTestChild } from "../fixtures/child-vendors.ts";
import type { MutationName, Payload, PayloadSelection } from "../answers.ts";
import type { TestGateway, TestVendor } from "../test-gateway.ts";
import { createListing } from "../fixtures/child-listing.ts";
import { checkoutPathOf, CheckoutPayer } from "../fixtures/checkout-fixture.ts";
import { TestCatalogue } from "../test-catalogue.ts";
import { TestPayments } from "../test-payments.ts";
import { runUntilIdle } from "../test-worker.ts";
import type { ModelFinalAction, ModelPlan } from "./model-plan.ts";
import { RETRY_DAYS } from "./model-subscription.ts";

/** The result of a charge of a card. */
export type CardBehaviour = "WORKS" | "DECLINES" | "LOST" | "ANSWERS_ARE_LOST";

const cardScripts: Record<CardBehaviour, object> = {
  WORKS: { behaviour: "APPROVE" },
  DECLINES: { behaviour: "DECLINE", code: "51", message: "Insufficient funds." },
  LOST: { behaviour: "DECLINE", code: "41", message: "Lost card." },
  ANSWERS_ARE_LOST: { behaviour: "FAIL_AFTER_CHARGE" },
};

/** The refusal that the model expects for an action that is not permitted. */
const expectedRefusals = new Set<unknown>(["ILLEGAL_TRANSITION", "SUBSCRIPTION_NOT_RUNNING", "QUOTA_EXCEEDED"]);

const DECLINED_CARD = "4000000000000515";

let cardCount = 0;

/** The number of a unique card: fourteen digits, a count, and the Luhn check digit. */
function newCardNumber(): string {
  const digits = `42424242${String(++cardCount).padStart(7, "0")}`;
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/**
 * The merchant of one sequence, who runs the actions on the service: by GraphQL, on the payers' pages, by the worker.
 */
export class ModelMerchant {
  /** Numbers of first orders that wait to be paid, and of subscriptions; each has its place in the model. */
  readonly unpaidFirstOrders: { id: number; code: string; plans: readonly ModelPlan[] }[] = [];
  readonly subscriptions: { id: string; card: string; itemCode: string }[] = [];

  private readonly offers = new Map<string, object>();
  /** The products of the merchant's child; the child is created when one of them is first ordered. */
  private childCatalogue: TestCatalogue | undefined;

  private constructor(
    readonly gateway: TestGateway,
    readonly vendor: TestVendor,
    readonly payments: TestPayments,
    private readonly catalogue: TestCatalogue,
    private readonly worker: Worker,
  ) {}

  /** Opens a shop with its policy for subscriptions whose recovery has failed. */
  static async start(gateway: TestGateway, worker: Worker, finalAction: ModelFinalAction): Promise<ModelMerchant> {
    const vendor = await gateway.openVendor();
    const payments = await TestPayments.start(gateway, { token: vendor.token });
    const terms = { plan: { kind: "LADDER", offsetsInDays: RETRY_DAYS }, finalAction };
    const { policy } = await payments.runMutation("proposeRecoveryPolicy", { terms }, "policy { databaseId }");
    await payments.runMutation(
      "activateRecoveryPolicy",
      { policyId: String(policy.databaseId) },
      "policy { databaseId }",
    );
    return new ModelMerchant(gateway, vendor, payments, new TestCatalogue(gateway, { token: vendor.token }), worker);
  }

  /** Stops all work for the merchant. */
  async disable(): Promise<void> {
    await queryRows(this.gateway, sql`update vendors set enabled = false where id = ${this.vendor.id}::bigint`);
  }

  runWorker(): Promise<void> {
    return runUntilIdle(this.worker);
  }

  async createOrder(plans: readonly ModelPlan[], quantity: number): Promise<void> {
    const items: object[] = [];
    for (const plan of plans) items.push({ ...(await this.offerOf(plan)), minimumQuantity: quantity });
    const input = { customerId: String(this.payments.customerId), items };
    const { order } = await this.payments.runMutation("createOrder", input, "order { databaseId code }");
    this.unpaidFirstOrders.push({ id: order.databaseId, code: order.code, plans });
  }

  /** A payer opens the page of an order and pays. @returns the card if it works. */
  async payOrderPage(orderCode: string, works: boolean, knownCard?: string): Promise<string> {
    const card = works ? (knownCard ?? newCardNumber()) : DECLINED_CARD;
    const path = await checkoutPathOf(this.gateway, { orderId: 0, orderCode }, {}, { token: this.vendor.token });
    const payer = await CheckoutPayer.open(this.gateway, path);
    await payer.payByCard(card);
    return card;
  }

  /** A payer who pays a first order whose trial was used meanwhile is shown the new amount, and is not charged. */
  async expectNewAmountShown(place: number): Promise<void> {
    const { code: orderCode } = this.unpaidFirstOrders[place]!;
    const path = await checkoutPathOf(this.gateway, { orderId: 0, orderCode }, {}, { token: this.vendor.token });
    const { status } = await (await CheckoutPayer.open(this.gateway, path)).payByCard(newCardNumber());
    if (status !== 409) throw new Error(`The payer of a sum that changed was answered ${status}.`);
  }

  /** Pays a first order, by the card of a subscription if one is given. */
  async payFirstOrder(place: number, works: boolean, cardOf: number | null): Promise<void> {
    const { id, code, plans } = this.unpaidFirstOrders[place]!;
    const card = await this.payOrderPage(code, works, cardOf === null ? undefined : this.subscriptions[cardOf]!.card);
    if (!works) return;
    const { subscriptions } = await this.payments.readOrder(id, "subscriptions { databaseId interval items { code } }");
    this.unpaidFirstOrders.splice(place, 1);
    for (const { interval } of plans) {
      const { databaseId, items } = subscriptions.find((one) => one.interval === interval)!;
      this.subscriptions.push({ id: String(databaseId), card, itemCode: items[0]!.code });
    }
  }

  /** The payer of an order requests a virtual account. */
  async requestVirtualAccount(orderId: number): Promise<void> {
    await this.payments.runMutation("payOrder", { orderId: String(orderId), method: "VBANK" }, "payment { state }");
  }

  /** The merchant reports that a deposit arrived, which only the gateway may do. @returns the code of the refusal. */
  async confirmDeposit(orderId: number): Promise<unknown> {
    const { errors } = await this.payments.sendMutation(
      "confirmDeposit",
      { orderId: String(orderId) },
      "payment { state }",
    );
    return errors?.[0]?.extensions["code"];
  }

  /** The bank reports that the deposit of an order arrived. */
  async approveDeposit(orderId: number): Promise<void> {
    const { payment } = await this.payments.readOrder(orderId, "payment { gatewayReference }");
    const url = `/simulated-gateway/charges/${payment!.gatewayReference!}/approve`;
    const { statusCode } = await this.gateway.gateway.server.inject({ method: "POST", url });
    if (statusCode !== 200) throw new Error(`The deposit was answered ${statusCode}.`);
  }

  /** The payer stores another method for a subscription. */
  async changePaymentMethod(place: number): Promise<boolean> {
    const subscription = this.subscriptions[place]!;
    const answer = await this.sendMutation("requestPaymentMethod", place, {}, "order { code }");
    if (answer === "REFUSED") return false;
    subscription.card = await this.payOrderPage(answer.order.code, true);
    return true;
  }

  /** A stored card gives another result from now on. */
  async setCardBehaviour(place: number, mood: CardBehaviour): Promise<void> {
    const owner = `${this.vendor.id} ${this.subscriptions[place]!.card}`;
    const fingerprint = createHash("sha256").update(owner).digest("hex");
    const script = JSON.stringify({ ...cardScripts[mood], network: "VISA", fingerprint, gateway: "HOUSE" });
    await queryRows(
      this.gateway,
      sql`update simulated_methods set behaviour = ${script} where vendor_id = ${this.vendor.id}::bigint
        and behaviour::jsonb ->> 'fingerprint' = ${fingerprint}`,
    );
  }

  /**
   * A mutation about a subscription. Returns REFUSED if its state or its quota does not permit it; any other refusal
   * fails the test.
   */
  async sendMutation<
    N extends MutationName,
    S extends PayloadSelection<N> = PayloadSelection<N> & "subscription { status }",
  >(name: N, place: number, input: object, selection?: S): Promise<Payload<N, S> | "REFUSED"> {
    const completeInput = { subscriptionId: this.subscriptions[place]!.id, ...input };
    const part = selection ?? "subscription { status }";
    const { data, errors } = await this.payments.sendRawMutation(name, completeInput, part);
    if (!errors) return data[name];
    const code = errors[0]!.extensions["code"];
    if (expectedRefusals.has(code)) return "REFUSED";
    throw new Error(`${name} failed: ${JSON.stringify(errors)}`);
  }

  private async offerOf(plan: ModelPlan): Promise<object> {
    const key = JSON.stringify(plan);
    const existing = this.offers.get(key);
    if (existing) return existing;
    const { interval, price, isPostpaid, isMetered, isOfChild, trialDays, maxPeriods, termDays } = plan;
    const metered = {
      type: "USAGE_BASED",
      claim: isPostpaid ? { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } : { methodType: "PRE" },
      additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges: [{ price: "10" }] },
    };
    const product = {
      name: "Journal",
      ...(trialDays > 0 && { enabledDemo: true, demoPeriod: trialDays, demoPeriodUnit: "DAY" }),
    };
    const terms = {
      ...(isMetered ? metered : { type: "FLAT" }),
      price: String(price),
      recurring: { interval },
      expiryRecurringCount: maxPeriods,
      ...(termDays !== null && { membershipExpirationDate: termDays, membershipExpirationDateType: "DAY" }),
    };
    const offer = isOfChild
      ? (
          await createListing(await this.ensureChildCatalogue(), this.catalogue, terms, {
            ...product,
            draftOf: "SOFTWARE",
            quantity: null,
          })
        ).line
      : await this.createOwnOffer(product, terms);
    this.offers.set(key, offer);
    return offer;
  }

  private async createOwnOffer(product: object, terms: object): Promise<object> {
    const { databaseId, code: productCode } = await this.catalogue.createProduct({ type: "SOFTWARE", ...product });
    const { code: priceCode } = await this.catalogue.createPlan(databaseId, terms);
    return { productCode, priceCode };
  }

  private async ensureChildCatalogue(): Promise<TestCatalogue> {
    if (!this.childCatalogue) {
      const { token } = await createTestChild(this.gateway, {}, { token: this.vendor.token });
      this.childCatalogue = new TestCatalogue(this.gateway, { token });
    }
    return this.childCatalogue;
  }
}
