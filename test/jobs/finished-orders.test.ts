import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { dueWork } from "../../src/jobs/due-work.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { errorSummaries } from "../support/cover-mutations.ts";
import { startGateway, type RequestOptions } from "../support/test-gateway.ts";
import { DAY, HOUR } from "../support/test-clock.ts";
import { TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/* Delivered goods become final by their age on the vendor's clock. */

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });
const worker = createWorker(gateway);
const work = new DueVendorRepository(gateway.database.handle);
const found = () => work.vendorsWithDueWork(gateway.clock.now(), Object.values(dueWork));

/** A trigger in the schema's form: `requestReturn` is REQUEST_RETURN. */
const wordOf = (trigger: string): string => trigger.replace(/[A-Z]/g, "_$&").toUpperCase();

/** An order item that was paid and delivered now. */
class Parcel {
  private constructor(
    private readonly till: TestPayments,
    readonly orderId: number,
    readonly itemId: number,
  ) {}

  static async arrived(options?: RequestOptions): Promise<Parcel> {
    const payments = await TestPayments.start(gateway, options);
    const order = await payments.createOrder("5000", { product: { type: "BOX" } });
    await payments.payOrder(order.databaseId);
    const parcel = new Parcel(payments, order.databaseId, order.items[0]!.databaseId);
    await parcel.move("prepareDelivery", "sendDelivery", "completeDelivery");
    return parcel;
  }

  async move(...triggers: string[]): Promise<string> {
    let status = "";
    for (const trigger of triggers) {
      const { data, errors } = await gateway.sendGraphQL(
        "mutation ($input: MoveOrderItemsInput!) { moveOrderItems(input: $input) { items { status } } }",
        { input: { itemIds: [String(this.itemId)], trigger: wordOf(trigger) } },
        this.till.options,
      );
      if (errors) throw new Error(`${trigger}: ${JSON.stringify(errors)}`);
      status = data!.moveOrderItems.items[0]!.status;
    }
    return status;
  }

  /** The status after a run of the worker. */
  async status(): Promise<string> {
    await runUntilIdle(worker);
    return (await this.till.readOrder(this.orderId, "items { status }")).items[0]!.status;
  }

  /** Its states since its delivery, each with the actor of the change. */
  async history(): Promise<string[]> {
    const { items } = await this.till.readOrder(this.orderId, "items { histories { status actor } }");
    const seen: string[] = items[0]!.histories!.map(({ status, actor }) => `${status} ${actor}`);
    return seen.slice(seen.findLastIndex((entry) => entry.startsWith("ORDER_DELIVERY_COMPLETED M")) + 1);
  }
}

describe("delivered goods", () => {
  test("become final by a worker after a day, a week and 30 days, and not a millisecond earlier", async () => {
    const parcel = await Parcel.arrived();
    for (const [age, before, after] of [
      [DAY, "ORDER_DELIVERY_COMPLETED", "FINISHED_EXCHANGE_AVAILABLE"],
      [6 * DAY, "FINISHED_EXCHANGE_AVAILABLE", "FINISHED_RETURN_AVAILABLE"],
      [23 * DAY, "FINISHED_RETURN_AVAILABLE", "FINISHED_SUCCESSFULLY"],
    ] as const) {
      gateway.clock.advance(age - 1);
      expect(await parcel.status()).toBe(before);
      gateway.clock.advance(1);
      expect(await parcel.status()).toBe(after);
    }
    expect(await found()).toEqual([]);
  });

  test("pass through each state when the worker runs late", async () => {
    const parcel = await Parcel.arrived();
    gateway.clock.advance(40 * DAY);
    expect(await parcel.status()).toBe("FINISHED_SUCCESSFULLY");
    expect(await parcel.history()).toEqual(
      ["FINISHED_EXCHANGE_AVAILABLE", "FINISHED_RETURN_AVAILABLE", "FINISHED_SUCCESSFULLY"].map(
        (status) => `${status} SYSTEM`,
      ),
    );
  });

  test.each([
    ["withdrawReturn", "requestReturn", 2 * HOUR, "ORDER_DELIVERY_COMPLETED"],
    ["withdrawReturn", "requestReturn", 2 * DAY, "FINISHED_EXCHANGE_AVAILABLE"],
    ["withdrawExchange", "requestExchange", 8 * DAY, "FINISHED_RETURN_AVAILABLE"],
    ["withdrawExchange", "requestExchange", 31 * DAY, "FINISHED_SUCCESSFULLY"],
  ])("enter the state of their age at once after %s", async (withdraw, request, age, state) => {
    const parcel = await Parcel.arrived();
    await parcel.move(request);
    gateway.clock.advance(age);
    expect(await parcel.status()).toMatch(/_REQUEST$/);
    expect(await parcel.move(withdraw)).toBe(state);
    // The delivery date is not reset.
    gateway.clock.advance(30 * DAY - age);
    expect(await parcel.status()).toBe("FINISHED_SUCCESSFULLY");
  });

  test.each([
    ["requestReturn", "rejectReturn", 2 * HOUR, 22 * HOUR, "FINISHED_EXCHANGE_AVAILABLE"],
    ["requestExchange", "rejectExchange", 2 * DAY, 5 * DAY, "FINISHED_RETURN_AVAILABLE"],
    ["requestReturn", "rejectReturn", 8 * DAY, 22 * DAY, "FINISHED_SUCCESSFULLY"],
  ])(
    "keep the refused state after %s and %s until the date of their next transition",
    async (request, refuse, age, left, state) => {
      const parcel = await Parcel.arrived();
      await parcel.move(request);
      gateway.clock.advance(age);
      const refused = await parcel.move(refuse);
      expect(refused).toMatch(/_REQUEST_REJECTED$/);
      gateway.clock.advance(left - 1);
      expect(await parcel.status()).toBe(refused);
      gateway.clock.advance(1);
      expect(await parcel.status()).toBe(state);
    },
  );

  test("become final by the original delivery date when they are exchanged", async () => {
    const parcel = await Parcel.arrived();
    await parcel.move("requestExchange", "approveExchange", "sendCollection", "completeCollection", "acceptExchange");
    gateway.clock.advance(10 * DAY);
    expect(await parcel.move("sendDelivery", "completeDelivery")).toBe("EXCHANGE_DELIVERY_COMPLETED");
    gateway.clock.advance(DAY - 1);
    expect(await parcel.status()).toBe("EXCHANGE_DELIVERY_COMPLETED");
    gateway.clock.advance(1);
    expect(await parcel.status()).toBe("FINISHED_EXCHANGE_AVAILABLE");
  });

  test("become final by the clock of their sandbox, without effect on other vendors", async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const own = { token: vendor.token };
    const ahead = await Parcel.arrived(own);
    const other = await Parcel.arrived();
    await gateway.queryData(`mutation { advanceTestClock(input: { by: "P8D" }) { now } }`, {}, own);
    expect(await found()).toEqual([vendor.id]);
    expect(await ahead.status()).toBe("FINISHED_RETURN_AVAILABLE");
    expect(await other.status()).toBe("ORDER_DELIVERY_COMPLETED");
    gateway.clock.advance(30 * DAY);
    await runUntilIdle(worker);
  });
});

