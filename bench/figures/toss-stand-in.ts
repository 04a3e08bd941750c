import { setTimeout as wait } from "node:timers/promises";
import Fastify from "fastify";

/** A stand-in of Toss Payments for a measurement of renewals: its charges of billing keys, with its books. */
export interface TossStandIn {
  url: string;
  /** The number of Recoup's orders that were charged more than once. */
  countChargedTwice(): number;
  close(): Promise<void>;
}

/** The beginning of a billing key whose charges are declined. */
export const DECLINED_KEY = "declined";

interface Charge {
  orderId: string;
  /** Recoup sends the reference of its order as the name. */
  orderName: string;
  amount: number;
}

interface Answer {
  status: number;
  body: object;
}

const toPayment = ({ orderId, orderName, amount }: Charge) => ({
  ...{ paymentKey: `tpk_${orderId}`, orderId, orderName, status: "DONE", currency: "KRW" },
  ...{ totalAmount: amount, balanceAmount: amount, card: { number: "43301234****123*" } },
  ...{ receipt: null, failure: null, cancels: null },
});

/**
 * Starts a stand-in that answers each request after some time. It refuses no second charge of an order under another
 * idempotency key, so that its books show one.
 */
export async function startTossStandIn(answerMs: number): Promise<TossStandIn> {
  const answersByKey = new Map<string, Promise<Answer>>();
  const paymentsByOrderId = new Map<string, object>();
  const chargesByOrder = new Map<string, number>();
  const server = Fastify({ routerOptions: { maxParamLength: 500 } });

  server.post("/v1/billing/:billingKey", async (request, reply) => {
    const key = String(request.headers["idempotency-key"]);
    const { billingKey } = request.params as { billingKey: string };
    let answer = answersByKey.get(key);
    if (!answer) {
      answer = charge(billingKey, request.body as Charge);
      answersByKey.set(key, answer);
    }
    const { status, body } = await answer;
    return reply.status(status).send(body);
  });
  server.get("/v1/payments/orders/:orderId", async (request, reply) => {
    await wait(answerMs);
    const payment = paymentsByOrderId.get((request.params as { orderId: string }).orderId);
    return payment ?? reply.status(404).send({ code: "NOT_FOUND_PAYMENT", message: "There is no such payment." });
  });

  async function charge(billingKey: string, fields: Charge): Promise<Answer> {
    await wait(answerMs);
    if (billingKey.startsWith(DECLINED_KEY))
      return { status: 403, body: { code: "REJECT_CARD_PAYMENT", message: "The limit or the balance is too low." } };
    const { orderId, orderName } = fields;
    chargesByOrder.set(orderName, (chargesByOrder.get(orderName) ?? 0) + 1);
    const body = toPayment(fields);
    paymentsByOrderId.set(orderId, body);
    return { status: 200, body };
  }

  return {
    url: await server.listen({ port: 0, host: "127.0.0.1" }),
    countChargedTwice: () => [...chargesByOrder.values()].filter((charges) => charges > 1).length,
    close: () => server.close(),
  };
}
