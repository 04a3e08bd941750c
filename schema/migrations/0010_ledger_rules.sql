-- Entries of an order sum to zero at the end of every transaction, and what was written stays.
create function refuse_unbalanced_ledger() returns trigger language plpgsql as $$
begin
  if (select sum(amount) from ledger_entries entry
      where entry.vendor_id = new.vendor_id and entry.order_id = new.order_id) <> 0 then
    raise exception 'the ledger of order % does not sum to zero', new.order_id
      using errcode = 'check_violation', constraint = 'ledger_entries_balance';
  end if;
  return null;
end $$;
--> statement-breakpoint
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function refuse_unbalanced_ledger();
--> statement-breakpoint
create function refuse_rewriting_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the ledger are only added'
    using errcode = 'check_violation', constraint = 'ledger_entries_append_only';
end $$;
--> statement-breakpoint
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_rewriting_ledger();
