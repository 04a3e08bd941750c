CREATE TABLE "gateway_accounts" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "gateway_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"gateway" text NOT NULL,
	"adapter" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"methods" text[] NOT NULL,
	"currencies" text[] DEFAULT '{}' NOT NULL,
	"credentials" "bytea",
	"callback_secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "gateway_accounts_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "gateway_accounts_gateway_word" CHECK ("gateway_accounts"."gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21')),
	CONSTRAINT "gateway_accounts_adapter_word" CHECK ("gateway_accounts"."adapter" in ('SIMULATED'))
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"payment_id" bigint NOT NULL,
	"refund_id" bigint,
	"account" text NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_entries_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "ledger_entries_account_word" CHECK ("ledger_entries"."account" in ('CLEARING', 'SALES', 'REFUNDS'))
);
--> statement-breakpoint
CREATE TABLE "refund_items" (
	"vendor_id" bigint NOT NULL,
	"refund_id" bigint NOT NULL,
	"item_id" bigint NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	CONSTRAINT "refund_items_pk" PRIMARY KEY("vendor_id","refund_id","item_id")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "refunds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"payment_id" bigint NOT NULL,
	"state" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"gateway_reference" text,
	"actor" text NOT NULL,
	"reason" text,
	"error_code" text,
	"error_message" text,
	"look_up_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "refunds_state_word" CHECK ("refunds"."state" in ('PENDING', 'SUCCEEDED', 'FAILED', 'UNKNOWN')),
	CONSTRAINT "refunds_actor_word" CHECK ("refunds"."actor" in ('CUSTOMER', 'MANAGER', 'SYSTEM')),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refunds_settled" CHECK (("refunds"."state" in ('SUCCEEDED', 'FAILED')) = ("refunds"."settled_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "simulated_charges" (
	"vendor_id" bigint NOT NULL,
	"idempotency_key" text NOT NULL,
	"reference" text NOT NULL,
	"order_reference" text NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"currency" text NOT NULL,
	"method" text NOT NULL,
	"behaviour" text NOT NULL,
	"ending" text,
	"token" text,
	"status" text NOT NULL,
	"code" text,
	"advice_code" text,
	"message" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "simulated_charges_pk" PRIMARY KEY("vendor_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "simulated_methods" (
	"vendor_id" bigint NOT NULL,
	"token" text NOT NULL,
	"behaviour" text NOT NULL,
	"ending" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "simulated_methods_pk" PRIMARY KEY("vendor_id","token")
);
--> statement-breakpoint
CREATE TABLE "simulated_refunds" (
	"vendor_id" bigint NOT NULL,
	"idempotency_key" text NOT NULL,
	"reference" text NOT NULL,
	"charge_reference" text NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "simulated_refunds_pk" PRIMARY KEY("vendor_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "renewals" (
	"vendor_id" bigint NOT NULL,
	"subscription_id" bigint NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"order_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "renewals_pk" PRIMARY KEY("vendor_id","subscription_id","due_at")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subject" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"happening" text NOT NULL,
	"status_before" text,
	"status_after" text NOT NULL,
	"customer_id" bigint,
	"order_id" bigint,
	"subscription_id" bigint,
	"actor" text NOT NULL,
	"reason" text,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"posted_at" timestamp (3) with time zone,
	CONSTRAINT "events_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "events_subject_word" CHECK ("events"."subject" in ('CUSTOMER', 'SUBSCRIPTION', 'ORDER', 'ORDER_ITEM', 'INVOICE', 'PAYMENT', 'REFUND', 'COVER')),
	CONSTRAINT "events_actor_word" CHECK ("events"."actor" in ('CUSTOMER', 'MANAGER', 'SYSTEM'))
);
--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "token" "bytea";--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "fingerprint" text;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "state" text NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "idempotency_key" text NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "currency" text NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "method_id" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "initiator" text NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "gateway_reference" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "challenge_url" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "advice_code" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "look_up_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "settled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD CONSTRAINT "gateway_accounts_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_payment_fk" FOREIGN KEY ("vendor_id","payment_id") REFERENCES "public"."payments"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_refund_fk" FOREIGN KEY ("vendor_id","refund_id") REFERENCES "public"."refunds"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_items" ADD CONSTRAINT "refund_items_refund_fk" FOREIGN KEY ("vendor_id","refund_id") REFERENCES "public"."refunds"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_items" ADD CONSTRAINT "refund_items_item_fk" FOREIGN KEY ("vendor_id","item_id") REFERENCES "public"."order_items"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_fk" FOREIGN KEY ("vendor_id","payment_id") REFERENCES "public"."payments"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "gateway_accounts_gateway" ON "gateway_accounts" USING btree ("vendor_id","gateway");--> statement-breakpoint
CREATE INDEX "ledger_entries_order" ON "ledger_entries" USING btree ("vendor_id","order_id","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_created" ON "ledger_entries" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_once" ON "ledger_entries" USING btree ("vendor_id","payment_id",coalesce("refund_id", 0),"account");--> statement-breakpoint
CREATE INDEX "refund_items_item" ON "refund_items" USING btree ("vendor_id","item_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_idempotency_key" ON "refunds" USING btree ("vendor_id","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_open" ON "refunds" USING btree ("vendor_id","order_id") WHERE state in ('PENDING', 'UNKNOWN');--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("vendor_id","order_id","id");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("vendor_id","payment_id","id");--> statement-breakpoint
CREATE INDEX "refunds_to_look_up" ON "refunds" USING btree ("look_up_at","vendor_id","id") WHERE look_up_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "simulated_charges_reference" ON "simulated_charges" USING btree ("vendor_id","reference");--> statement-breakpoint
CREATE INDEX "simulated_charges_order" ON "simulated_charges" USING btree ("vendor_id","order_reference");--> statement-breakpoint
CREATE INDEX "simulated_charges_token" ON "simulated_charges" USING btree ("vendor_id","token");--> statement-breakpoint
CREATE INDEX "simulated_refunds_charge" ON "simulated_refunds" USING btree ("vendor_id","charge_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "renewals_order" ON "renewals" USING btree ("vendor_id","order_id");--> statement-breakpoint
CREATE INDEX "events_customer" ON "events" USING btree ("vendor_id","customer_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "events_order" ON "events" USING btree ("vendor_id","order_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "events_subscription" ON "events" USING btree ("vendor_id","subscription_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "events_subject" ON "events" USING btree ("vendor_id","subject","subject_id","id");--> statement-breakpoint
CREATE INDEX "events_unposted" ON "events" USING btree ("vendor_id","id") WHERE posted_at is null;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_method_fk" FOREIGN KEY ("vendor_id","method_id") REFERENCES "public"."payment_methods"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_methods_fingerprint" ON "payment_methods" USING btree ("vendor_id","customer_id","gateway","fingerprint");--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("vendor_id","next_payment_date","id") WHERE status in ('ACTIVE', 'QUEUEING');--> statement-breakpoint
CREATE UNIQUE INDEX "payments_idempotency_key" ON "payments" USING btree ("vendor_id","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("vendor_id","order_id") WHERE state in ('PENDING', 'UNKNOWN');--> statement-breakpoint
CREATE UNIQUE INDEX "payments_gateway_reference" ON "payments" USING btree ("vendor_id","payment_gateway","gateway_reference");--> statement-breakpoint
CREATE INDEX "payments_created" ON "payments" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_state" ON "payments" USING btree ("vendor_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_method" ON "payments" USING btree ("vendor_id","method_id");--> statement-breakpoint
CREATE INDEX "payments_to_look_up" ON "payments" USING btree ("look_up_at","vendor_id","id") WHERE look_up_at is not null;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_network_word" CHECK ("payment_methods"."network" in ('VISA', 'MASTERCARD', 'AMEX', 'OTHER'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_state_word" CHECK ("payments"."state" in ('PENDING', 'SUCCEEDED', 'FAILED', 'UNKNOWN'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_network_word" CHECK ("payments"."network" in ('VISA', 'MASTERCARD', 'AMEX', 'OTHER'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_initiator_word" CHECK ("payments"."initiator" in ('MERCHANT', 'CUSTOMER'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_return" CHECK ("payments"."payment_return" between 0 and "payments"."amount");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_settled" CHECK (("payments"."state" in ('SUCCEEDED', 'FAILED')) = ("payments"."settled_at" is not null) and ("payments"."state" = 'SUCCEEDED') = ("payments"."payment_date" is not null));