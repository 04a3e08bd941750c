import type { Handle } from "../database/client.ts";
import { firstOf } from "../kernel/required-values.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { VendorRepository } from "../vendors/vendor.repository.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { DemoCalendar } from "./calendar.ts";
import { LISTED_PLAN } from "./catalogue/child-vendors.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import { OrderFactory, orderItemsOf } from "./order-factory.ts";
import { saveOrders } from "./rows/order-rows.ts";
import { saveCustomers, assignCustomerIds, type CustomerDraft } from "./customers.ts";
import { DemoCatalogue } from "./catalogue/demo-catalogue.ts";

/** Builds a child vendor's orders. Each repeats the transitions of the parent's order that it belongs to. */
export class ChildOrderHistory {
  private readonly customers: CustomerDraft[] = [];
  private readonly orders: OrderDraft[] = [];

  private constructor(
    private readonly random: SeededRandom,
    private readonly parentId: number,
    private readonly childId: number,
    private readonly catalogue: DemoCatalogue,
    private readonly orderFactory: OrderFactory,
  ) {}

  static async load(
    handle: Handle,
    calendar: DemoCalendar,
    random: SeededRandom,
    parentId: number,
    child: VendorRecord,
  ) {
    const terms = await new VendorRepository(handle).billingTerms(child.id);
    const catalogue = await DemoCatalogue.load(handle, calendar, child.id);
    return new ChildOrderHistory(random, parentId, child.id, catalogue, new OrderFactory(random, terms));
  }

  /** Adds the child order of a parent's order. The child vendor's customer has the same `uuid` as the parent's. */
  addChildOrder(order: OrderDraft, quantity: number): void {
    const { createdAt } = order.values;
    const customer = {
      ...order.customer,
      ...{ id: 0, code: `customer_${this.random.code(9)}`, methods: [], createdAt, lastActiveAt: createdAt },
    };
    const orderInput = { type: "ONE_TIME", createdAt, currency: "KRW" } as const;
    const childOrder = this.orderFactory.createOrder(
      customer,
      orderItemsOf(this.catalogue.findOffer(LISTED_PLAN), { quantity }),
      orderInput,
    );
    childOrder.parent = { vendorId: this.parentId, order };
    for (const { trigger: stored, occurredAt, reason } of firstOf(order.shippedLines).events) {
      const trigger = stored as Parameters<OrderDraft["transition"]>[1]["trigger"];
      childOrder.transition(trigger === "payOrder" ? childOrder.lines : childOrder.shippedLines, {
        trigger,
        at: occurredAt,
        reason,
      });
    }
    this.customers.push(customer);
    this.orders.push(childOrder);
  }

  /** Saves the orders and their customers. The parent's orders must have their ids already. */
  async save(handle: Handle, calendar: DemoCalendar, vault: SecretVault): Promise<void> {
    await assignCustomerIds(handle, this.customers);
    await saveCustomers(handle, this.childId, this.customers, calendar, vault);
    await saveOrders(handle, this.childId, this.orders);
  }
}
