CREATE TABLE "api_keys" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"ending" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "vendors" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vendors_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"name" text NOT NULL,
	"parent_id" bigint,
	"zone_id" text NOT NULL,
	"currency" text NOT NULL,
	"country" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"sandbox" boolean DEFAULT false NOT NULL,
	"clock_ahead_ms" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vendors_clock_is_for_sandboxes" CHECK ("vendors"."clock_ahead_ms" = 0 or ("vendors"."sandbox" and "vendors"."parent_id" is null)),
	CONSTRAINT "vendors_clock_never_goes_back" CHECK ("vendors"."clock_ahead_ms" >= 0)
);
--> statement-breakpoint
CREATE TABLE "cover_attempts" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cover_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cover_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"attempted_at" timestamp (3) with time zone NOT NULL,
	"error_code" text,
	"error_message" text,
	"advice_code" text,
	"network" text,
	"initiator" text NOT NULL,
	"reason_class" text NOT NULL,
	CONSTRAINT "cover_attempts_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "cover_attempts_kind_word" CHECK ("cover_attempts"."kind" in ('FIRST_FAILURE', 'SCHEDULED', 'UNSCHEDULED')),
	CONSTRAINT "cover_attempts_network_word" CHECK ("cover_attempts"."network" in ('VISA', 'MASTERCARD', 'AMEX', 'OTHER')),
	CONSTRAINT "cover_attempts_initiator_word" CHECK ("cover_attempts"."initiator" in ('MERCHANT', 'CUSTOMER')),
	CONSTRAINT "cover_attempts_class_word" CHECK ("cover_attempts"."reason_class" in ('INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'GENERIC_REFUSAL', 'TECHNICAL', 'SUSPECTED_FRAUD', 'RESTRICTED', 'FIX_DATA_FIRST', 'CUSTOMER_MUST_ACT', 'NEVER', 'ALREADY_PAID', 'UNKNOWN'))
);
--> statement-breakpoint
CREATE TABLE "cover_customers" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cover_customers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"partner_customer_id" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"country" text,
	"time_zone" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cover_customers_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "cover_decisions" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cover_decisions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cover_id" bigint NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"end_reason" text,
	"reason_class" text,
	"floor" timestamp (3) with time zone,
	"floor_row" text,
	"alternatives" timestamp (3) with time zone[] NOT NULL,
	"budget_used" integer NOT NULL,
	"budget_limit" integer NOT NULL,
	"window_ends" timestamp (3) with time zone NOT NULL,
	"policy_version" text NOT NULL,
	"rulebook_version" text NOT NULL,
	CONSTRAINT "cover_decisions_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "cover_decisions_end_reason_word" CHECK ("cover_decisions"."end_reason" in ('MUST_NOT_RETRY', 'NEEDS_NEW_METHOD', 'NEEDS_CUSTOMER', 'ALREADY_PAID', 'WINDOW_OVER', 'NO_TRIES_LEFT', 'CANCELED', 'PAID')),
	CONSTRAINT "cover_decisions_class_word" CHECK ("cover_decisions"."reason_class" in ('INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'GENERIC_REFUSAL', 'TECHNICAL', 'SUSPECTED_FRAUD', 'RESTRICTED', 'FIX_DATA_FIRST', 'CUSTOMER_MUST_ACT', 'NEVER', 'ALREADY_PAID', 'UNKNOWN'))
);
--> statement-breakpoint
CREATE TABLE "cover_events" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cover_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"order_id" bigint,
	"subscription_id" bigint,
	"cover_id" bigint,
	"actor" text NOT NULL,
	"facts" jsonb NOT NULL,
	"notify" boolean DEFAULT false NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cover_events_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "cover_events_type_word" CHECK ("cover_events"."type" in ('ORDER_REGISTERED', 'ORDER_UPDATED', 'ORDER_STATUS_CHANGED', 'ORDER_PAID', 'ORDER_CANCELED', 'LATE_PAYMENT', 'PAYMENT_METHOD_CHANGED', 'RECOVERY_STARTED', 'RECOVERY_ATTEMPT_FAILED', 'RECOVERY_RECOVERED', 'RECOVERY_EXHAUSTED', 'RECOVERY_STOPPED', 'SUBSCRIPTION_REGISTERED', 'SUBSCRIPTION_UPDATED', 'SUBSCRIPTION_CANCELED', 'SUBSCRIPTION_ACTIVATED')),
	CONSTRAINT "cover_events_actor_word" CHECK ("cover_events"."actor" in ('CUSTOMER', 'MANAGER', 'SYSTEM'))
);
--> statement-breakpoint
CREATE TABLE "cover_order_items" (
	"vendor_id" bigint NOT NULL,
	"order_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"price_id" bigint NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "cover_order_items_pk" PRIMARY KEY("vendor_id","order_id","position"),
	CONSTRAINT "cover_order_items_quantity" CHECK ("cover_order_items"."quantity" >= 1)
);
--> statement-breakpoint
CREATE TABLE "cover_orders" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cover_orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"partner_order_id" text NOT NULL,
	"customer_id" bigint NOT NULL,
	"subscription_id" bigint,
	"status" text NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"amount_returned" numeric(21, 6) NOT NULL,
	"id_key" text,
	"payment_date" timestamp (3) with time zone,
	"canceled_date" timestamp (3) with time zone,
	"payment_info" text,
	"payment_gateway" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cover_orders_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "cover_orders_status_word" CHECK ("cover_orders"."status" in ('CREATED', 'PAID', 'CANCEL_REQ', 'CANCELED', 'CHANGE_REQ', 'CHANGE_PROCESS', 'CHANGED', 'RETURN_REQ', 'RETURN_PROCESS', 'RETURNED', 'PREPARING', 'SHIPPING', 'FULFILLED', 'FULL_REFUND', 'PARTIAL_REFUND', 'PAYMENT_FAILURE')),
	CONSTRAINT "cover_orders_gateway_word" CHECK ("cover_orders"."payment_gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21')),
	CONSTRAINT "cover_orders_amounts" CHECK ("cover_orders"."amount_returned" >= 0 and "cover_orders"."amount_returned" <= "cover_orders"."amount")
);
--> statement-breakpoint
CREATE TABLE "cover_prices" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cover_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"partner_price_id" text NOT NULL,
	"product_id" bigint NOT NULL,
	"name" text NOT NULL,
	"price" numeric(21, 6) NOT NULL,
	"is_recurring" boolean NOT NULL,
	"recurring_interval" text,
	"recurring_interval_count" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cover_prices_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "cover_prices_interval_word" CHECK ("cover_prices"."recurring_interval" in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
	CONSTRAINT "cover_prices_cycle" CHECK ("cover_prices"."is_recurring" = ("cover_prices"."recurring_interval" is not null) and "cover_prices"."is_recurring" = ("cover_prices"."recurring_interval_count" is not null)),
	CONSTRAINT "cover_prices_price_not_negative" CHECK ("cover_prices"."price" >= 0)
);
--> statement-breakpoint
CREATE TABLE "cover_products" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cover_products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"partner_product_id" text NOT NULL,
	"name" text NOT NULL,
	"featured_image_url" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cover_products_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "cover_subscriptions" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cover_subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"partner_subscription_id" text NOT NULL,
	"customer_id" bigint NOT NULL,
	"initial_order_id" bigint,
	"trial_start" timestamp (3) with time zone,
	"trial_end" timestamp (3) with time zone,
	"start" timestamp (3) with time zone,
	"current_period_start" timestamp (3) with time zone NOT NULL,
	"current_period_end" timestamp (3) with time zone NOT NULL,
	"canceled_at" timestamp (3) with time zone,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"recurring_interval" text NOT NULL,
	"recurring_interval_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cover_subscriptions_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "cover_subscriptions_interval_word" CHECK ("cover_subscriptions"."recurring_interval" in ('DAY', 'WEEK', 'MONTH', 'YEAR'))
);
--> statement-breakpoint
CREATE TABLE "covers" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "covers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"subscription_id" bigint,
	"state" text NOT NULL,
	"end_reason" text,
	"window_start" timestamp (3) with time zone NOT NULL,
	"zone_id" text NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"planned" timestamp (3) with time zone[] NOT NULL,
	"policy_version" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "covers_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "covers_state_word" CHECK ("covers"."state" in ('IN_PROGRESS', 'RECOVERED', 'EXHAUSTED', 'STOPPED')),
	CONSTRAINT "covers_end_reason_word" CHECK ("covers"."end_reason" in ('MUST_NOT_RETRY', 'NEEDS_NEW_METHOD', 'NEEDS_CUSTOMER', 'ALREADY_PAID', 'WINDOW_OVER', 'NO_TRIES_LEFT', 'CANCELED', 'PAID')),
	CONSTRAINT "covers_end" CHECK (("covers"."state" = 'IN_PROGRESS') = ("covers"."retry_at" is not null) and ("covers"."state" = 'IN_PROGRESS') = ("covers"."ended_at" is null) and ("covers"."state" = 'IN_PROGRESS') = ("covers"."end_reason" is null))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vendors" ADD CONSTRAINT "vendors_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_attempts" ADD CONSTRAINT "cover_attempts_cover_fk" FOREIGN KEY ("vendor_id","cover_id") REFERENCES "public"."covers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_customers" ADD CONSTRAINT "cover_customers_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_decisions" ADD CONSTRAINT "cover_decisions_cover_fk" FOREIGN KEY ("vendor_id","cover_id") REFERENCES "public"."covers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_events" ADD CONSTRAINT "cover_events_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."cover_orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_events" ADD CONSTRAINT "cover_events_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."cover_subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_events" ADD CONSTRAINT "cover_events_cover_fk" FOREIGN KEY ("vendor_id","cover_id") REFERENCES "public"."covers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_order_items" ADD CONSTRAINT "cover_order_items_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."cover_orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_order_items" ADD CONSTRAINT "cover_order_items_price_fk" FOREIGN KEY ("vendor_id","price_id") REFERENCES "public"."cover_prices"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_orders" ADD CONSTRAINT "cover_orders_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."cover_customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_orders" ADD CONSTRAINT "cover_orders_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."cover_subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_prices" ADD CONSTRAINT "cover_prices_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."cover_products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_products" ADD CONSTRAINT "cover_products_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_subscriptions" ADD CONSTRAINT "cover_subscriptions_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."cover_customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cover_subscriptions" ADD CONSTRAINT "cover_subscriptions_initial_order_fk" FOREIGN KEY ("vendor_id","initial_order_id") REFERENCES "public"."cover_orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."cover_orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."cover_subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "vendors_uuid" ON "vendors" USING btree ("uuid");--> statement-breakpoint
