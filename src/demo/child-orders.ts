import type { Handle } from "../database/client.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import { VendorRepository } from "../vendors/vendor.repository.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { Calendar } from "./calendar.ts";
import { LISTED_PLAN } from "./catalogue/child-vendors.ts";
import type { Dice } from "./seeded-random.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import { OrderMaker, wanted } from "./order-factory.ts";
import { keepOrders } from "./rows/order-rows.ts";
import { keepPeople, numberPeople, type Person } from "./customers.ts";
import { Shelves } from "./catalogue/demo-catalogue.ts";

/** The orders that a child vendor has of its parent's: each follows what happens to that one. */
export class ChildOrders {
  private readonly people: Person[] = [];
  private readonly orders: OrderDraft[] = [];

  private constructor(
    private readonly dice: Dice,
    private readonly parentId: number,
    private readonly childId: number,
    private readonly shelves: Shelves,
    private readonly maker: OrderMaker,
  ) {}

  static async of(handle: Handle, calendar: Calendar, dice: Dice, parentId: number, child: VendorRecord) {
    const terms = await new VendorRepository(handle).orderTerms(child.id);
    const shelves = await Shelves.of(handle, calendar, child.id);
    return new ChildOrders(dice, parentId, child.id, shelves, new OrderMaker(dice, terms));
  }

  /** The child's share of an order. The child knows its buyer under the same unique id. */
  follow(order: OrderDraft, quantity: number): void {
    const { createdAt } = order.values;
    const person = {
      ...order.person,
      ...{ id: 0, code: `customer_${this.dice.letters(9)}`, methods: [], createdAt, lastActiveAt: createdAt },
    };
    const told = { type: "ONE_TIME", createdAt, currency: "KRW" } as const;
    const own = this.maker.make(person, wanted(this.shelves.of(LISTED_PLAN), { quantity }), told);
    own.parent = { vendorId: this.parentId, order };
    for (const { happening, occurredAt, reason } of order.goods[0]!.happenings) {
      const trigger = happening as Parameters<OrderDraft["move"]>[1]["trigger"];
      own.move(trigger === "payOrder" ? own.lines : own.goods, { trigger, at: occurredAt, reason });
    }
    this.people.push(person);
    this.orders.push(own);
  }

  /** Keeps them, once the parent's orders have their numbers. */
  async keep(handle: Handle, calendar: Calendar, vault: Vault): Promise<void> {
    await numberPeople(handle, this.people);
    await keepPeople(handle, this.childId, this.people, calendar, vault);
    await keepOrders(handle, this.childId, this.orders);
  }
}
