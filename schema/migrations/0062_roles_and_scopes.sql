ALTER TABLE "api_keys" ADD COLUMN "scopes" text[] DEFAULT '{READ,WRITE,RECOVERY,ADMIN}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "managers" ADD COLUMN "role" text DEFAULT 'OWNER' NOT NULL;--> statement-breakpoint
ALTER TABLE "managers" ADD CONSTRAINT "managers_role_word" CHECK ("managers"."role" in ('OWNER', 'FINANCE', 'SUPPORT', 'READ_ONLY'));