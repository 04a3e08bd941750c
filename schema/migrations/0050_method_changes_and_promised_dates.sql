ALTER TABLE "covers" ADD COLUMN "method_changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "promised_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "method_changed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "subscriptions_method_changed" ON "subscriptions" USING btree ("method_changed_at","vendor_id") WHERE method_changed_at is not null;