CREATE TABLE "message_settings" (
	"vendor_id" bigint PRIMARY KEY NOT NULL,
	"sender_name" text,
	"reply_to" text,
	"disabled_kinds" text[] DEFAULT '{}' NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"state" text NOT NULL,
	"recipient" text NOT NULL,
	"language" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"occurrence" text NOT NULL,
	"customer_id" bigint,
	"order_id" bigint,
	"subscription_id" bigint,
	"invoice_id" bigint,
	"cover_id" bigint,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempt_at" timestamp (3) with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"subject_line" text,
	"text_body" text,
	"html_body" text,
	"attachment_names" text[] DEFAULT '{}' NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "messages_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "messages_kind_word" CHECK ("messages"."kind" in ('INVOICE')),
	CONSTRAINT "messages_channel_word" CHECK ("messages"."channel" in ('MESSENGER', 'SMS', 'EMAIL')),
	CONSTRAINT "messages_state_word" CHECK ("messages"."state" in ('QUEUED', 'SENDING', 'SENT', 'FAILED', 'CANCELED')),
	CONSTRAINT "messages_language_word" CHECK ("messages"."language" in ('ENGLISH', 'KOREAN')),
	CONSTRAINT "messages_end" CHECK (("messages"."state" in ('QUEUED', 'SENDING')) = ("messages"."ended_at" is null) and ("messages"."ended_at" is null or "messages"."attempt_at" is null) and ("messages"."state" <> 'SENDING' or "messages"."attempt_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "event_sequences" ADD COLUMN "messages_read_number" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "message_settings" ADD CONSTRAINT "message_settings_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Events from before this version queue no messages.
UPDATE "event_sequences" SET "messages_read_number" = "last_number";--> statement-breakpoint
CREATE UNIQUE INDEX "messages_occurrence" ON "messages" USING btree ("vendor_id","subject","subject_id","kind","occurrence","channel","recipient");--> statement-breakpoint
CREATE INDEX "messages_waiting" ON "messages" USING btree ("vendor_id","due_at","id") WHERE state = 'QUEUED' and attempt_at is null;--> statement-breakpoint
CREATE INDEX "messages_attempt" ON "messages" USING btree ("vendor_id","attempt_at","id") WHERE attempt_at is not null;--> statement-breakpoint
CREATE INDEX "messages_created" ON "messages" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_kind" ON "messages" USING btree ("vendor_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_customer" ON "messages" USING btree ("vendor_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_ended" ON "messages" USING btree ("vendor_id","ended_at","id") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "event_sequences_unread" ON "event_sequences" USING btree ("vendor_id") WHERE last_number > messages_read_number;