describe("the finish times of a vendor", () => {
  const set = (finishTimes: object, options?: RequestOptions) =>
    gateway.sendGraphQL(
      `mutation ($input: UpdateVendorSettingsInput!) { updateVendorSettings(input: $input) { vendor { vendorSettings {
        finishTimes { finishedAfterHours exchangeUntilHours returnUntilHours } } } } }`,
      { input: { finishTimes } },
      options,
    );

  test("replace the default times", async () => {
    const { token } = await gateway.openVendor();
    const times = { finishedAfterHours: 1, exchangeUntilHours: 2, returnUntilHours: 3 };
    const { data } = await set(times, { token });
    expect(data!.updateVendorSettings.vendor.vendorSettings.finishTimes).toEqual(times);
    const parcel = await Parcel.arrived({ token });
    gateway.clock.advance(HOUR);
    expect(await parcel.status()).toBe("FINISHED_EXCHANGE_AVAILABLE");
    gateway.clock.advance(2 * HOUR);
    expect(await parcel.status()).toBe("FINISHED_SUCCESSFULLY");
  });

  test.each([
    [{ finishedAfterHours: 0, exchangeUntilHours: 168, returnUntilHours: 720 }, "finishedAfterHours"],
    [{ finishedAfterHours: 24, exchangeUntilHours: 24, returnUntilHours: 720 }, "exchangeUntilHours"],
    [{ finishedAfterHours: 24, exchangeUntilHours: 168, returnUntilHours: 168 }, "returnUntilHours"],
    [{ finishedAfterHours: 24, exchangeUntilHours: 168, returnUntilHours: 87_601 }, "returnUntilHours"],
  ])("are refused as %j", async (times, field) => {
    expect(errorSummaries(await set(times))).toEqual([`INVALID_ARGUMENT: input.finishTimes.${field} INVALID_VALUE`]);
  });
});

describe("order items of an older gateway", () => {
  const times = (id: number) =>
    queryRows(gateway, `select arrived_at, transition_at from order_items where id = ${id} and vendor_id > 0`);
  const forget = (id: number) =>
    queryRows(
      gateway,
      `update order_items set arrived_at = null, transition_at = null where id = ${id} and vendor_id > 0`,
    );

  test("get the time of their next transition from the migration", async () => {
    const fresh = await Parcel.arrived();
    const refused = await Parcel.arrived();
    await refused.move("requestReturn");
    gateway.clock.advance(2 * HOUR);
    await refused.move("rejectReturn");
    const parcels = [fresh, refused];
    const before = await Promise.all(parcels.map(({ itemId }) => times(itemId)));
    for (const { itemId } of parcels) await forget(itemId);
    const file = readFileSync("schema/migrations/0021_order_items_finish_in_time.sql", "utf8");
    const updates = file.split("--> statement-breakpoint").filter((statement) => /^UPDATE/m.test(statement));
    expect(updates).toHaveLength(2);
    for (const update of updates) await queryRows(gateway, update);
    expect(await Promise.all(parcels.map(({ itemId }) => times(itemId)))).toEqual(before);
  });

  test("get the time of their next transition from the worker when they are delivered after the migration", async () => {
    const parcel = await Parcel.arrived();
    const before = await times(parcel.itemId);
    await forget(parcel.itemId);
    expect(await parcel.status()).toBe("ORDER_DELIVERY_COMPLETED");
    expect(await times(parcel.itemId)).toEqual(before);
  });
});

test("due order items are found by an index among many", async () => {
  const parcel = await Parcel.arrived();
  await queryRows(
    gateway,
    `insert into order_items overriding system value select copy.* from order_items s, generate_series(1, 5000) g,
      jsonb_populate_record(s, jsonb_build_object('id', s.id + 1000 + g, 'code', 'copy_' || g, 'position', s.position + g,
        'transition_at', s.transition_at + g * interval '1 minute')) copy
      where s.id = ${parcel.itemId} and s.vendor_id > 0`,
  );
  await queryRows(gateway, "analyze order_items");
  gateway.statements.length = 0;
  await found();
  const { text } = gateway.statements[0]!;
  const plan = await queryRows<Record<string, string>>(gateway, `explain (costs off) ${text}`);
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("order_items_due_anywhere");
});
