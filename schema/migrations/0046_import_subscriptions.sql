ALTER TABLE "imported_records" DROP CONSTRAINT "imported_records_kind_word";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "charges_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "imported_records" ADD CONSTRAINT "imported_records_kind_word" CHECK ("imported_records"."kind" in ('CUSTOMER', 'PRODUCT', 'PRICE_PLAN', 'PAYMENT_METHOD', 'SUBSCRIPTION'));