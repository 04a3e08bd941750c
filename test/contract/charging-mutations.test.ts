import { getNamedType, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { CHARGING_MUTATIONS } from "../../src/graphql/charging-mutations.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";

/** Mutations that call a payment gateway and charge nothing, each with the reason. */
const WITHOUT_PAYMENT: Readonly<Record<string, string>> = {
  refundOrder: "It gives money back: the refunds are below the payments of its order.",
};

const mutations = buildGatewaySchema().getMutationType()!.getFields();

/** The fields of a mutation's payload. */
function payloadOf(name: string) {
  const type = getNamedType(mutations[name]!.type);
  if (!isObjectType(type)) throw new Error(`${name} answers no object.`);
  return type.getFields();
}

test("each mutation that charges returns its payment, or is a listed exception", () => {
  for (const name of CHARGING_MUTATIONS) {
    expect(Object.keys(mutations), `${name} is in MOVING_MONEY and in the schema`).toContain(name);
    if (name in WITHOUT_PAYMENT) continue;
    const { payment, noPaymentReason } = payloadOf(name);
    expect(payment && getNamedType(payment.type).name, `${name} returns a payment`).toBe("Payment");
    const isNullable = !payment!.type.toString().endsWith("!");
    expect(noPaymentReason !== undefined, `${name} says why a payment is null`).toBe(isNullable);
  }
});

test("a mutation that returns a payment is in the list of those that move money", () => {
  const paying = Object.keys(mutations).filter((name) => "payment" in payloadOf(name));
  expect(paying.filter((name) => !CHARGING_MUTATIONS.has(name))).toEqual([]);
});

test("an exception from the rule is a mutation that moves money", () => {
  expect(Object.keys(WITHOUT_PAYMENT).filter((name) => !CHARGING_MUTATIONS.has(name))).toEqual([]);
});
