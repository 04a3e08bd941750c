DROP INDEX "refunds_one_open";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "stock_returned_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_open" ON "refunds" USING btree ("vendor_id","payment_id") WHERE state in ('PENDING', 'UNKNOWN');