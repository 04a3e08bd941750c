CREATE TABLE "disputes" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "disputes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"payment_id" bigint NOT NULL,
	"gateway_reference" text NOT NULL,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"currency" text NOT NULL,
	"respond_by" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "disputes_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "disputes_state_word" CHECK ("disputes"."state" in ('OPEN', 'WON', 'LOST')),
	CONSTRAINT "disputes_amount" CHECK ("disputes"."amount" > 0),
	CONSTRAINT "disputes_closed" CHECK (("disputes"."state" = 'OPEN') = ("disputes"."closed_at" is null))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account_word";--> statement-breakpoint
DROP INDEX "ledger_entries_once";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "dispute_id" bigint;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_payment_fk" FOREIGN KEY ("vendor_id","payment_id") REFERENCES "public"."payments"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_reference" ON "disputes" USING btree ("vendor_id","payment_id","gateway_reference");--> statement-breakpoint
CREATE INDEX "disputes_order" ON "disputes" USING btree ("vendor_id","order_id","id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_dispute_fk" FOREIGN KEY ("vendor_id","dispute_id") REFERENCES "public"."disputes"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_once" ON "ledger_entries" USING btree ("vendor_id","payment_id",coalesce("refund_id", 0),coalesce("dispute_id", 0),"account",("amount" > 0));--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_word" CHECK ("ledger_entries"."account" in ('CLEARING', 'SALES', 'REFUNDS', 'DISPUTES', 'LOSSES'));