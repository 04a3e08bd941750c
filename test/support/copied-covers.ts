import { sql } from "drizzle-orm";
import type { TestGateway } from "./test-gateway.ts";

/** Copies a vendor's covers so far with all that belongs to them, each for a payer of its own: reporting hundreds takes long. */
export async function copyCovers(gateway: TestGateway, vendorId: number, times: number): Promise<void> {
  const newId = (table: string) => `nextval(pg_get_serial_sequence('${table}', 'id'))`;
  const copy = (table: string, of: string, changes: string) =>
    `insert into ${table} overriding system value select (jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${changes}))).*
      from numbered n join ${table} r on ${of}`;
  await gateway.database.handle.execute(
    sql.raw(`with numbered as (
        select c.id as cover, o.id as "order", o.customer_id as customer, ${newId("covers")} as new_cover, ${newId("cover_orders")} as new_order,
          ${newId("cover_customers")} as new_customer
        from covers c join cover_orders o on o.id = c.order_id, generate_series(1, ${times}) where c.vendor_id = ${vendorId}),
      customers as (${copy("cover_customers", "r.id = n.customer", `'id', new_customer, 'partner_customer_id', 'copy ' || new_customer`)}),
      orders as (${copy("cover_orders", `r.id = n."order"`, `'id', new_order, 'customer_id', new_customer, 'partner_order_id', 'copy ' || new_order`)}),
      copies as (${copy("covers", "r.id = n.cover", `'id', new_cover, 'order_id', new_order`)}),
      attempts as (${copy("cover_attempts", "r.cover_id = n.cover", `'id', ${newId("cover_attempts")}, 'cover_id', new_cover`)})
    ${copy("cover_decisions", "r.cover_id = n.cover", `'id', ${newId("cover_decisions")}, 'cover_id', new_cover`)}`),
  );
}
