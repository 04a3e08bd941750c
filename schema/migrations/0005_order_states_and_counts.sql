-- Which states the product lines of an order are in. Whoever moves lines holds the order, so two moves never overlap.
create function keep_order_states() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into order_states (vendor_id, status, created_at, order_id)
    select distinct line.vendor_id, line.status, orders.created_at, line.order_id
    from added line
    join orders on orders.vendor_id = line.vendor_id and orders.id = line.order_id
    where line.type = 'SKU'
    on conflict do nothing;
  end if;
  if tg_op <> 'INSERT' then
    delete from order_states state
    using (select distinct vendor_id, order_id from removed where type = 'SKU') touched
    where state.vendor_id = touched.vendor_id and state.order_id = touched.order_id
      and not exists (
        select from order_items line
        where line.vendor_id = state.vendor_id and line.order_id = state.order_id
          and line.type = 'SKU' and line.status = state.status);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger order_items_added after insert on order_items
  referencing new table as added for each statement execute function keep_order_states();
--> statement-breakpoint
create trigger order_items_moved after update on order_items
  referencing old table as removed new table as added for each statement execute function keep_order_states();
--> statement-breakpoint
create trigger order_items_removed after delete on order_items
  referencing old table as removed for each statement execute function keep_order_states();
--> statement-breakpoint
-- How many orders each day has, in all and in each state. The argument says which: 'ALL' for orders, 'STATES' for their states.
create function keep_order_counts() returns trigger language plpgsql as $$
declare
  counted text := case tg_argv[0] when 'ALL' then '''''' else 'status' end;
  source text := case tg_op when 'INSERT' then 'added' else 'removed' end;
  sign text := case tg_op when 'INSERT' then '' else '-' end;
begin
  execute format(
    'insert into order_counts as known (vendor_id, status, day, slot, total)
     select vendor_id, %s, (created_at at time zone ''UTC'')::date, pg_backend_pid() %% 8, %s count(*)
     from %s group by 1, 2, 3 order by 1, 2, 3
     on conflict (vendor_id, status, day, slot) do update set total = known.total + excluded.total',
    counted, sign, source);
  return null;
end $$;
--> statement-breakpoint
create trigger orders_counted after insert on orders
  referencing new table as added for each statement execute function keep_order_counts('ALL');
--> statement-breakpoint
create trigger orders_uncounted after delete on orders
  referencing old table as removed for each statement execute function keep_order_counts('ALL');
--> statement-breakpoint
create trigger order_states_counted after insert on order_states
  referencing new table as added for each statement execute function keep_order_counts('STATES');
--> statement-breakpoint
create trigger order_states_uncounted after delete on order_states
  referencing old table as removed for each statement execute function keep_order_counts('STATES');
