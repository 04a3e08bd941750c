ALTER TABLE "api_keys" ADD COLUMN "rotated_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "api_keys_created" ON "api_keys" USING btree ("vendor_id","created_at","id");