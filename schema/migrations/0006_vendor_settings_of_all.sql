CREATE INDEX "vendors_parent_created" ON "vendors" USING btree ("parent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "vendors_parent_name" ON "vendors" USING btree ("parent_id","name","id");--> statement-breakpoint
ALTER TABLE "vendor_settings" ADD CONSTRAINT "vendor_settings_vat_is_per_cent" CHECK ("vendor_settings"."vat_rate" between 0 and 100);--> statement-breakpoint
ALTER TABLE "vendor_settings" ADD CONSTRAINT "vendor_settings_notice_is_before" CHECK ("vendor_settings"."noti_before_payment_days" between 0 and 365);--> statement-breakpoint
ALTER TABLE "vendor_settings" ADD CONSTRAINT "vendor_settings_notice_time" CHECK ("vendor_settings"."noti_before_payment_time" between 0 and 86399);--> statement-breakpoint
-- Vendors from before there were settings start with those that new ones start with.
INSERT INTO "vendor_settings" ("vendor_id") SELECT "id" FROM "vendors" ON CONFLICT DO NOTHING;
