import { expect, test } from "vitest";
import { describeStatement } from "../../../src/database/driver/statement-span.ts";

test.each([
  ['select "id" from "orders" where "id" = $1', "select orders"],
  ['insert into "payments" ("id") values ($1)', "insert payments"],
  ["begin", "begin"],
  [
    `with sums as (select sum(case when (a > 1) and b then 1 end) from "order_items") update "orders" set x = 1`,
    "update orders",
  ],
  [
    `with a as (select ')' as "select" from x), b (n) as (insert into y values (1) returning n) select n from b`,
    "select b",
  ],
  ["with broken as (select 1", "with"],
])("the span of %j is named %j", (text, name) => {
  expect(describeStatement(text).name).toBe(name);
});

test("the span of a statement has its text, cut where it is long", () => {
  const { attributes } = describeStatement(`select ${"x".repeat(5_000)}`);
  expect(attributes!["db.query.text"]).toHaveLength(2_000);
});
