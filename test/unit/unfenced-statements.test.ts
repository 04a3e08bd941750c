import { expect, test } from "vitest";
import { findUnfencedStatements } from "../support/vendor-fence.ts";

test.each([
  `select * from "covers" where "covers"."id" = $1`,
  `select * from "cover_orders" inner join "covers" on "covers"."order_id" = "cover_orders"."id" where "cover_orders"."vendor_id" = $1`,
  `update "cover_orders" set "status" = $1 where "cover_orders"."id" = $2`,
  `insert into "covers" ("order_id") values ($1)`,
])("%s would leave the vendor out", (text) => {
  expect(findUnfencedStatements([{ text }])).toEqual([text]);
});

test.each([
  `select * from "covers" where ("covers"."vendor_id" = $1 and "covers"."id" = $2)`,
  `insert into "covers" ("vendor_id", "id") values ($1, default)`,
  `select * from "vendors" where "vendors"."uuid" = $1`,
])("%s is fenced", (text) => {
  expect(findUnfencedStatements([{ text }])).toEqual([]);
});
