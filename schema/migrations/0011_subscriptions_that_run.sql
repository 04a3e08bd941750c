CREATE TABLE "subscription_units" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "subscription_units_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"item_id" bigint NOT NULL,
	"series" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"change" numeric(21, 6) NOT NULL,
	"order_id" bigint,
	"actor" text NOT NULL,
	"note" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscription_units_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "subscription_units_series_word" CHECK ("subscription_units"."series" in ('RECORD', 'QUOTA')),
	CONSTRAINT "subscription_units_actor_word" CHECK ("subscription_units"."actor" in ('CUSTOMER', 'MANAGER', 'SYSTEM'))
);
--> statement-breakpoint
DROP INDEX "subscriptions_due";--> statement-breakpoint
ALTER TABLE "subscription_items" ADD COLUMN "next_price_id" bigint;--> statement-breakpoint
ALTER TABLE "subscription_items" ADD COLUMN "next_price" numeric(21, 6);--> statement-breakpoint
ALTER TABLE "subscription_items" ADD COLUMN "charged_cycles" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscription_items" ADD COLUMN "activated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscription_items" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "when_to_claim_type" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "billing_date" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "provide_start_day" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "next_interval" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "next_interval_count" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "cycle_anchor" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "charged_cycle" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "renewal_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "current_period_start" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "current_period_end" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "membership_end_date" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "expiry_recurring_count" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "pause_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "resume_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "cancel_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "canceled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "act_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "refundable_amount" numeric(21, 6) DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "subscriptions" SET "cycle_anchor" = "start_date", "current_period_start" = "start_date", "current_period_end" = coalesce("next_payment_date", "start_date");--> statement-breakpoint
ALTER TABLE "subscriptions" ALTER COLUMN "cycle_anchor" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ALTER COLUMN "current_period_start" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ALTER COLUMN "current_period_end" SET NOT NULL;--> statement-breakpoint
UPDATE "subscription_items" SET "activated_at" = "created_at";--> statement-breakpoint
ALTER TABLE "subscription_units" ADD CONSTRAINT "subscription_units_item_fk" FOREIGN KEY ("vendor_id","item_id") REFERENCES "public"."subscription_items"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_units" ADD CONSTRAINT "subscription_units_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscription_units_item" ON "subscription_units" USING btree ("vendor_id","item_id","at","id");--> statement-breakpoint
CREATE INDEX "subscription_units_order" ON "subscription_units" USING btree ("vendor_id","order_id");--> statement-breakpoint
ALTER TABLE "subscription_items" ADD CONSTRAINT "subscription_items_next_price_fk" FOREIGN KEY ("vendor_id","next_price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscription_items_next_price" ON "subscription_items" USING btree ("vendor_id","next_price_id");--> statement-breakpoint
CREATE INDEX "subscriptions_acting" ON "subscriptions" USING btree ("vendor_id","act_at","id") WHERE act_at is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("vendor_id","next_payment_date","id") WHERE status in ('ACTIVE', 'QUEUEING', 'PENDING_PAUSE', 'PENDING_CANCEL');--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_when_word" CHECK ("subscriptions"."when_to_claim_type" in ('FIRST_PAYMENT', 'DATE'));--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_next_word" CHECK ("subscriptions"."next_interval" in ('DAY', 'WEEK', 'MONTH', 'YEAR'));--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_next_cycle" CHECK (("subscriptions"."next_interval" is null) = ("subscriptions"."next_interval_count" is null));--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_counts" CHECK ("subscriptions"."charged_cycle" >= 0 and "subscriptions"."renewal_count" >= 0 and "subscriptions"."refundable_amount" >= 0);