ALTER TABLE "covers" ADD COLUMN "message_arm" text;--> statement-breakpoint
ALTER TABLE "message_settings" ADD COLUMN "holdout_parts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "covers_message_arms" ON "covers" USING btree ("vendor_id","started_on","id") WHERE message_arm is not null;--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_message_arm_word" CHECK ("covers"."message_arm" in ('MESSAGES', 'NO_MESSAGES'));--> statement-breakpoint
ALTER TABLE "message_settings" ADD CONSTRAINT "message_settings_holdout" CHECK ("message_settings"."holdout_parts" between 0 and 5000);