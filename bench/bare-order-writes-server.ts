import { createHash, randomBytes } from "node:crypto";
import Fastify from "fastify";
import postgres from "postgres";

/*
 * The minimum for a new order: the token's statement, and one statement, written by hand, that reads what the order has of its
 * customer, product and plan and inserts it with its line, its state and its counts, behind a bare Fastify handler. A process of its own.
 */

const sql = postgres(process.env["DATABASE_URL"]!, { max: 10, onnotice: () => undefined });
const server = Fastify();

server.post("/orders", async (request, reply) => {
  const token = createHash("sha256").update(String(request.headers["secret-token"])).digest();
  const [key] = await sql`
    select k.vendor_id, v.enabled from api_keys k join vendors v on v.id = k.vendor_id
    left join vendors p on p.id = v.parent_id where k.hash = ${token} and k.revoked_at is null`;
  const vendorId = key!["vendor_id"] as number;
  const { customerId, items } = request.body as {
    customerId: number;
    items: [{ productCode: string; priceCode: string }];
  };
  const [{ productCode, priceCode }] = items;
  const name = randomBytes(12).toString("hex");
  const [order] = await sql`
    with offer as (
      select c.id as customer_id, c.name, c.phone, c.email, p.id as product_id, p.name as product_name, r.id as price_id, r.price, r.plan_name
      from customers c, products p, price_plans r
      where c.vendor_id = ${vendorId} and c.id = ${customerId} and p.vendor_id = ${vendorId} and p.code = ${productCode}
        and r.vendor_id = ${vendorId} and r.code = ${priceCode}),
    added as (
      insert into orders (vendor_id, code, id_key, type, customer_id, customer_name, customer_phone, customer_email, product_name, currency,
        base_currency, exchange_rate, amount, discounted_amount, paid_amount, returned_amount, claim_method_type, created_at, modified_at)
      select ${vendorId}, ${`order_${name}`}, ${name}, 'ONE_TIME', customer_id, name, phone, email, product_name, 'KRW', 'KRW', 1, price, 0, 0, 0, 'PRE',
        now(), now() from offer returning *),
    line as (
      insert into order_items (vendor_id, code, order_id, position, type, status, amount, paid_amount, returned_amount, currency, quantity,
        product_id, price_id, unit_price, ordered_product_name, ordered_plan_name, created_at, modified_at)
      select ${vendorId}, ${`order_item_${name}`}, added.id, 0, 'SKU', 'CREATED', price, 0, 0, 'KRW', 1, product_id, price_id, price, offer.product_name,
        plan_name, now(), now() from offer, added returning *),
    state as (
      insert into order_states (vendor_id, status, created_at, order_id) select ${vendorId}, 'CREATED', created_at, id from added),
    counted as (
      insert into order_count_changes (vendor_id, status, day, change)
      select ${vendorId}, status, now()::date, 1 from unnest(array['', 'CREATED']) status, added)
    select json_build_object('order', to_json(added), 'items', json_build_array(to_json(line)))::text as body from added, line`;
  return reply.status(201).type("application/json").send(order!["body"]);
});

console.log(await server.listen({ port: 0, host: "127.0.0.1" }));
process.once("SIGTERM", () => void server.close().then(() => process.exit(0)));
