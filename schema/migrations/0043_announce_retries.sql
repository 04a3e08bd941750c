ALTER TABLE "covers" ADD COLUMN "announce_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "covers_announcements" ON "covers" USING btree ("vendor_id","announce_at","id") WHERE state = 'IN_PROGRESS' and announce_at is not null;--> statement-breakpoint
UPDATE "covers" SET "announce_at" = "retry_at" WHERE "state" = 'IN_PROGRESS' AND NOT "shadow" AND "order_id" IS NOT NULL AND "retry_at" > now();
