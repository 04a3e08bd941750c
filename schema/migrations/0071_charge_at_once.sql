ALTER TABLE "orders" ADD COLUMN "charged_at_once" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Those that may still be charged: unpaid orders of subscriptions from the last week that no renewal is charged by.
UPDATE "orders" o SET "charged_at_once" = true WHERE o."payment_date" IS NULL AND o."type" IN ('RECURRING', 'ADDITIONAL', 'ADD_USAGE')
  AND o."created_at" >= (SELECT now() - interval '8 days')
  AND EXISTS (SELECT FROM "order_subscriptions" s WHERE s."vendor_id" = o."vendor_id" AND s."order_id" = o."id")
  AND NOT EXISTS (SELECT FROM "renewals" r WHERE r."vendor_id" = o."vendor_id" AND r."order_id" = o."id");--> statement-breakpoint
DROP INDEX "orders_unpaid_anywhere";--> statement-breakpoint
CREATE INDEX "orders_uncharged_anywhere" ON "orders" USING btree ("created_at","vendor_id") WHERE charged_at_once and payment_date is null;
