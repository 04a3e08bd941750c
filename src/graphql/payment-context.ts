import { createParameterDecorator } from "type-graphql";
import { invariant } from "../kernel/refusals.ts";
import type { GatewayContext, PaymentContext } from "./context.ts";
import { CHARGING_MUTATIONS } from "./charging-mutations.ts";

/**
 * Gives a mutation that moves money its context. This is the only place that refuses a request which is one transaction
 * as a whole: its locks would block others while it waited for a payment gateway. `MOVING_MONEY` prevents such a
 * mutation from coming here.
 */
export function PaymentCtx(): ParameterDecorator {
  const inject = createParameterDecorator<GatewayContext>(({ context }) => {
    invariant(canMoveMoney(context), "a request that moves money is no transaction as a whole");
    return context;
  });
  return (resolver, mutation, index) => {
    invariant(typeof mutation === "string" && CHARGING_MUTATIONS.has(mutation), "MOVING_MONEY names what moves money");
    inject(resolver, mutation, index);
  };
}

const canMoveMoney = (context: GatewayContext): context is PaymentContext => "paymentProcessor" in context;
