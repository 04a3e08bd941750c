-- recoup: outside of a transaction
CREATE INDEX CONCURRENTLY "customers_of_region" ON "customers" USING btree ("vendor_id","region","created_at","id") WHERE region is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "order_items_of_product" ON "order_items" USING btree ("vendor_id","product_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "order_subscriptions_of_subscription" ON "order_subscriptions" USING btree ("vendor_id","subscription_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_of_region" ON "orders" USING btree ("vendor_id","region","created_at","id") WHERE region is not null;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "ledger_entries_captured_once" ON "ledger_entries" USING btree ("vendor_id","payment_id","account",("amount" > 0)) WHERE refund_id is null and dispute_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "ledger_entries_returned_once" ON "ledger_entries" USING btree ("vendor_id","payment_id",coalesce("refund_id", 0),coalesce("dispute_id", 0),"account",("amount" > 0)) WHERE refund_id is not null or dispute_id is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "customers_region";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "order_items_product";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "order_subscriptions_subscription";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_region";--> statement-breakpoint
-- Both of its successors refuse a second entry before it is gone.
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entries_once";
