import type { Actor } from "../../schema/vocabulary.ts";
import type { Happening } from "../events/event.service.ts";
import type { OrderRecord } from "../orders/order-payment.service.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import { isFaultCode } from "./payment.faults.ts";
import type { PaymentTrigger } from "./payment.states.ts";

/** What the timeline tells of an attempt to charge an order. */
export const happeningOf = (
  { id: orderId, customerId }: OrderRecord,
  { id, state, amount, currency, errorCode, adviceCode, paymentGateway }: PaymentRecord,
  happening: PaymentTrigger,
  statusBefore: PaymentRecord["state"] | null,
  actor: Actor,
): Happening => ({
  subject: "PAYMENT",
  subjectId: id,
  happening,
  statusBefore,
  statusAfter: state,
  orderId,
  customerId,
  actor,
  facts: {
    amount: amount.toFixed(),
    currency,
    ...(state === "FAILED" && declineOf(errorCode, adviceCode, paymentGateway)),
  },
});

/** By what failed charges are counted. */
const declineOf = (errorCode: string | null, adviceCode: string | null, gateway: string) => ({
  ...(errorCode !== null && { errorCode }),
  ...(adviceCode !== null && { adviceCode }),
  ...(isFaultCode(errorCode) && { isFault: true }),
  gateway,
});
