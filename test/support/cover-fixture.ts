import type { RequestOptions, TestGateway } from "./test-gateway.ts";

/** The ids of a customer, a product, a plan and a subscription that a test registered over REST. */
export interface CoverFixture {
  customerId: number;
  productId: number;
  priceId: number;
  subscriptionId: number;
}

let lastNumber = 0;

/** A unique partner id. */
export const uniqueName = (noun: string): string => `${noun}-${++lastNumber}`;

/** Registers all records that an order refers to. */
export async function registerCoverFixture(gateway: TestGateway, options?: RequestOptions): Promise<CoverFixture> {
  const register = async (path: string, body: object): Promise<number> => {
    const answer = await gateway.post(path, body, options);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id as number;
  };
  const customerId = await register("/cover/customer", {
    name: "Kim Seo-yeon",
    email: "seoyeon@example.com",
    phone: "010-1234-5678",
    partnerCustomerId: uniqueName("customer"),
  });
  const productId = await register("/cover/product", { name: "House blend", partnerProductId: uniqueName("product") });
  const priceId = await register("/cover/price", {
    name: "Monthly",
    productId,
    price: 18_900,
    partnerPriceId: uniqueName("price"),
    recurringInterval: "MONTH",
  });
  const subscriptionId = await register("/cover/subscription", {
    customerId,
    currentPeriodStart: "2026-02-01T00:00:00Z",
    currentPeriodEnd: "2026-03-01T00:00:00Z",
    recurringInterval: "MONTH",
    recurringIntervalCount: 1,
    partnerSubscriptionId: uniqueName("subscription"),
  });
  return { customerId, productId, priceId, subscriptionId };
}

/** The required fields of a registered order. */
export const minimalOrder = ({ customerId, priceId }: CoverFixture, fields: object = {}) => ({
  customerId,
  amount: 18_900,
  items: [{ quantity: 1, priceId }],
  partnerOrderId: uniqueName("order"),
  ...fields,
});

/** Registers an order and answers its body. */
export async function registerCoverOrder(
  gateway: TestGateway,
  shop: CoverFixture,
  fields: object = {},
  options?: RequestOptions,
): Promise<any> {
  const answer = await gateway.post("/cover/order", minimalOrder(shop, fields), options);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
