DROP INDEX "orders_paid_at";--> statement-breakpoint
DROP INDEX "orders_deadline";--> statement-breakpoint
CREATE INDEX "customers_phone" ON "customers" USING gin ("vendor_id","phone" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "subscriptions_next_payment" ON "subscriptions" USING btree ("vendor_id",coalesce(next_payment_date, '-infinity'),"id");--> statement-breakpoint
CREATE INDEX "orders_payment_date" ON "orders" USING btree ("vendor_id",coalesce(payment_date, '-infinity'),"id");--> statement-breakpoint
CREATE INDEX "orders_purchase_deadline" ON "orders" USING btree ("vendor_id",coalesce(purchase_deadline, '-infinity'),"id");--> statement-breakpoint
CREATE INDEX "payments_paid" ON "payments" USING btree ("vendor_id","payment_date","id") WHERE payment_date is not null;--> statement-breakpoint
CREATE INDEX "payments_paid_by" ON "payments" USING btree ("vendor_id","payment_method","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_taken_by" ON "payments" USING btree ("vendor_id","payment_gateway","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_error" ON "payments" USING btree ("vendor_id","error_code","created_at","id") WHERE error_code is not null;