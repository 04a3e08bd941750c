CREATE TABLE "decline_mappings" (
	"vendor_id" bigint NOT NULL,
	"gateway" text NOT NULL,
	"code" text NOT NULL,
	"reason_class" text NOT NULL,
	"mapped_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "decline_mappings_pk" PRIMARY KEY("vendor_id","gateway","code"),
	CONSTRAINT "decline_mappings_gateway_word" CHECK ("decline_mappings"."gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21')),
	CONSTRAINT "decline_mappings_class_word" CHECK ("decline_mappings"."reason_class" in ('INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'GENERIC_REFUSAL', 'TECHNICAL', 'SUSPECTED_FRAUD', 'RESTRICTED', 'FIX_DATA_FIRST', 'CUSTOMER_MUST_ACT', 'NEVER', 'ALREADY_PAID', 'UNKNOWN'))
);
--> statement-breakpoint
CREATE TABLE "recovery_policies" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "recovery_policies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state" text NOT NULL,
	"terms" jsonb NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"activated_at" timestamp (3) with time zone,
	"retired_at" timestamp (3) with time zone,
	CONSTRAINT "recovery_policies_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "recovery_policies_state_word" CHECK ("recovery_policies"."state" in ('PROPOSED', 'ACTIVE', 'RETIRED'))
);
--> statement-breakpoint
CREATE TABLE "recovery_cases" (
	"vendor_id" bigint NOT NULL,
	"day" date NOT NULL,
	"reason_class" text NOT NULL,
	"gateway" text NOT NULL,
	"country" text NOT NULL,
	"shard" smallint NOT NULL,
	"cases" integer DEFAULT 0 NOT NULL,
	"amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	"recovered" integer DEFAULT 0 NOT NULL,
	"recovered_amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	"lost" integer DEFAULT 0 NOT NULL,
	"lost_amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	CONSTRAINT "recovery_cases_pk" PRIMARY KEY("vendor_id","day","reason_class","gateway","country","shard"),
	CONSTRAINT "recovery_cases_class_word" CHECK ("recovery_cases"."reason_class" in ('INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'GENERIC_REFUSAL', 'TECHNICAL', 'SUSPECTED_FRAUD', 'RESTRICTED', 'FIX_DATA_FIRST', 'CUSTOMER_MUST_ACT', 'NEVER', 'ALREADY_PAID', 'UNKNOWN')),
	CONSTRAINT "recovery_cases_gateway_word" CHECK ("recovery_cases"."gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21'))
);
--> statement-breakpoint
CREATE TABLE "recovery_tries" (
	"vendor_id" bigint NOT NULL,
	"day" date NOT NULL,
	"attempt" integer NOT NULL,
	"days_taken" integer NOT NULL,
	"shard" smallint NOT NULL,
	"recovered" integer DEFAULT 0 NOT NULL,
	"recovered_amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	CONSTRAINT "recovery_tries_pk" PRIMARY KEY("vendor_id","day","attempt","days_taken","shard")
);
--> statement-breakpoint
CREATE TABLE "unmapped_declines" (
	"vendor_id" bigint NOT NULL,
	"gateway" text NOT NULL,
	"code" text NOT NULL,
	"shard" smallint NOT NULL,
	"message" text,
	"declines" integer DEFAULT 0 NOT NULL,
	"lost" integer DEFAULT 0 NOT NULL,
	"lost_amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	"first_seen" timestamp (3) with time zone NOT NULL,
	"last_seen" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unmapped_declines_pk" PRIMARY KEY("vendor_id","gateway","code","shard"),
	CONSTRAINT "unmapped_declines_gateway_word" CHECK ("unmapped_declines"."gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21'))
);
--> statement-breakpoint
ALTER TABLE "cover_events" DROP CONSTRAINT "cover_events_type_word";--> statement-breakpoint
ALTER TABLE "cover_orders" ADD COLUMN "payment_method" text;--> statement-breakpoint
ALTER TABLE "cover_subscriptions" ADD COLUMN "ended_as" text;--> statement-breakpoint
ALTER TABLE "cover_decisions" ADD COLUMN "inputs" jsonb;--> statement-breakpoint
ALTER TABLE "cover_decisions" ADD COLUMN "outcome" jsonb;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "policy" jsonb;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "started_on" date;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "reason_class" text;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "gateway" text;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "amount" numeric(21, 6);--> statement-breakpoint
ALTER TABLE "decline_mappings" ADD CONSTRAINT "decline_mappings_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_policies" ADD CONSTRAINT "recovery_policies_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_cases" ADD CONSTRAINT "recovery_cases_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_tries" ADD CONSTRAINT "recovery_tries_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unmapped_declines" ADD CONSTRAINT "unmapped_declines_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_policies_one_active" ON "recovery_policies" USING btree ("vendor_id") WHERE state = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "recovery_policies_proposed" ON "recovery_policies" USING btree ("vendor_id","proposed_at","id");--> statement-breakpoint
ALTER TABLE "cover_orders" ADD CONSTRAINT "cover_orders_method_word" CHECK ("cover_orders"."payment_method" in ('CARD', 'VBANK', 'BANK', 'BANK_TRANSFER', 'CELLPHONE', 'SIMPLE_PAY', 'CMS', 'CARD_BILL', 'CELLPHONE_BILL', 'CMS_BILL', 'ONLINE_WALLET'));--> statement-breakpoint
ALTER TABLE "cover_subscriptions" ADD CONSTRAINT "cover_subscriptions_ended_word" CHECK ("cover_subscriptions"."ended_as" in ('PAUSE', 'EXPIRED'));--> statement-breakpoint
ALTER TABLE "cover_events" ADD CONSTRAINT "cover_events_type_word" CHECK ("cover_events"."type" in ('ORDER_REGISTERED', 'ORDER_UPDATED', 'ORDER_STATUS_CHANGED', 'ORDER_PAID', 'ORDER_CANCELED', 'LATE_PAYMENT', 'PAYMENT_METHOD_CHANGED', 'RECOVERY_STARTED', 'RECOVERY_ATTEMPT_FAILED', 'RECOVERY_RECOVERED', 'RECOVERY_EXHAUSTED', 'RECOVERY_STOPPED', 'SUBSCRIPTION_REGISTERED', 'SUBSCRIPTION_UPDATED', 'SUBSCRIPTION_CANCELED', 'SUBSCRIPTION_ACTIVATED', 'SUBSCRIPTION_PAUSED', 'SUBSCRIPTION_EXPIRED'));--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_class_word" CHECK ("covers"."reason_class" in ('INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'GENERIC_REFUSAL', 'TECHNICAL', 'SUSPECTED_FRAUD', 'RESTRICTED', 'FIX_DATA_FIRST', 'CUSTOMER_MUST_ACT', 'NEVER', 'ALREADY_PAID', 'UNKNOWN'));--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_gateway_word" CHECK ("covers"."gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21'));--> statement-breakpoint
-- What earlier covers are counted under, as far as it can be told, and the counts themselves.
UPDATE "covers" c SET
	"started_on" = (c."started_at" AT TIME ZONE v."zone_id")::date,
	"amount" = o."amount",
	"gateway" = o."payment_gateway",
	"country" = coalesce(u."country", v."country"),
	"reason_class" = coalesce((SELECT a."reason_class" FROM "cover_attempts" a WHERE a."vendor_id" = c."vendor_id" AND a."cover_id" = c."id" AND a."number" = 1), 'UNKNOWN')
FROM "cover_orders" o, "cover_customers" u, "vendors" v
WHERE o."vendor_id" = c."vendor_id" AND o."id" = c."order_id" AND u."vendor_id" = o."vendor_id" AND u."id" = o."customer_id" AND v."id" = c."vendor_id";--> statement-breakpoint
INSERT INTO "recovery_cases" ("vendor_id", "day", "reason_class", "gateway", "country", "shard", "cases", "amount", "recovered", "recovered_amount", "lost", "lost_amount")
SELECT "vendor_id", "started_on", "reason_class", "gateway", "country", 0, count(*), sum("amount"),
	count(*) FILTER (WHERE "state" = 'RECOVERED'), coalesce(sum("amount") FILTER (WHERE "state" = 'RECOVERED'), 0),
	count(*) FILTER (WHERE "state" IN ('EXHAUSTED', 'STOPPED')), coalesce(sum("amount") FILTER (WHERE "state" IN ('EXHAUSTED', 'STOPPED')), 0)
FROM "covers" WHERE "started_on" IS NOT NULL
GROUP BY 1, 2, 3, 4, 5;--> statement-breakpoint
INSERT INTO "recovery_tries" ("vendor_id", "day", "attempt", "days_taken", "shard", "recovered", "recovered_amount")
SELECT c."vendor_id", c."started_on", t."attempt", t."days_taken", 0, count(*), sum(c."amount")
FROM "covers" c CROSS JOIN LATERAL (
	SELECT 1 + count(*) FILTER (WHERE a."kind" <> 'FIRST_FAILURE') AS "attempt",
		floor(extract(epoch FROM c."ended_at" - c."started_at") / 86400)::integer AS "days_taken"
	FROM "cover_attempts" a WHERE a."vendor_id" = c."vendor_id" AND a."cover_id" = c."id") t
WHERE c."state" = 'RECOVERED' AND c."started_on" IS NOT NULL
GROUP BY 1, 2, 3, 4;
