ALTER TABLE "password_links" ADD COLUMN "purpose" text DEFAULT 'RESET' NOT NULL;--> statement-breakpoint
CREATE INDEX "managers_created" ON "managers" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_purpose_word" CHECK ("password_links"."purpose" in ('RESET', 'INVITATION'));