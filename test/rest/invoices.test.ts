import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { seedOrders } from "../../bench/support/orders-seed.ts";
import { startGateway } from "../support/test-gateway.ts";
import { expectedInvalidFields, statusAndBody } from "../support/rest-assertions.ts";

const gateway = await startGateway();
let customerId: number;
const item = { productCode: "product_000000001", priceCode: "price_000000001" };

beforeAll(async () => {
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  await seedOrders(sql, { vendorIds: [gateway.vendor.id], ordersEach: 1, lines: 1, customersEach: 1, productsEach: 1 });
  await sql.end();
  customerId = (await gateway.readRestBody("GET", "/customers?size=1")).content[0]!.id;
});

const invoice = async (id: number) =>
  (
    await gateway.queryRawData(
      `{ invoice(id: "${id}") { status publishType publishMethods currency discount items { price minimumQuantity maximumQuantity product { type name } pricePlan { price } }
        order { amount discountedAmount allowedPaymentMethods purchaseDeadline items { type amount minimumQuantity maximumQuantity } } sentAt } }`,
    )
  ).invoice;

describe("POST /invoices", () => {
  test("sends an invoice, which creates its order", async () => {
    const { status, body } = await gateway.post("/invoices", {
      customerId,
      items: [
        { ...item, minimumQuantity: 2, maximumQuantity: 5 },
        { productName: "Consulting", price: 50_000 },
        { ...item, price: 10_000 },
      ],
      publishMethods: ["EMAIL"],
      invoicePayMethods: ["CARD", "VBANK"],
      discount: 7_800,
      purchaseDeadline: "2026-03-31T00:00:00Z",
    });
    expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(Number) } });
    expect(await invoice(body.id!)).toMatchObject({
      status: "SENT",
      publishType: "NOW",
      items: [
        { price: null, minimumQuantity: 2, maximumQuantity: 5 },
        { price: null, product: { type: "INVOICE", name: "Consulting" }, pricePlan: { price: "50000" } },
        { price: "10000" },
      ],
      order: {
        amount: "90000",
        discountedAmount: "7800",
        allowedPaymentMethods: ["CARD", "VBANK"],
        purchaseDeadline: "2026-03-31T00:00:00.000Z",
      },
      sentAt: "2026-03-01T09:30:00.000Z",
    });
  });

  test("saves a draft that is not sent, and that can be changed, sent and deleted", async () => {
    const draft = { customerId, items: [item], publishMethods: ["SMS"] };
    const { id } = await gateway.readRestBody("POST", "/invoices?temporary=true", draft);
    expect(await invoice(id)).toMatchObject({ status: "TEMPORARY", order: null, sentAt: null });
    await gateway.queryRawData(
      `mutation { updateInvoice(input: { invoiceId: "${id}", items: [{ productName: "Repair", price: "3000" }] }) { invoice { status } } }`,
    );
    const { sendInvoice } = await gateway.queryRawData(
      `mutation { sendInvoice(input: { invoiceId: "${id}" }) { invoice { status order { amount } } } }`,
    );
    expect(sendInvoice.invoice).toEqual({ status: "SENT", order: { amount: "3000" } });
    const { errors } = await gateway.sendRawGraphQL(
      `mutation { deleteInvoice(input: { invoiceId: "${id}" }) { deletedId } }`,
    );
    expect(errors![0]!.extensions["code"]).toBe("INVOICE_NOT_A_DRAFT");
    const other = (await gateway.readRestBody("POST", "/invoices?temporary=true", draft)).id;
    await gateway.queryRawData(`mutation { deleteInvoice(input: { invoiceId: "${other}" }) { deletedId } }`);
    expect(await invoice(other)).toBeNull();
  });

  test("sends a scheduled one at its time", async () => {
    const reserved = { customerId, items: [item], publishMethods: ["SMS"], publishType: "RESERVATION" };
    expect(statusAndBody(await gateway.post("/invoices", reserved))).toEqual(
      expectedInvalidFields(["reservationAt", "REQUIRED"]),
    );
    expect(
      statusAndBody(await gateway.post("/invoices", { ...reserved, reservationAt: "2026-03-01T09:30:00Z" })),
    ).toEqual(expectedInvalidFields(["reservationAt", "INVALID_VALUE"]));
    const { body } = await gateway.post("/invoices", { ...reserved, reservationAt: "2026-03-02T09:30:00Z" });
    expect(await invoice(body.id!)).toMatchObject({ status: "RESERVATION", order: null });
  });

  test.each([
    ["no lines", { items: [] }, ["items", "INVALID_VALUE"]],
    ["no channel", { publishMethods: [] }, ["publishMethods", "INVALID_VALUE"]],
    ["an empty line", { items: [{}] }, ["items[0].productName", "REQUIRED"]],
    ["a name without a price", { items: [{ productName: "Repair" }] }, ["items[0].price", "REQUIRED"]],
    [
      "half a pair of codes",
      { items: [item, { productCode: "product_000000001" }] },
      ["items[1].priceCode", "REQUIRED"],
    ],
    [
      "an inverted range",
      { items: [{ ...item, minimumQuantity: 3, maximumQuantity: 2 }] },
      ["items[0].maximumQuantity", "INVALID_VALUE"],
    ],
    ["a discount of 0", { discount: 0 }, ["discount", "INVALID_VALUE"]],
    ["an instant amount of 0", { instantAmount: 0 }, ["instantAmount", "INVALID_VALUE"]],
    ["an instant amount above the whole", { instantAmount: 18_901 }, ["instantAmount", "INVALID_VALUE"]],
    ["a deadline that has passed", { purchaseDeadline: "2026-03-01T09:30:00Z" }, ["purchaseDeadline", "INVALID_VALUE"]],
  ] as const)("refuses %s", async (_, wrong, fault) => {
    const body = { customerId, items: [item], publishMethods: ["EMAIL"], ...wrong };
    expect(statusAndBody(await gateway.post("/invoices", body))).toEqual(expectedInvalidFields(fault));
  });

  test("refuses a discount above the whole", async () => {
    const body = { customerId, items: [item], publishMethods: ["EMAIL"], discount: 18_901 };
    expect((await gateway.post("/invoices", body)).body.errorCode).toBe("DISCOUNT_TOO_HIGH");
  });
});
