CREATE TABLE "imported_records" (
	"vendor_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"partner_id" text NOT NULL,
	"record_id" bigint NOT NULL,
	"row_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "imported_records_pk" PRIMARY KEY("vendor_id","kind","partner_id"),
	CONSTRAINT "imported_records_kind_word" CHECK ("imported_records"."kind" in ('CUSTOMER', 'PRODUCT', 'PRICE_PLAN'))
);
--> statement-breakpoint
ALTER TABLE "imported_records" ADD CONSTRAINT "imported_records_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;