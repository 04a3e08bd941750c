ALTER TABLE "message_settings" ADD COLUMN "delays" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "message_settings" ADD COLUMN "wordings" jsonb DEFAULT '[]'::jsonb NOT NULL;