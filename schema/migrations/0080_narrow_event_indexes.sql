-- recoup: outside of a transaction
CREATE INDEX CONCURRENTLY "orders_of_parent" ON "orders" USING btree ("parent_vendor_id","parent_order_id") WHERE parent_order_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_entries_of_order" ON "ledger_entries" USING btree ("vendor_id","order_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_entries_time" ON "ledger_entries" USING btree ("vendor_id","created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_created_time" ON "payments" USING btree ("vendor_id","created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_state_time" ON "payments" USING btree ("vendor_id","state","created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_paid_time" ON "payments" USING btree ("vendor_id","payment_date") WHERE payment_date is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_paid_by_time" ON "payments" USING btree ("vendor_id","payment_method","created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_taken_by_time" ON "payments" USING btree ("vendor_id","payment_gateway","created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_error_time" ON "payments" USING btree ("vendor_id","error_code","created_at") WHERE error_code is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "event_log_customer_time" ON "event_log" USING btree ("vendor_id","customer_id","occurred_at") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "event_log_order_time" ON "event_log" USING btree ("vendor_id","order_id","occurred_at") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "event_log_subscription_time" ON "event_log" USING btree ("vendor_id","subscription_id","occurred_at") WHERE subscription_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "event_log_cover_order_time" ON "event_log" USING btree ("vendor_id","cover_order_id","occurred_at") WHERE cover_order_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "event_log_cover_subscription_time" ON "event_log" USING btree ("vendor_id","cover_subscription_id","occurred_at") WHERE cover_subscription_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "event_log_cover_time" ON "event_log" USING btree ("vendor_id","cover_id","occurred_at") WHERE cover_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "event_numbers_type_range" ON "event_numbers" USING btree ("vendor_id","type",(number >> 8));--> statement-breakpoint
-- The index of a partitioned table cannot be dropped beside its users; it is a moment.
DROP INDEX IF EXISTS "event_log_customer";--> statement-breakpoint
DROP INDEX IF EXISTS "event_log_order";--> statement-breakpoint
DROP INDEX IF EXISTS "event_log_subscription";--> statement-breakpoint
DROP INDEX IF EXISTS "event_log_cover_order";--> statement-breakpoint
DROP INDEX IF EXISTS "event_log_cover_subscription";--> statement-breakpoint
DROP INDEX IF EXISTS "event_log_cover";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_parent";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entries_order";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entries_created";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_created";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_state";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_paid";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_paid_by";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_taken_by";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_error";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "event_numbers_type";
