import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import {
  expectNoChanges,
  expectedInvalidFields,
  sendRestForText,
  withRawField,
} from "../../support/rest-assertions.ts";
import {
  uniqueName,
  minimalOrder,
  registerCoverFixture,
  registerCoverOrder,
} from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const shop = await registerCoverFixture(gateway);

/** Sends an order in which one field has exactly these characters. */
const send = (field: string, characters: string, rest: object = {}) =>
  sendRestForText(gateway, "POST", "/cover/order", withRawField(minimalOrder(shop, rest), field, characters));
const faultsOf = (text: string) => {
  const { errorCode, details } = JSON.parse(text);
  return { errorCode, fields: details?.fields.map(({ path, code }: { path: string; code: string }) => [path, code]) };
};
const refusedFor = (field: string, code: string) => ({ errorCode: "INVALID_ARGUMENT", fields: [[field, code]] });

describe("an amount", () => {
  test.each([
    ["0", "0"],
    ["-0", "0"],
    ["0.0", "0"],
    ["0.000001", "0.000001"],
    ["12.50", "12.5"],
    ["12.500000", "12.5"],
    ["18900", "18900"],
    ["999999999999999", "999999999999999"],
    ["999999999.999999", "999999999.999999"],
    ["123456789012.345", "123456789012.345"],
    ["0.1", "0.1"],
    ["1e3", "1000"],
    ["1.5E+2", "150"],
    ["25e-1", "2.5"],
    ['"12.50"', "12.5"],
    ["100000000000000", "100000000000000"],
  ])("of %s is answered as the characters %s", async (sent, answered) => {
    const { status, text } = await send("amount", sent);
    expect({ status, amount: /"amount":([^,}]*)/.exec(text)?.[1] }).toEqual({ status: 201, amount: answered });
    const price = { name: "x", productId: shop.productId, partnerPriceId: uniqueName("price") };
    expect((await sendRestForText(gateway, "POST", "/cover/price", withRawField(price, "price", sent))).text).toContain(
      `"price":${answered},`,
    );
  });

  test("is unchanged when it is read from the database, and in sums with the returned amount", async () => {
    const body = minimalOrder(shop, { amount: 0.3, amountReturned: 0.3, replaceIfExists: true });
    const answers = [await gateway.post("/cover/order", body), await gateway.post("/cover/order", body)];
    expect(answers.map(({ body: { amount, amountReturned, status } }) => [amount, amountReturned, status])).toEqual([
      [0.3, 0.3, "FULL_REFUND"],
      [0.3, 0.3, "FULL_REFUND"],
    ]);
  });

  test.each([
    ["1.1234567", "INVALID_VALUE"],
    ["0.0000001", "INVALID_VALUE"],
    ["1e-7", "INVALID_VALUE"],
    ["1234567890123456", "INVALID_VALUE"],
    ["9999999999999999", "INVALID_VALUE"],
    ["1234567890.1234567", "INVALID_VALUE"],
    ["0.1000000000000000055511151231257827", "INVALID_VALUE"],
    ["-1", "INVALID_VALUE"],
    ["-0.000001", "INVALID_VALUE"],
    ["1e400", "INVALID_VALUE"],
    ["-1e400", "INVALID_VALUE"],
    ["1e-400", "INVALID_VALUE"],
    ["1e21", "INVALID_VALUE"],
    ['"12,5"', "INVALID_TYPE"],
    ['"1e400"', "INVALID_VALUE"],
    ['"0.1000000000000000055511151231257827"', "INVALID_VALUE"],
    ["true", "INVALID_TYPE"],
    ["[1]", "INVALID_TYPE"],
    ['{"value":1}', "INVALID_TYPE"],
  ])("of %s is refused with %s", (sent, code) =>
    expectNoChanges(gateway, async () => {
      for (const field of ["amount", "amountReturned"]) {
        const { status, text } = await send(field, sent);
        expect({ status, ...faultsOf(text) }).toEqual({ status: 400, ...refusedFor(field, code) });
      }
    }),
  );
});

describe("an id", () => {
  test.each([
    ["0", "INVALID_VALUE"],
    ["-1", "INVALID_VALUE"],
    ["1.5", "INVALID_VALUE"],
    ["9007199254740992", "INVALID_VALUE"],
    ["9007199254740993", "INVALID_VALUE"],
    ["18446744073709551616", "INVALID_VALUE"],
    ["1e400", "INVALID_VALUE"],
    ['"9007199254740993"', "INVALID_VALUE"],
    ['"one"', "INVALID_TYPE"],
    ["true", "INVALID_TYPE"],
    ["{}", "INVALID_TYPE"],
  ])("of %s is refused with %s", (sent, code) =>
    expectNoChanges(gateway, async () => {
      const { status, text } = await send("customerId", sent);
      expect({ status, ...faultsOf(text) }).toEqual({ status: 400, ...refusedFor("customerId", code) });
    }),
  );

  test("of 2^53 − 1 is valid, and unused", async () => {
    const { status, text } = await send("customerId", "9007199254740991");
    expect({ status, ...faultsOf(text) }).toEqual({
      status: 400,
      errorCode: "CUSTOMER_NOT_FOUND",
      fields: [["customerId", "NOT_FOUND"]],
    });
  });
});

