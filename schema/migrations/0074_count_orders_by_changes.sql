CREATE TABLE "order_count_changes" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "order_count_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"day" date NOT NULL,
	"change" integer NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_count_changes_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
-- Gateways of this version write order_states and order_count_changes themselves, in the statements of src/orders/order-totals.repository.ts,
-- and only where the function keep_order_counts does not exist. Where it exists, the triggers of migration 0005 write for all gateways.
-- Gateways of earlier versions, which rely on the triggers, may serve a database that has vendors: there the triggers stay until the version
-- after 0.1.0. A database without vendors has no such gateways, and one without these triggers needs no functions.
do $$
begin
  if not exists (select from vendors) or not exists (select from pg_trigger where tgfoid = to_regproc('keep_order_counts')) then
    drop trigger if exists orders_counted on orders;
    drop trigger if exists orders_uncounted on orders;
    drop trigger if exists order_items_added on order_items;
    drop trigger if exists order_items_moved on order_items;
    drop trigger if exists order_items_removed on order_items;
    drop trigger if exists order_states_counted on order_states;
    drop trigger if exists order_states_uncounted on order_states;
    drop function if exists keep_order_states();
    drop function if exists keep_order_counts();
  end if;
end $$;
--> statement-breakpoint
-- Gateways from before migration 0022, which wrote the old word LAST, are many versions old. This one and the one before it write the new word.
drop trigger if exists price_plans_usage_word on price_plans;
--> statement-breakpoint
drop function if exists price_plans_usage_word();
--> statement-breakpoint
-- The views through which gateways from before migration 0039 read and wrote the event log. This version and the one before it use event_log itself.
drop view if exists "events";
--> statement-breakpoint
drop view if exists "cover_events";
--> statement-breakpoint
drop function if exists log_event_of_older_gateway();
--> statement-breakpoint
drop function if exists log_cover_event_of_older_gateway();
--> statement-breakpoint
drop function if exists billing_event_type(text, text, text, text);
--> statement-breakpoint
drop function if exists cover_event_type(text, text);
