CREATE TABLE "past_payments" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "past_payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"partner_id" text NOT NULL,
	"payer_id" text NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"currency" text NOT NULL,
	"country" text,
	"zone_id" text NOT NULL,
	"gateway" text NOT NULL,
	"gateway_name" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"tries" jsonb NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "past_payments_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "past_payments_gateway_word" CHECK ("past_payments"."gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21'))
);
--> statement-breakpoint
ALTER TABLE "recovery_models" ADD COLUMN "imported_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "past_payments" ADD CONSTRAINT "past_payments_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "past_payments_partner_id" ON "past_payments" USING btree ("vendor_id","partner_id");--> statement-breakpoint
CREATE INDEX "past_payments_started" ON "past_payments" USING btree ("vendor_id","started_at","id");