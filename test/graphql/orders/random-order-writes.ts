import fc from "fast-check";
import { expect } from "vitest";
import { OrderItemTrigger } from "../../../schema/vocabulary.ts";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import type { Worker } from "../../../src/jobs/worker.ts";
import { required } from "../../../src/kernel/required-values.ts";
import { OrderTotalsRepository } from "../../../src/orders/order-totals.repository.ts";
import { workerCaller } from "../../../src/vendors/people/caller.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";
import { findWrongOrderTotals } from "../../support/order-totals.ts";
import { everyMonth, TestCatalogue } from "../../support/test-catalogue.ts";
import { DAY } from "../../support/test-clock.ts";
import type { TestGateway } from "../../support/test-gateway.ts";
import { cardInput, testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

const steps = {
  create: { lines: fc.integer({ min: 1, max: 3 }), kind: fc.constantFrom("goods", "service", "subscription") },
  pay: { order: fc.nat(), card: fc.constantFrom(testCards.approved, testCards.approved, testCards.insufficientFunds) },
  cancel: { order: fc.nat() },
  move: { order: fc.nat(), trigger: fc.constantFrom(...Object.values(OrderItemTrigger)), all: fc.boolean() },
  refund: { order: fc.nat(), lines: fc.constantFrom("all", "first") },
  reprice: { order: fc.nat(), quantity: fc.integer({ min: 1, max: 4 }) },
  month: {},
};
export interface Step {
  name: keyof typeof steps;
  lines?: number | string;
  kind?: string;
  order?: number;
  card?: string;
  trigger?: OrderItemTrigger;
  all?: boolean;
  quantity?: number;
}
const stepOf = (name: keyof typeof steps, weight: number) => ({
  weight,
  arbitrary: fc.record({ name: fc.constant(name), ...steps[name] }) as fc.Arbitrary<Step>,
});
export const anyStep = fc.oneof(
  ...[stepOf("create", 4), stepOf("pay", 4), stepOf("cancel", 1), stepOf("move", 6), stepOf("refund", 2)],
  ...[stepOf("reprice", 2), stepOf("month", 1)],
);
/** A merchant whose orders are written in random ways. */
class Shop {
  private readonly orders: number[] = [];
  private readonly worker: Worker;
  private isWorking = false;

  private constructor(
    private readonly gateway: TestGateway,
    private readonly payments: TestPayments,
    private readonly offers: Record<string, { productCode: string; priceCode: string }[]>,
  ) {
    this.worker = createWorker(gateway);
  }

  static async open(gateway: TestGateway): Promise<Shop> {
    const payments = await TestPayments.start(gateway);
    const catalogue = new TestCatalogue(gateway);
    const offersOf = async (type: string, plan: object) => {
      const offers: { productCode: string; priceCode: string }[] = [];
      for (let index = 0; index < 3; index++) {
        const product = await catalogue.createProduct({ type, name: uniqueName("Journal") });
        const { code } = await catalogue.createPlan(product.databaseId, plan);
        offers.push({ productCode: product.code, priceCode: code });
      }
      return offers;
    };
    return new Shop(gateway, payments, {
      goods: await offersOf("BOX", {}),
      service: await offersOf("SOFTWARE", {}),
      subscription: await offersOf("SOFTWARE", { type: "FLAT", recurring: everyMonth }),
    });
  }

  /** Takes one step. What the state of its order does not allow is refused. */
  async take(step: Step): Promise<void> {
    if (step.name === "create") return this.create(step);
    if (step.name === "month") return this.passMonth();
    const orderId = this.orders[(step.order ?? 0) % this.orders.length];
    if (orderId === undefined) return;
    const { items } = await this.payments.readOrder(orderId, "items { id }");
    const itemIds = items.map(({ id }) => id);
    const input = { orderId: String(orderId) };
    const sent = {
      pay: () => this.payments.sendPayOrder(orderId, { method: "CARD_BILL", card: cardInput(step.card ?? "") }),
      cancel: () => this.payments.sendRawMutation("cancelOrder", input, "order { databaseId }"),
      move: () =>
        this.payments.sendRawMutation(
          "moveOrderItems",
          { itemIds: step.all ? itemIds : itemIds.slice(0, 1), trigger: step.trigger },
          "items { status }",
        ),
      refund: () =>
        this.payments.sendRawMutation(
          "refundOrder",
          step.lines === "all" ? input : { ...input, items: [{ itemId: itemIds[0] }] },
          "order { databaseId }",
        ),
      reprice: () => this.reprice(orderId, step.quantity ?? 1),
    };
    await sent[step.name]();
  }

  private async create({ lines, kind }: Step): Promise<void> {
    const items = (this.offers[kind ?? ""] ?? []).slice(0, Number(lines));
    const input = { customerId: String(this.payments.customerId), items };
    const { order } = await this.payments.runMutation("createOrder", input, "order { databaseId }");
    this.orders.push(order.databaseId);
  }

  /** A payer chooses another quantity of each line. */
  private async reprice(orderId: number, quantity: number): Promise<void> {
    const record = required(
      await createRepositories(this.gateway.database.handle).vendors.byId(this.gateway.vendor.id),
      "it",
    );
    const { write } = this.gateway.gateway.contexts.createContext(record, "test", workerCaller);
    const rows = await queryRows<{ id: string }>(
      this.gateway,
      `select id from order_items where vendor_id = ${record.id} and order_id = ${orderId} and type = 'SKU'`,
    );
    const quantities = new Map(rows.map(({ id }) => [Number(id), quantity]));
    await write(({ orderPricing }) => orderPricing.recalculate(record.id, orderId, quantities)).catch(() => undefined);
  }

  private async passMonth(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    this.gateway.clock.advance(31 * DAY);
    await runUntilIdle(this.worker);
    this.isWorking = false;
  }
}

export const foldOnce = (gateway: TestGateway, limit: number) =>
  gateway.database.transaction((handle) =>
    new OrderTotalsRepository(handle).foldChanges(gateway.vendor.id, new Date(Date.now() + DAY), limit),
  );

/** Runs sequences at the same time, while two workers fold in small batches and totals are compared at any moment. */
export async function playSequences(
  gateway: TestGateway,
  all: readonly Step[][],
): Promise<{ folded: number; checks: number }> {
  const shop = await Shop.open(gateway);
  const seen = { folded: 0, checks: 0 };
  const running = new AbortController();
  const fold = async () => {
    while (!running.signal.aborted) seen.folded += await foldOnce(gateway, 3);
  };
  const compare = async () => {
    for (; !running.signal.aborted; seen.checks++) expect(await findWrongOrderTotals(gateway)).toEqual([]);
  };
  const play = async (sequence: readonly Step[]) => {
    for (const step of sequence) await shop.take(step);
  };
  const beside = [fold(), fold(), compare()];
  await Promise.all(all.map(play)).finally(() => running.abort());
  await Promise.all(beside);
  return seen;
}
