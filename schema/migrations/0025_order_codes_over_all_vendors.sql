ALTER TABLE "orders" ADD COLUMN "code_repeat" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Two vendors may have drawn one code: the first order keeps it, the others stay as they are and are reported at each start.
UPDATE "orders" SET "code_repeat" = "repeats"."nth" - 1
FROM (
  SELECT "vendor_id", "id", row_number() OVER (PARTITION BY "code" ORDER BY "created_at", "vendor_id", "id") AS "nth"
  FROM "orders" WHERE "code" IN (SELECT "code" FROM "orders" GROUP BY "code" HAVING count(*) > 1)
) "repeats"
WHERE "orders"."vendor_id" = "repeats"."vendor_id" AND "orders"."id" = "repeats"."id" AND "repeats"."nth" > 1;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_public_code" ON "orders" USING btree ("code","code_repeat");--> statement-breakpoint
CREATE INDEX "orders_shared_code" ON "orders" USING btree ("code") WHERE code_repeat > 0;