import { describe, expect, test } from "vitest";
import {
  constraintRefusalOf,
  isDatabaseOutage,
  isTransactionConflict,
  violatedConstraintOf,
} from "../../../src/database/database-errors.ts";

/** An error as the coordinator of a Citus cluster passes it on: without the fields that name the constraint. */
const ofNode = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ["23505", 'duplicate key value violates unique constraint "customers_username_102192"', "customers_username"],
  ["23514", 'new row for relation "orders_102192" violates check constraint "orders_amounts"', "orders_amounts"],
  [
    "23503",
    'insert or update on table "orders_102193" violates foreign key constraint "orders_customer_fk_102193"',
    "orders_customer_fk",
  ],
  [
    "23503",
    'update or delete on table "orders_102192" violates foreign key constraint "payments_order_fk_102193" on table "payments_102193"',
    "payments_order_fk",
  ],
])(
  "a violated constraint %s that only the message names is found without the shard's number",
  (code, message, name) => {
    expect(violatedConstraintOf(ofNode(code, message))).toBe(name);
  },
);

test("the field that names the constraint counts more than the message", () => {
  const error = Object.assign(ofNode("23505", 'violates unique constraint "other_102192"'), {
    constraint_name: "customers_username",
  });
  expect(violatedConstraintOf(error)).toBe("customers_username");
});

test("a missing value and an error of another kind violate no named constraint", () => {
  expect(
    violatedConstraintOf(
      ofNode("23502", 'null value in column "name" of relation "probe_1" violates not-null constraint'),
    ),
  ).toBeUndefined();
  expect(violatedConstraintOf(ofNode("42601", 'near constraint "x"'))).toBeUndefined();
});

describe("on a cluster", () => {
  test("a name that is taken is refused", () => {
    const taken = ofNode("23505", 'duplicate key value violates unique constraint "customers_username_102192"');
    expect(constraintRefusalOf(taken)).toMatchObject({ code: "ALREADY_TAKEN" });
  });

  test("a code that another transaction drew is drawn anew", () => {
    const drawn = ofNode("23505", 'duplicate key value violates unique constraint "orders_code_102192"');
    expect(isTransactionConflict(drawn)).toBe(true);
  });

  test("a node that is lost at COMMIT is an outage, because the outcome is unknown", () => {
    const lost = ofNode("XX000", "could not commit transaction for shard 102192 on at least one active node");
    expect(isDatabaseOutage(lost)).toBe(true);
    expect(isDatabaseOutage(ofNode("XX000", "could not find the plan"))).toBe(false);
  });
});