CREATE INDEX "vendors_parent" ON "vendors" USING btree ("parent_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cover_attempts_number" ON "cover_attempts" USING btree ("vendor_id","cover_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "cover_customers_partner_id" ON "cover_customers" USING btree ("vendor_id","partner_customer_id");--> statement-breakpoint
CREATE INDEX "cover_customers_created" ON "cover_customers" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cover_customers_email" ON "cover_customers" USING btree ("vendor_id",lower("email"),"created_at","id");--> statement-breakpoint
CREATE INDEX "cover_decisions_cover" ON "cover_decisions" USING btree ("vendor_id","cover_id","decided_at","id");--> statement-breakpoint
CREATE INDEX "cover_events_order" ON "cover_events" USING btree ("vendor_id","order_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "cover_events_subscription" ON "cover_events" USING btree ("vendor_id","subscription_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "cover_events_cover" ON "cover_events" USING btree ("vendor_id","cover_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "cover_order_items_price" ON "cover_order_items" USING btree ("vendor_id","price_id");--> statement-breakpoint
CREATE UNIQUE INDEX "cover_orders_partner_id" ON "cover_orders" USING btree ("vendor_id","partner_order_id");--> statement-breakpoint
CREATE INDEX "cover_orders_created" ON "cover_orders" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cover_orders_status" ON "cover_orders" USING btree ("vendor_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "cover_orders_customer" ON "cover_orders" USING btree ("vendor_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cover_orders_subscription" ON "cover_orders" USING btree ("vendor_id","subscription_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cover_prices_partner_id" ON "cover_prices" USING btree ("vendor_id","partner_price_id");--> statement-breakpoint
CREATE INDEX "cover_prices_created" ON "cover_prices" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cover_prices_product" ON "cover_prices" USING btree ("vendor_id","product_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cover_products_partner_id" ON "cover_products" USING btree ("vendor_id","partner_product_id");--> statement-breakpoint
CREATE INDEX "cover_products_created" ON "cover_products" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cover_subscriptions_partner_id" ON "cover_subscriptions" USING btree ("vendor_id","partner_subscription_id");--> statement-breakpoint
CREATE INDEX "cover_subscriptions_created" ON "cover_subscriptions" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cover_subscriptions_customer" ON "cover_subscriptions" USING btree ("vendor_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cover_subscriptions_initial_order" ON "cover_subscriptions" USING btree ("vendor_id","initial_order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "covers_one_in_progress" ON "covers" USING btree ("vendor_id","order_id") WHERE state = 'IN_PROGRESS';--> statement-breakpoint
CREATE INDEX "covers_order" ON "covers" USING btree ("vendor_id","order_id","started_at","id");--> statement-breakpoint
CREATE INDEX "covers_subscription" ON "covers" USING btree ("vendor_id","subscription_id","started_at","id");--> statement-breakpoint
CREATE INDEX "covers_started" ON "covers" USING btree ("vendor_id","started_at","id");--> statement-breakpoint
CREATE INDEX "covers_state" ON "covers" USING btree ("vendor_id","state","started_at","id");--> statement-breakpoint
CREATE INDEX "covers_next" ON "covers" USING btree ("vendor_id",coalesce(retry_at, ended_at),"id");