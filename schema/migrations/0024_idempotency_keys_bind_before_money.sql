ALTER TABLE "idempotency_keys" ADD COLUMN "answered" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "effect" jsonb;--> statement-breakpoint
CREATE INDEX "idempotency_keys_due" ON "idempotency_keys" USING btree ("created_at","vendor_id");