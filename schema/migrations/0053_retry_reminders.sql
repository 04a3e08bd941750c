ALTER TABLE "messages" DROP CONSTRAINT "messages_kind_word";--> statement-breakpoint
ALTER TABLE "message_settings" ADD COLUMN "retry_notice_lead" text;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_kind_word" CHECK ("messages"."kind" in ('INVOICE', 'PAYMENT_FAILED', 'RETRY_COMING', 'LAST_NOTICE', 'PAYMENT_METHOD_REQUIRED', 'PAYMENT_RECOVERED'));