CREATE TABLE "database_identity" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"identity" text NOT NULL,
	"restored_at" timestamp (3) with time zone,
	CONSTRAINT "database_identity_one_row" CHECK ("database_identity"."is_only")
);
--> statement-breakpoint
ALTER TABLE "vendors" ADD COLUMN "clock_charges" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vendors" ADD COLUMN "clock_day" date;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD COLUMN "released_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "attempt" integer;--> statement-breakpoint
ALTER TABLE "simulated_charges" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "simulated_charges" ADD COLUMN "attempt" integer;--> statement-breakpoint
CREATE INDEX "simulated_charges_subject" ON "simulated_charges" USING btree ("vendor_id","subject");--> statement-breakpoint
create or replace function refuse_unbalanced_ledger() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_entries entry where entry.vendor_id = new.vendor_id and entry.order_id = new.order_id
      group by entry.currency having sum(entry.amount) <> 0) then
    raise exception 'the ledger of order % does not sum to zero in each currency', new.order_id
      using errcode = 'check_violation', constraint = 'ledger_entries_balance';
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger ledger_entries_not_emptied before truncate on ledger_entries
  for each statement execute function refuse_rewriting_ledger();
--> statement-breakpoint
alter table ledger_entries enable always trigger ledger_entries_balance;
--> statement-breakpoint
alter table ledger_entries enable always trigger ledger_entries_append_only;
--> statement-breakpoint
alter table ledger_entries enable always trigger ledger_entries_not_emptied;
