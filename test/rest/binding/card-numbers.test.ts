import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCover, readCoverOrder } from "../../support/cover-reads.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";
import { passesLuhn } from "../../../src/kernel/secrets/card-mask.ts";
import { registerCoverOrder, registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const shop = await registerCoverFixture(gateway);

/**
 * The sent text, and the saved one. The numbers are public test numbers, or made up to pass or to fail the Luhn check.
 */
const texts: Record<string, readonly [sent: string, kept: string]> = {
  "a number of 16 digits": ["4242424242424242", "************4242"],
  "a number of 15 digits": ["378282246310005", "***********0005"],
  "a number of 12 digits": ["501800000009", "********0009"],
  "a number of 19 digits": ["6304000000000000000", "***************0000"],
  "a number within a sentence": [
    "Declined: card 4242424242424242 has expired.",
    "Declined: card ************4242 has expired.",
  ],
  "a number between Korean letters": ["카드4242424242424242분실", "카드************4242분실"],
  "two numbers": ["4242424242424242,378282246310005", "************4242,***********0005"],
  "a number of 16 digits that fails the check": ["4242424242424241", "4242424242424241"],
  "eleven digits that pass the check": ["00000000000", "00000000000"],
  "twenty digits": ["42424242424242424242", "42424242424242424242"],
  "a number that is masked already": ["****-****-****-4242", "****-****-****-4242"],
  "an issuer": ["Shinhan 4242", "Shinhan 4242"],
  "a number after a code": ["05 4242424242424242", "05 ************4242"],
  "a number before its expiry": ["4242424242424242 12/27", "************4242 12/27"],
  "a number before a short code": ["4242424242424242-51", "************4242-51"],
  "a number between other digits": ["05 4242424242424242 12/27 51", "05 ************4242 12/27 51"],
  "a number after a phone": ["010-1234-5678 4242424242424242", "010-1234-5678 ************4242"],
  "two numbers with a space between": ["4242424242424242 378282246310005", "************4242 ***********0005"],
};

describe("only the last four digits of card numbers in a text are saved", () => {
  test.each(Object.entries(texts))("in paymentInfo: %s", async (_, [sent, kept]) => {
    const { id } = await registerCoverOrder(gateway, shop, { paymentInfo: sent });
    expect((await readCoverOrder(gateway, id)).paymentInfo).toBe(kept);
  });

  const [sent, kept] = texts["a number within a sentence"]!;

  test("in the errorMessage of a failed order", async () => {
    const { id } = await registerCoverOrder(gateway, shop, { paymentFailed: true, errorMessage: sent });
    const { covers } = await readCoverOrder(gateway, id);
    expect((await readCover(gateway, covers[0]!.databaseId)).attempts[0]!.errorMessage).toBe(kept);
  });

  test("in the errorMessage of a recovery, whose repeat is still detected as one", async () => {
    const { id } = await registerCoverOrder(gateway, shop);
    const report = { subscriptionId: shop.subscriptionId, orderId: id, errorMessage: sent };
    const first = await gateway.post("/cover/recovery", report);
    expect((await gateway.post("/cover/recovery", report)).body).toEqual(first.body);
    const { attempts } = await readCover(gateway, first.body.coverId!);
    expect(attempts.map(({ errorMessage }) => errorMessage)).toEqual([kept]);
  });

  test.each(["4242 4242 4242 4242", "4242-4242-4242-4242", "3782 822463 10005"])(
    "also when it is grouped: %s",
    async (sent) => {
      const { id } = await registerCoverOrder(gateway, shop, { paymentInfo: `card ${sent}, 12/27` });
      const { paymentInfo } = await readCoverOrder(gateway, id);
      expect(paymentInfo!.replace(/[ -]/g, "")).toBe(
        `card${"*".repeat(sent.replace(/\D/g, "").length - 4)}${sent.slice(-4)},12/27`,
      );
    },
  );
});

test("a text of separated digits does not slow the gateway down", async () => {
  const begun = performance.now();
  const { id } = await registerCoverOrder(gateway, shop, { paymentInfo: "1 ".repeat(1000) });
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect((await readCoverOrder(gateway, id)).paymentInfo).toHaveLength(2000);
});

test("partner ids and codes are saved as sent, whatever their digits are", async () => {
  const partnerOrderId = "4242424242424242";
  const {
    id,
    partnerOrderId: kept,
    idKey,
  } = await registerCoverOrder(gateway, shop, {
    partnerOrderId,
    idKey: "4242424242424242",
    paymentFailed: true,
    errorCode: "4242424242424242",
  });
  const { covers } = await readCoverOrder(gateway, id);
  expect([kept, idKey]).toEqual([partnerOrderId, partnerOrderId]);
  expect((await readCover(gateway, covers[0]!.databaseId)).attempts[0]!.errorCode).toBe("4242424242424242");
});

/** Possible card numbers, as one number. */
const cardNumber = fc
  .tuple(
    fc.constantFrom(
      ...([
        ["4", 16],
        ["51", 16],
        ["2221", 16],
        ["34", 15],
        ["6011", 16],
        ["3528", 16],
        ["62", 19],
      ] as const),
    ),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 20, maxLength: 20 }),
  )
  .map(([[prefix, length], digits]) => {
    const begun = (prefix + digits.join("")).slice(0, length - 1);
    return begun + [..."0123456789"].find((check) => passesLuhn(begun + check))!;
  });

