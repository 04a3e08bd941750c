import { createHash } from "node:crypto";
import Fastify from "fastify";
import postgres from "postgres";

/*
 * The minimum for a page of orders: the token's statement and one `json_agg` statement, written by hand, behind a bare
 * Fastify handler that passes the database's text on. A process of its own, so that its memory can be measured.
 */

const sql = postgres(process.env["DATABASE_URL"]!, { max: 10, onnotice: () => undefined });
const server = Fastify();

server.get("/orders", async (request, reply) => {
  const token = createHash("sha256").update(String(request.headers["secret-token"])).digest();
  const [key] = await sql`
    select k.id, k.vendor_id, v.zone_id, v.enabled from api_keys k join vendors v on v.id = k.vendor_id
    left join vendors p on p.id = v.parent_id where k.hash = ${token} and k.revoked_at is null`;
  const vendorId = key!["vendor_id"] as number;
  const [page] = await sql`
    select json_agg(o.node)::text as nodes from (
      select json_build_object(
        'databaseId', o.id::text, 'code', o.code, 'type', o.type, 'productName', o.product_name, 'currency', o.currency,
        'paidAmount', o.paid_amount::text, 'returnedAmount', o.returned_amount::text, 'createdAt', to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'customer', (select json_build_object('databaseId', c.id::text, 'code', c.code, 'name', c.name, 'email', c.email, 'phone', c.phone)
          from customers c where c.vendor_id = o.vendor_id and c.id = o.customer_id),
        'items', (select coalesce(json_agg(json_build_object(
            'databaseId', i.id::text, 'code', i.code, 'type', i.type, 'status', i.status, 'quantity', i.quantity, 'amount', i.amount::text, 'paidAmount', i.paid_amount::text,
            'price', (select json_build_object('databaseId', p.id::text, 'code', p.code, 'type', p.type, 'price', p.price::text, 'planName', p.plan_name)
              from price_plans p where p.vendor_id = i.vendor_id and p.id = i.price_id),
            'product', (select json_build_object('databaseId', p.id::text, 'code', p.code, 'type', p.type, 'status', p.status, 'name', p.name)
              from products p where p.vendor_id = i.vendor_id and p.id = i.product_id)) order by i.position), '[]')
          from order_items i where i.vendor_id = o.vendor_id and i.order_id = o.id)) as node
      from orders o where o.vendor_id = ${vendorId} order by o.created_at desc, o.id desc limit 50) o`;
  return reply.type("application/json").send(`{"data":{"orders":{"nodes":${page!["nodes"] as string}}}}`);
});

console.log(await server.listen({ port: 0, host: "127.0.0.1" }));
process.once("SIGTERM", () => void server.close().then(() => process.exit(0)));
