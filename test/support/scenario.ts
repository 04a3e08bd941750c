import { queryRows } from "../hostile/query-rows.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import type { Selected, SelectionOf } from "./answers.ts";
import { startGateway, type TestGateway } from "./test-gateway.ts";
import { TestCatalogue } from "./test-catalogue.ts";
import { DAY } from "./test-clock.ts";
import { testCards, TestPayments } from "./test-payments.ts";
import { createWorker, runUntilIdle } from "./test-worker.ts";

const ORDERS = `{ orders(first: 100) { nodes { databaseId idKey type amount createdAt paidAmount returnedAmount leftAmount items { status } } }
  ledgerEntries(first: 100) { nodes { orderDatabaseId account amount } } }`;

/** The input for a product and its plan, except for the values that every scenario takes for granted. */
interface OfferInput {
  product?: object;
  plan?: object;
  quantity?: number;
}

/**
 * A merchant whose days pass one after the other, with a worker that runs on each of them. Every action of a scenario
 * is at the same time of day, so that the worker finds it due to the second. The merchant is the only one in its
 * database: the orders, ledger and gateway that the scenario reads are complete.
 */
export class Scenario {
  private constructor(
    readonly gateway: TestGateway,
    readonly payments: TestPayments,
    readonly catalogue: TestCatalogue,
    private readonly worker: Worker,
  ) {}

  /** Opens a scenario at an instant. */
  static async start(now: string): Promise<Scenario> {
    const gateway = await startGateway({ now });
    return new Scenario(gateway, await TestPayments.start(gateway), new TestCatalogue(gateway), createWorker(gateway));
  }

  /** Lets the days pass until an instant; `tasks` run on each of them, beside the worker's own work. */
  async advanceTo(instant: string, ...tasks: string[]): Promise<void> {
    const { clock } = this.gateway;
    for (const end = new Date(instant); clock.now() < end;) {
      clock.setTo(new Date(Math.min(clock.now().getTime() + DAY, end.getTime())));
      await this.runWorker(...tasks);
    }
  }

  /** The worker does the work that is due at this moment. */
  async runWorker(...tasks: string[]): Promise<void> {
    await runUntilIdle(this.worker);
    for (const task of tasks) await this.worker.runTask(task);
  }

  /** A service with one plan, as an order names them. */
  async createOffer({ product, plan }: OfferInput): Promise<{ productCode: string; priceCode: string }> {
    const made = await this.catalogue.createProduct({ type: "SOFTWARE", name: "Journal", ...product });
    const { code } = await this.catalogue.createPlan(made.databaseId, {
      type: "FLAT",
      recurring: { interval: "MONTH" },
      ...plan,
    });
    return { productCode: made.code, priceCode: code };
  }

  /** The customer orders and pays by a card. @returns the number of the activated subscription. */
  async subscribe(offer: object, card: string = testCards.approved): Promise<string> {
    const input = { customerId: String(this.payments.customerId), items: [offer] };
    const { order } = await this.payments.runMutation("createOrder", input, "order { databaseId }");
    await this.payments.payOrder(order.databaseId, card);
    const { subscriptions } = await this.payments.readOrder(order.databaseId, "subscriptions { databaseId }");
    return String(subscriptions[0]!.databaseId);
  }

  /** The selected fields of a subscription. */
  async readSubscription<S extends SelectionOf<"Subscription">>(
    subscriptionId: string,
    selection: S,
  ): Promise<Selected<"Subscription", S>> {
    const query = `query ($id: ID!) { subscription(id: $id) { ${selection} } }`;
    return (await this.gateway.queryRawData(query, { id: subscriptionId })).subscription;
  }

  /** The past states of a subscription, each with its day; states that last only as long as a charge are left out. */
  async subscriptionStates(subscriptionId: string): Promise<string[]> {
    const { timeline } = await this.readSubscription(
      subscriptionId,
      "timeline(first: 100) { nodes { subject statusBefore statusAfter occurredAt } }",
    );
    const transitions = timeline.nodes.filter(
      ({ subject, statusBefore, statusAfter }) =>
        subject === "SUBSCRIPTION" && statusBefore !== statusAfter && statusAfter !== "QUEUEING",
    );
    const states = transitions.map(({ statusAfter, occurredAt }) => `${seoulDayOf(occurredAt)} ${statusAfter}`);
    return states.filter((state, index) => statusOf(state) !== statusOf(states[index - 1] ?? ""));
  }

  /** All orders, the oldest first: day, type, amount, state of the lines. Their amounts must add up. */
  async orderSummaries(): Promise<string[]> {
    const { orders } = await this.gateway.queryData(ORDERS);
    return sortById(orders.nodes).map(({ createdAt, type, amount, paidAmount, returnedAmount, leftAmount, items }) => {
      if (Number(leftAmount) !== Number(paidAmount) - Number(returnedAmount))
        throw new Error(`${leftAmount} is not what is left`);
      const states = new Set<string>(items.map(({ status }) => status));
      return [seoulDayOf(createdAt), type, amount, ...states].join(" ");
    });
  }

  /** The accounts of the ledger of each order that moved money, the oldest first; each order's must add up to zero. */
  async ledgerByOrder(): Promise<Record<string, number>[]> {
    const { orders, ledgerEntries } = await this.gateway.queryData(ORDERS);
    return sortById(orders.nodes).flatMap(({ databaseId }) => {
      const accounts: Record<string, number> = {};
      for (const { orderDatabaseId, account, amount } of ledgerEntries.nodes)
        if (orderDatabaseId === databaseId) accounts[account] = (accounts[account] ?? 0) + Number(amount);
      const total = Object.values(accounts).reduce((one, other) => one + other, 0);
      if (total !== 0) throw new Error(`The ledger of order ${databaseId} comes to ${total}`);
      return Object.keys(accounts).length === 0 ? [] : [accounts];
    });
  }

  /** The gateway's own books, the oldest first: each charge of money, and each refund, with its day. */
  async gatewayRecords(): Promise<string[]> {
    const rows = await queryRows<{ at: string; said: string }>(
      this.gateway,
      `select * from (select created_at as at, status || ' ' || trim_scale(amount) as said from simulated_charges where amount > 0
        union all select created_at, 'REFUNDED ' || trim_scale(amount) from simulated_refunds) as books order by at, said`,
    );
    return rows.map(({ at, said }) => `${seoulDayOf(new Date(at).toISOString())} ${said}`);
  }
}

const sortById = <Row extends { databaseId: number }>(orders: readonly Row[]): Row[] =>
  [...orders].sort((one, other) => one.databaseId - other.databaseId);

const statusOf = (state: string): string => state.slice(11);

/** The day of an instant in Seoul, where the merchant is. */
const seoulDayOf = (instant: string): string =>
  new Date(Date.parse(instant) + 9 * 3_600_000).toISOString().slice(0, 10);