describe("a count", () => {
  test.each([
    ["0", "INVALID_VALUE"],
    ["-1", "INVALID_VALUE"],
    ["2147483648", "INVALID_VALUE"],
    ["9007199254740993", "INVALID_VALUE"],
    ["1e400", "INVALID_VALUE"],
    ["1.5", "INVALID_TYPE"],
    ['"one"', "INVALID_TYPE"],
    ["{}", "INVALID_TYPE"],
  ])("of %s is refused with %s", (sent, code) =>
    expectNoChanges(gateway, async () => {
      const price = {
        name: "x",
        productId: shop.productId,
        price: 1,
        partnerPriceId: uniqueName("price"),
        recurringInterval: "DAY",
      };
      const { status, text } = await sendRestForText(
        gateway,
        "POST",
        "/cover/price",
        withRawField(price, "recurringIntervalCount", sent),
      );
      expect({ status, ...faultsOf(text) }).toEqual({ status: 400, ...refusedFor("recurringIntervalCount", code) });
    }),
  );

  test.each([
    ["1", 1],
    ["1.0", 1],
    ["3e1", 30],
    ["2147483647", 2_147_483_647],
  ])("of %s is answered as %d", async (sent, answered) => {
    const price = {
      name: "x",
      productId: shop.productId,
      price: 1,
      partnerPriceId: uniqueName("price"),
      recurringInterval: "DAY",
    };
    const { text } = await sendRestForText(
      gateway,
      "POST",
      "/cover/price",
      withRawField(price, "recurringIntervalCount", sent),
    );
    expect(text).toContain(`"recurringIntervalCount":${answered}`);
  });
});

describe("a time", () => {
  const answeredDate = (text: string) => JSON.parse(text).paymentDate as string;

  test.each([
    ["2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00.1Z", "2026-03-01T09:30:00.100Z"],
    ["2026-03-01T09:30:00.123456789Z", "2026-03-01T09:30:00.123Z"],
    ["2026-03-01T09:30:00.999999Z", "2026-03-01T09:30:00.999Z"],
    ["2026-03-01T09:30Z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00.123", "2026-03-01T09:30:00.123Z"],
    ["2026-03-01T09:30:00+09:00", "2026-03-01T00:30:00.000Z"],
    ["2026-03-01T09:30:00+0900", "2026-03-01T00:30:00.000Z"],
    ["2026-03-01T00:15:00+05:45", "2026-02-28T18:30:00.000Z"],
    ["2026-12-31T23:59:59-11:00", "2027-01-01T10:59:59.000Z"],
    ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z"],
    ["1999-12-31T23:59:59.999Z", "1999-12-31T23:59:59.999Z"],
  ])("of %s is answered as %s", async (sent, answered) => {
    const { status, text } = await send("paymentDate", JSON.stringify(sent));
    expect([status, answeredDate(text)]).toEqual([201, answered]);
  });

  test.each([
    ["an impossible day", "2026-02-30T00:00:00Z"],
    ["the 29th of February in a common year", "2026-02-29T00:00:00Z"],
    ["month 13", "2026-13-01T00:00:00Z"],
    ["day 0", "2026-01-00T00:00:00Z"],
    ["hour 24", "2026-03-01T24:00:00Z"],
    ["minute 60", "2026-03-01T09:60:00Z"],
    ["an offset of a day", "2026-03-01T09:30:00+24:00"],
    ["a date only", "2026-03-01"],
    ["a time only", "09:30:00"],
    ["a space for the T", "2026-03-01 09:30:00Z"],
    ["a space for the plus", "2026-03-01T09:30:00 09:00"],
    ["a named zone", "2026-03-01T09:30:00 KST"],
    ["a bracketed zone", "2026-03-01T09:30:00+09:00[Asia/Seoul]"],
    ["seconds since 1970", "1772357400"],
    ["an American date", "03/01/2026"],
    ["a short year", "26-03-01T09:30:00Z"],
    ["a long year", "+12026-03-01T09:30:00Z"],
    ["a week", "2026-W09-7T09:30:00Z"],
    ["space around it", " 2026-03-01T09:30:00Z "],
    ["nothing", ""],
    ["the year 0", "0000-06-01T00:00:00Z"],
    ["a time that falls into the year 0", "0001-01-01T00:00:00+09:00"],
    ["a time that falls into the year 10000", "9999-12-31T23:59:59-09:00"],
  ])("that is %s is refused", (_, sent) =>
    expectNoChanges(gateway, async () => {
      const { status, text } = await send("paymentDate", JSON.stringify(sent));
      expect({ status, ...faultsOf(text) }).toEqual({ status: 400, ...refusedFor("paymentDate", "INVALID_VALUE") });
    }),
  );

  test("of now is answered with milliseconds and a Z, whatever the vendor's zone", async () => {
    gateway.clock.setTo("2026-03-01T09:30:00.007Z");
    const { id, retryDate } = await registerCoverOrder(gateway, shop, { paymentFailed: true });
    expect(retryDate).toBe("2026-03-02T09:30:00.007Z");
    const paid = await gateway.sendRest("PATCH", `/cover/order/success/${id}`);
    expect(paid.body.paymentDate).toBe("2026-03-01T09:30:00.007Z");
  });

  test("that is wrong is named with the other wrong fields", async () => {
    const answer = await gateway.post(
      "/cover/order",
      minimalOrder(shop, { paymentDate: "soon", canceledDate: "later" }),
    );
    expect({ status: answer.status, body: answer.body }).toEqual(
      expectedInvalidFields(["paymentDate", "INVALID_VALUE"], ["canceledDate", "INVALID_VALUE"]),
    );
  });
});