const kept = (card: string) => "*".repeat(card.length - 4) + card.slice(-4);

test("REST returns other fields as they were sent, and free text masked", async () => {
  await fc.assert(
    fc.asyncProperty(cardNumber, async (card) => {
      const customer = { name: `Kim ${card}`, email: "kim@example.com", phone: card, partnerCustomerId: card };
      const { body } = await gateway.post("/cover/customer", { ...customer, replaceIfExists: true });
      expect(body).toMatchObject({ name: `Kim ${kept(card)}`, phone: card, partnerCustomerId: card });
      const order = { partnerOrderId: card, idKey: card, paymentInfo: card, replaceIfExists: true };
      const answered = await registerCoverOrder(gateway, shop, { ...order, paymentFailed: true, errorCode: card });
      expect(answered).toMatchObject({ partnerOrderId: card, idKey: card });
      const { paymentInfo, covers } = await readCoverOrder(gateway, answered.id);
      expect(paymentInfo).toBe(kept(card));
      expect((await readCover(gateway, covers[0]!.databaseId)).attempts[0]!.errorCode).toBe(card);
    }),
    { seed: PROPERTY_SEED, numRuns: 5 },
  );
});

test("GraphQL does the same: names, addresses, reasons and values of custom fields are masked, nothing else", async () => {
  const create = `mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer {
    id name phone username customFields shipping { name phone postcode address1 } } } }`;
  await fc.assert(
    fc.asyncProperty(cardNumber, async (card) => {
      const shipping = { name: card, phone: card, postcode: card, address1: `Box ${card}`, countryCode: "KR" };
      const customFields = { [card]: card, list: [{ note: `no ${card}` }], plain: "kept" };
      const input = { name: card, email: `${card}@example.com`, phone: card, username: card, customFields, shipping };
      const { customer } = (await gateway.queryData(create, { input })).createCustomer;
      expect(customer).toMatchObject({ name: kept(card), phone: card, username: card });
      expect(customer.customFields).toEqual({
        [card]: kept(card),
        list: [{ note: `no ${kept(card)}` }],
        plain: "kept",
      });
      expect(customer.shipping).toMatchObject({
        name: kept(card),
        phone: card,
        postcode: card,
        address1: `Box ${kept(card)}`,
      });
      const search = "query ($keyword: Keyword) { customers(filter: { keyword: $keyword }) { nodes { id } } }";
      expect((await gateway.queryData(search, { keyword: card })).customers.nodes).toEqual([{ id: customer.id }]);
    }),
    { seed: PROPERTY_SEED, numRuns: 5 },
  );
});

test.each([
  ["101 keys", Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, 1])), "at most 100 keys"],
  ["keys in lists", { list: Array.from({ length: 101 }, () => ({ k: 1 })) }, "at most 100 keys"],
  ["a key of 101 characters", { ["k".repeat(101)]: 1 }, "keys of at most 100 characters"],
  ["a value that is too long", { k: "가".repeat(6_000) }, "at most 16384 bytes"],
])("custom fields with %s are refused, with the maximum", async (_, customFields, maximum) => {
  const input = { name: "Kim", email: "kim@example.com", phone: "1", customFields };
  const { errors } = await gateway.sendGraphQL(
    "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } } }",
    { input },
  );
  expect(errors?.[0]?.extensions).toMatchObject({
    code: "INVALID_ARGUMENT",
    details: { fields: [{ path: "input.customFields", message: expect.stringContaining(maximum) }] },
  });
});
