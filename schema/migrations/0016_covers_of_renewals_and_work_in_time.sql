ALTER TABLE "covers" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "cover_attempts" ADD COLUMN "payment_id" bigint;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "renewal_order_id" bigint;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "renewal_subscription_id" bigint;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "cover_attempts" ADD CONSTRAINT "cover_attempts_payment_fk" FOREIGN KEY ("vendor_id","payment_id") REFERENCES "public"."payments"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_renewal_order_fk" FOREIGN KEY ("vendor_id","renewal_order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_renewal_subscription_fk" FOREIGN KEY ("vendor_id","renewal_subscription_id") REFERENCES "public"."subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "cover_attempts_payment" ON "cover_attempts" USING btree ("vendor_id","payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "covers_one_in_progress_of_renewal" ON "covers" USING btree ("vendor_id","renewal_order_id") WHERE state = 'IN_PROGRESS';--> statement-breakpoint
CREATE INDEX "covers_renewals_due" ON "covers" USING btree ("vendor_id","retry_at","id") WHERE state = 'IN_PROGRESS' and renewal_order_id is not null;--> statement-breakpoint
CREATE INDEX "covers_renewal_order" ON "covers" USING btree ("vendor_id","renewal_order_id","started_at","id");--> statement-breakpoint
CREATE INDEX "covers_renewal_subscription" ON "covers" USING btree ("vendor_id","renewal_subscription_id","started_at","id");--> statement-breakpoint
CREATE INDEX "customers_waking" ON "customers" USING btree ("vendor_id","last_active_at","id") WHERE status = 'NORMAL';--> statement-breakpoint
CREATE INDEX "orders_stock_held" ON "orders" USING btree ("vendor_id","created_at","id") WHERE stock_returned_at is null and payment_date is null;--> statement-breakpoint
CREATE INDEX "invoices_reserved" ON "invoices" USING btree ("vendor_id","reservation_at","id") WHERE status = 'RESERVATION';--> statement-breakpoint
CREATE INDEX "invoices_unpaid" ON "invoices" USING btree ("vendor_id","purchase_deadline","id") WHERE status in ('SENT', 'SEND_FAIL');--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_one_order" CHECK (("covers"."order_id" is null) = ("covers"."renewal_order_id" is not null) and ("covers"."renewal_order_id" is null) = ("covers"."renewal_subscription_id" is null) and ("covers"."order_id" is not null or "covers"."subscription_id" is null));