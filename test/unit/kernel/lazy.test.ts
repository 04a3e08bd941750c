import { describe, expect, test } from "vitest";
import { defineLazyMembers, mergeMembers, once, type InstancesOf } from "../../../src/kernel/scheduling/lazy.ts";

const constructed: string[] = [];

class Store {
  constructor(readonly name: string) {
    constructed.push("store");
  }
}

class Shop {
  constructor(private readonly deps: { store: Store }) {
    constructed.push("shop");
  }
  stored() {
    return this.deps.store;
  }
}

const stores = { store: Store };
const shops = { shop: Shop };
class Whole {
  constructor(readonly name: string) {}
}
type Members = InstancesOf<typeof stores & typeof shops>;
defineLazyMembers<Whole, string>(Whole.prototype, stores, ({ name }) => name);
defineLazyMembers<Whole, Whole & Members>(Whole.prototype, shops, (whole) => whole as Whole & Members);
const open = (name: string) => new Whole(name) as Whole & Members;

describe("lazy members", () => {
  test("constructs a member when it is first read, and what that asks for when it asks", () => {
    constructed.length = 0;
    const { shop } = open("a");
    expect(constructed).toEqual(["shop"]);
    expect(shop.stored().name).toBe("a");
    expect(constructed).toEqual(["shop", "store"]);
  });

  test("gives each object members of its own, once", () => {
    const [a, b] = [open("a"), open("b")];
    expect(a.store).toBe(a.store);
    expect(a.shop.stored()).toBe(a.store);
    expect(b.store).not.toBe(a.store);
    expect(b.store.name).toBe("b");
  });

  test("refuses two parts that have a member of one name", () => {
    expect(mergeMembers(stores, shops)).toEqual({ store: Store, shop: Shop });
    expect(() => mergeMembers(stores, shops, { store: Shop })).toThrow("Two parts have a member that is called store.");
  });

  test("refuses a second definition of a member", () => {
    expect(() => {
      defineLazyMembers<Whole, string>(Whole.prototype, { shop: Store }, ({ name }) => name);
    }).toThrow(TypeError);
  });

  test("makes a value once, also where it is undefined", () => {
    let made = 0;
    const value = once(() => {
      made++;
    });
    expect([value(), value()]).toEqual([undefined, undefined]);
    expect(made).toBe(1);
  });
});
