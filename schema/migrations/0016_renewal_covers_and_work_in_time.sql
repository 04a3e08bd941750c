CREATE TABLE "renewal_cover_attempts" (
	"vendor_id" bigint NOT NULL,
	"cover_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"payment_id" bigint,
	"attempted_at" timestamp (3) with time zone NOT NULL,
	"error_code" text,
	"error_message" text,
	"advice_code" text,
	"network" text,
	"reason_class" text,
	"retry_at" timestamp (3) with time zone,
	"end_reason" text,
	"floor_row" text,
	"rulebook_version" text NOT NULL,
	CONSTRAINT "renewal_cover_attempts_pk" PRIMARY KEY("vendor_id","cover_id","number"),
	CONSTRAINT "renewal_cover_attempts_network_word" CHECK ("renewal_cover_attempts"."network" in ('VISA', 'MASTERCARD', 'AMEX', 'OTHER', 'SEPA', 'ACH')),
	CONSTRAINT "renewal_cover_attempts_class_word" CHECK ("renewal_cover_attempts"."reason_class" in ('INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'GENERIC_REFUSAL', 'TECHNICAL', 'SUSPECTED_FRAUD', 'RESTRICTED', 'FIX_DATA_FIRST', 'CUSTOMER_MUST_ACT', 'NEVER', 'ALREADY_PAID', 'UNKNOWN')),
	CONSTRAINT "renewal_cover_attempts_end_reason_word" CHECK ("renewal_cover_attempts"."end_reason" in ('MUST_NOT_RETRY', 'NEEDS_NEW_METHOD', 'NEEDS_CUSTOMER', 'ALREADY_PAID', 'WINDOW_OVER', 'NO_TRIES_LEFT', 'CANCELED', 'PAID'))
);
--> statement-breakpoint
CREATE TABLE "renewal_covers" (
	"vendor_id" bigint NOT NULL,
	"id" bigint DEFAULT nextval('covers_id_seq') NOT NULL,
	"order_id" bigint NOT NULL,
	"subscription_id" bigint NOT NULL,
	"state" text NOT NULL,
	"end_reason" text,
	"window_start" timestamp (3) with time zone NOT NULL,
	"zone_id" text NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"planned" timestamp (3) with time zone[] NOT NULL,
	"policy_version" text NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "renewal_covers_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "renewal_covers_state_word" CHECK ("renewal_covers"."state" in ('IN_PROGRESS', 'RECOVERED', 'EXHAUSTED', 'STOPPED')),
	CONSTRAINT "renewal_covers_end_reason_word" CHECK ("renewal_covers"."end_reason" in ('MUST_NOT_RETRY', 'NEEDS_NEW_METHOD', 'NEEDS_CUSTOMER', 'ALREADY_PAID', 'WINDOW_OVER', 'NO_TRIES_LEFT', 'CANCELED', 'PAID')),
	CONSTRAINT "renewal_covers_end" CHECK (("renewal_covers"."state" = 'IN_PROGRESS') = ("renewal_covers"."retry_at" is not null) and ("renewal_covers"."state" = 'IN_PROGRESS') = ("renewal_covers"."ended_at" is null) and ("renewal_covers"."state" = 'IN_PROGRESS') = ("renewal_covers"."end_reason" is null))
);
--> statement-breakpoint
ALTER TABLE "renewal_cover_attempts" ADD CONSTRAINT "renewal_cover_attempts_cover_fk" FOREIGN KEY ("vendor_id","cover_id") REFERENCES "public"."renewal_covers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewal_cover_attempts" ADD CONSTRAINT "renewal_cover_attempts_payment_fk" FOREIGN KEY ("vendor_id","payment_id") REFERENCES "public"."payments"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewal_covers" ADD CONSTRAINT "renewal_covers_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewal_covers" ADD CONSTRAINT "renewal_covers_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "renewal_cover_attempts_payment" ON "renewal_cover_attempts" USING btree ("vendor_id","payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "renewal_covers_one_in_progress" ON "renewal_covers" USING btree ("vendor_id","order_id") WHERE state = 'IN_PROGRESS';--> statement-breakpoint
CREATE INDEX "renewal_covers_order" ON "renewal_covers" USING btree ("vendor_id","order_id","id");--> statement-breakpoint
CREATE INDEX "renewal_covers_subscription" ON "renewal_covers" USING btree ("vendor_id","subscription_id","id");--> statement-breakpoint
CREATE INDEX "renewal_covers_started" ON "renewal_covers" USING btree ("vendor_id","started_at","id");--> statement-breakpoint
CREATE INDEX "renewal_covers_due" ON "renewal_covers" USING btree ("vendor_id","retry_at","id") WHERE state = 'IN_PROGRESS';--> statement-breakpoint
CREATE INDEX "customers_waking" ON "customers" USING btree ("vendor_id","last_active_at","id") WHERE status = 'NORMAL';--> statement-breakpoint
CREATE INDEX "orders_stock_held" ON "orders" USING btree ("vendor_id","created_at","id") WHERE stock_returned_at is null and payment_date is null;--> statement-breakpoint
CREATE INDEX "invoices_reserved" ON "invoices" USING btree ("vendor_id","reservation_at","id") WHERE status = 'RESERVATION';--> statement-breakpoint
CREATE INDEX "invoices_unpaid" ON "invoices" USING btree ("vendor_id","purchase_deadline","id") WHERE status in ('SENT', 'SEND_FAIL');