import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import type { RawData } from "../../support/raw-data.ts";
import type { RestBody, RestPath } from "../../support/rest-answers.ts";
import { TOKEN } from "./gateway-process.ts";

/** One attempt of a request, as the client saw it. */
export interface RequestAttempt {
  /** Absent if no answer came. */
  status?: number;
  retryAfter?: string | null;
  replayed?: boolean;
  body?: RawData;
}

/** A request in the client's log. */
export interface LoggedRequest {
  method: "POST" | "PATCH";
  path: string;
  body?: RawData;
  key?: string;
  attempts: RequestAttempt[];
  /** How long the slowest attempt took. */
  slowestMs?: number;
  /** The gateway's answer when it accepted the request: from then on the effect may not be lost. */
  acknowledged?: RawData;
}

const REQUEST_TIMEOUT_MS = 20_000;

/** Sends one request once. */
export async function sendRequest(
  address: string,
  { method, path, body, key }: Omit<LoggedRequest, "attempts">,
): Promise<RequestAttempt> {
  const headers = { "secret-token": TOKEN, "content-type": "application/json", ...(key && { "idempotency-key": key }) };
  try {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      replayed: response.headers.get("idempotency-replayed") === "true",
      body: JSON.parse(text),
    };
  } catch {
    return {};
  }
}

/** A request with a key of its own. */
export const keyedRequest = (path: string, body: RawData): Omit<LoggedRequest, "attempts"> => ({
  method: "POST",
  path,
  body,
  key: randomUUID(),
});

const MAX_ATTEMPTS = 10;
const RETRY_AFTER_MS = 1_000;

/**
 * Sends a request that must succeed, repeating it by its key while the database is coming back, and returns the
 * answer's body.
 */
export async function sendUntilAccepted<P extends RestPath<"POST">>(
  address: string,
  path: P,
  body: object,
): Promise<RestBody<"POST", P>> {
  const request = keyedRequest(path, body);
  let { status, body: answer } = await sendRequest(address, request);
  for (let tries = 1; status === 503 && tries < MAX_ATTEMPTS; tries++) {
    await sleep(RETRY_AFTER_MS);
    ({ status, body: answer } = await sendRequest(address, request));
  }
  if (status !== 201) throw new Error(`${path}: ${String(status)} ${JSON.stringify(answer)}`);
  return answer;
}

/** All records that an order refers to. */
export interface FaultFixture {
  customerId: number;
  subscriptionId: number;
  priceId: number;
}

export const customerBody = () => ({
  name: "Kim Seo-yeon",
  email: "seoyeon@example.com",
  phone: "010-1234-5678",
  partnerCustomerId: `customer-${randomUUID()}`,
});

export const orderBody = ({ priceId, ...payer }: FaultFixture) => ({
  ...payer,
  amount: 18_900,
  items: [{ quantity: 1, priceId }],
  partnerOrderId: `order-${randomUUID()}`,
});

/** Registers a customer with a product, a plan and a subscription. */
export async function createFaultFixture(address: string): Promise<FaultFixture> {
  const { id: customerId } = await sendUntilAccepted(address, "/cover/customer", customerBody());
  const { id: productId } = await sendUntilAccepted(address, "/cover/product", {
    name: "House blend",
    partnerProductId: randomUUID(),
  });
  const monthly = { recurringInterval: "MONTH", recurringIntervalCount: 1 };
  const plan = { name: "Monthly", productId, price: 18_900, partnerPriceId: randomUUID(), recurringInterval: "MONTH" };
  const { id: priceId } = await sendUntilAccepted(address, "/cover/price", plan);
  const period = { currentPeriodStart: "2026-02-01T00:00:00Z", currentPeriodEnd: "2026-03-01T00:00:00Z" };
  const subscription = { customerId, partnerSubscriptionId: randomUUID(), ...period, ...monthly };
  const { id: subscriptionId } = await sendUntilAccepted(address, "/cover/subscription", subscription);
  return { customerId, subscriptionId, priceId };
}
