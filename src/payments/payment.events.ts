import type { Actor } from "../../schema/vocabulary.ts";
import type { Happening } from "../events/event.service.ts";
import type { OrderRecord } from "../orders/order-payment.service.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import { isFaultCode } from "./gateways/payment.faults.ts";
import type { PaymentTrigger } from "./payment.states.ts";

/** What the timeline tells of an attempt to charge an order. */
export const happeningOf = (
  { id: orderId, customerId }: OrderRecord,
  { id, state, amount, currency, paymentGateway, ...failure }: PaymentRecord,
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
    ...(state === "FAILED" && declineOf(failure, paymentGateway)),
  },
});

const LONGEST_WORDING = 100;

/** By what failed charges are counted. */
const declineOf = (
  { errorCode, adviceCode, errorMessage }: Pick<PaymentRecord, "errorCode" | "adviceCode" | "errorMessage">,
  gateway: string,
) => ({
  ...(errorCode !== null && { errorCode }),
  ...(errorMessage && !isFaultCode(errorCode) && { wording: wordingOf(errorMessage) }),
  ...(adviceCode !== null && { adviceCode }),
  ...(isFaultCode(errorCode) && { isFault: true }),
  gateway,
});

/** What a gateway says of a decline, without the numbers that make each message another one. */
const wordingOf = (message: string): string => message.replaceAll(/[0-9]+/g, "#").slice(0, LONGEST_WORDING);
