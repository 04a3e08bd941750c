import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";

const scenario = await Scenario.start("2026-03-02T03:00:00.000Z");
const task = "invoices.pass-deadline";

test("an invoice becomes OVER_DUE at its deadline, and PAID when it is paid later", async () => {
  // 2 March: two days of consulting at 450000 and a report at 120000, less 20000: 1000000, due on the 16th.
  const { status, body } = await scenario.gateway.post("/invoices", {
    customerId: scenario.payments.customerId,
    items: [
      { productName: "Consulting", price: 450_000, minimumQuantity: 2 },
      { productName: "Report", price: 120_000 },
    ],
    discount: 20_000,
    publishMethods: ["EMAIL"],
    purchaseDeadline: "2026-03-16T03:00:00Z",
  });
  expect(status).toBe(201);
  const read = async () => {
    const query = "query ($id: ID!) { invoice(id: $id) { status order { databaseId amount discountedAmount } } }";
    return (await scenario.gateway.queryData(query, { id: String(body.id) })).invoice;
  };
  const { order } = (await read())!;
  expect(order).toMatchObject({ amount: "1000000", discountedAmount: "20000" });

  // 15 March: it is still unpaid and not overdue. 16 March: the deadline has come.
  await scenario.advanceTo("2026-03-15T03:00:00.000Z", task);
  expect((await read())!.status).toBe("SENT");
  await scenario.advanceTo("2026-03-16T03:00:00.000Z", task);
  expect((await read())!.status).toBe("OVER_DUE");

  // The customer's page does not accept the money any more, and says so; the merchant does, on the 20th.
  await scenario.advanceTo("2026-03-20T03:00:00.000Z", task);
  expect((await read())!.status).toBe("OVER_DUE");
  expect(await scenario.gatewayRecords()).toEqual([]);
  await scenario.payments.payOrder(order!.databaseId);
  expect((await read())!.status).toBe("PAID");

  // Days later this is unchanged: it is charged once.
  await scenario.advanceTo("2026-03-25T03:00:00.000Z", task);
  expect((await read())!.status).toBe("PAID");
  expect(await scenario.orderSummaries()).toEqual(["2026-03-02 ONE_TIME 1000000 PAID"]);
  expect(await scenario.gatewayRecords()).toEqual(["2026-03-20 APPROVED 1000000"]);
  expect(await scenario.ledgerByOrder()).toEqual([{ CLEARING: 1_000_000, SALES: -1_000_000 }]);
});
