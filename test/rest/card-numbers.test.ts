import { describe, expect, test } from "vitest";
import { coverOf, orderSeen } from "../support/covers.ts";
import { startGateway } from "../support/gateway.ts";
import { registerOrder, registerShop } from "../support/shop.ts";

const gateway = await startGateway();
const shop = await registerShop(gateway);

/** What is sent, and what is kept of it. The numbers are public test numbers, or made up to pass or to fail the Luhn check. */
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
  "what is masked already": ["****-****-****-4242", "****-****-****-4242"],
  "an issuer": ["Shinhan 4242", "Shinhan 4242"],
  "a number after a code": ["05 4242424242424242", "05 ************4242"],
  "a number before its expiry": ["4242424242424242 12/27", "************4242 12/27"],
  "a number before a short code": ["4242424242424242-51", "************4242-51"],
  "a number between other digits": ["05 4242424242424242 12/27 51", "05 ************4242 12/27 51"],
  "a number after a phone": ["010-1234-5678 4242424242424242", "010-1234-5678 ************4242"],
  "two numbers with a space between": ["4242424242424242 378282246310005", "************4242 ***********0005"],
};

describe("of a text with card numbers only the last four digits are kept", () => {
  test.each(Object.entries(texts))("in paymentInfo: %s", async (_, [sent, kept]) => {
    const { id } = await registerOrder(gateway, shop, { paymentInfo: sent });
    expect((await orderSeen(gateway, id)).paymentInfo).toBe(kept);
  });

  const [sent, kept] = texts["a number within a sentence"]!;

  test("in the errorMessage of a failed order", async () => {
    const { id } = await registerOrder(gateway, shop, { paymentFailed: true, errorMessage: sent });
    const { covers } = await orderSeen(gateway, id);
    expect((await coverOf(gateway, covers[0].databaseId)).attempts[0].errorMessage).toBe(kept);
  });

  test("in the errorMessage of a recovery, whose repeat is still known as one", async () => {
    const { id } = await registerOrder(gateway, shop);
    const report = { subscriptionId: shop.subscriptionId, orderId: id, errorMessage: sent };
    const first = await gateway.post("/cover/recovery", report);
    expect((await gateway.post("/cover/recovery", report)).body).toEqual(first.body);
    const { attempts } = await coverOf(gateway, first.body.coverId);
    expect(attempts.map(({ errorMessage }: { errorMessage: string }) => errorMessage)).toEqual([kept]);
  });

  test.each(["4242 4242 4242 4242", "4242-4242-4242-4242", "3782 822463 10005"])(
    "also where it is grouped: %s",
    async (sent) => {
      const { id } = await registerOrder(gateway, shop, { paymentInfo: `card ${sent}, 12/27` });
      const { paymentInfo } = await orderSeen(gateway, id);
      expect(paymentInfo.replace(/[ -]/g, "")).toBe(
        `card${"*".repeat(sent.replace(/\D/g, "").length - 4)}${sent.slice(-4)},12/27`,
      );
    },
  );
});

test("a text of lonely digits does not keep the gateway busy", async () => {
  const begun = performance.now();
  const { id } = await registerOrder(gateway, shop, { paymentInfo: "1 ".repeat(1000) });
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect((await orderSeen(gateway, id)).paymentInfo).toHaveLength(2000);
});

test("names, partner ids and codes are kept as sent, whatever their digits are", async () => {
  const partnerOrderId = "4242424242424242";
  const {
    id,
    partnerOrderId: kept,
    idKey,
  } = await registerOrder(gateway, shop, {
    partnerOrderId,
    idKey: "4242424242424242",
    paymentFailed: true,
    errorCode: "4242424242424242",
  });
  const { covers } = await orderSeen(gateway, id);
  expect([kept, idKey]).toEqual([partnerOrderId, partnerOrderId]);
  expect((await coverOf(gateway, covers[0].databaseId)).attempts[0].errorCode).toBe("4242424242424242");
});
