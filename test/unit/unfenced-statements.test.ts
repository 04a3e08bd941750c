import { expect, test } from "vitest";
import { findUnfencedStatements } from "../support/vendor-fence.ts";

test.each([
  `select * from "covers" where "covers"."id" = $1`,
  `select * from "cover_orders" inner join "covers" on "covers"."order_id" = "cover_orders"."id" where "cover_orders"."vendor_id" = $1`,
  `update "cover_orders" set "status" = $1 where "cover_orders"."id" = $2`,
  `insert into "covers" ("order_id") values ($1)`,
  `select (select o."id" from "orders" o where o."vendor_id" = "vendor_id" and o."id" = "order_id") from "covers" where "covers"."vendor_id" = $1`,
  `select * from "covers" where "covers"."vendor_id" = $1 and exists (select from "orders" o where o."vendor_id" = o."vendor_id")`,
])("%s would leave the vendor out", (text) => {
  expect(findUnfencedStatements([{ text }])).toEqual([text]);
});

test.each([
  `select * from "covers" where ("covers"."vendor_id" = $1 and "covers"."id" = $2)`,
  `insert into "covers" ("vendor_id", "id") values ($1, default)`,
  `select * from "vendors" where "vendors"."uuid" = $1`,
  `select (select o."id" from "orders" o where o."vendor_id" = "covers"."vendor_id") from "covers" where "covers"."vendor_id" = $1`,
  `insert into "covers" ("vendor_id", "state") values ($1, $2) on conflict ("id") do update set "state" = excluded."state"`,
])("%s is fenced", (text) => {
  expect(findUnfencedStatements([{ text }])).toEqual([]);
});
