import type { Actor } from "../../schema/vocabulary.ts";
import type { EventInput } from "../events/event.service.ts";
import type { OrderRecord } from "../orders/order-record.service.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import { isFaultCode } from "./gateways/payment.faults.ts";
import type { PaymentTrigger } from "./payment.states.ts";

/** The timeline event for an attempt to charge an order. */
export const toPaymentEvent = (
  { id: orderId, customerId }: OrderRecord,
  { id, state, amount, currency, paymentGateway, ...failure }: PaymentRecord,
  trigger: PaymentTrigger,
  statusBefore: PaymentRecord["state"] | null,
  actor: Actor,
): EventInput => ({
  subject: "PAYMENT",
  subjectId: id,
  trigger: trigger,
  statusBefore,
  statusAfter: state,
  orderId,
  customerId,
  actor,
  facts: {
    amount: amount.toFixed(),
    currency,
    ...(state === "FAILED" && toDeclineFacts(failure, paymentGateway)),
  },
});

const MAX_WORDING_LENGTH = 100;

/** The dimensions under which failed charges are counted. */
const toDeclineFacts = (
  { errorCode, adviceCode, errorMessage }: Pick<PaymentRecord, "errorCode" | "adviceCode" | "errorMessage">,
  gateway: string,
) => ({
  ...(errorCode !== null && { errorCode }),
  ...(errorMessage && !isFaultCode(errorCode) && { wording: normalizeWording(errorMessage) }),
  ...(adviceCode !== null && { adviceCode }),
  ...(isFaultCode(errorCode) && { isFault: true }),
  gateway,
});

/** The gateway's decline message without its numbers, which differ from message to message. */
const normalizeWording = (message: string): string => message.replaceAll(/[0-9]+/g, "#").slice(0, MAX_WORDING_LENGTH);
