ALTER TABLE "event_log" ADD COLUMN "author_kind" text;--> statement-breakpoint
ALTER TABLE "event_log" ADD COLUMN "author_id" bigint;