import { createHash } from "node:crypto";
import Fastify from "fastify";
import postgres from "postgres";

/**
 * The minimum for POST /cover/recovery: the statements of a first failure, written by hand, behind a bare Fastify
 * handler. No schema, no checks, no engine: the difference is the cost of these.
 */
export async function startBareServer(
  url: string,
  connections: number,
): Promise<{ address: string; close: () => Promise<void> }> {
  const sql = postgres(url, { max: connections, onnotice: () => undefined });
  const server = Fastify();

  server.post("/recovery", async (request, reply) => {
    const { subscriptionId, orderId, errorCode } = request.body as {
      subscriptionId: number;
      orderId: number;
      errorCode: string;
    };
    const token = createHash("sha256").update(String(request.headers["secret-token"])).digest();
    const [key] = await sql`
      select k.id, k.vendor_id, v.zone_id, v.enabled from api_keys k join vendors v on v.id = k.vendor_id
      left join vendors p on p.id = v.parent_id where k.hash = ${token} and k.revoked_at is null`;
    const vendorId = key!["vendor_id"] as number;
    const answer = await sql.begin(async (tx) => {
      const now = new Date();
      const [subscription] =
        await tx`select * from cover_subscriptions where vendor_id = ${vendorId} and id = ${subscriptionId} for no key update`;
      const [order] =
        await tx`select * from cover_orders where vendor_id = ${vendorId} and id = ${orderId} for no key update`;
      await tx`select * from covers where vendor_id = ${vendorId} and order_id = ${orderId} order by started_at desc, id desc limit 1 for no key update`;
      await tx`select * from cover_customers where vendor_id = ${vendorId} and id = ${order!["customer_id"] as number}`;
      const days = [1, 3, 5, 10, 14].map((day) => new Date(now.getTime() + day * 86_400_000));
      const [cover] = await tx`
        insert into covers (vendor_id, order_id, subscription_id, state, window_start, zone_id, retry_at, planned, policy_version, started_at)
        values (${vendorId}, ${orderId}, ${subscription!["id"] as number}, 'IN_PROGRESS', ${now}, 'Asia/Seoul', ${days[0]!}, ${toPgArray(days)}::timestamptz[], 'bare', ${now})
        returning *`;
      const coverId = cover!["id"] as number;
      await Promise.all([
        tx`insert into event_log (vendor_id, type, subject, subject_id, trigger, cover_order_id, cover_subscription_id, cover_id, actor, facts, occurred_at)
          values (${vendorId}, 'COVER_STARTED', 'COVER', ${coverId}, 'RECOVERY_STARTED', ${orderId}, ${subscriptionId}, ${coverId}, 'SYSTEM', ${sql.json({})}, ${now})`,
        tx`insert into cover_attempts (vendor_id, cover_id, number, kind, attempted_at, error_code, initiator, reason_class)
          values (${vendorId}, ${coverId}, 1, 'FIRST_FAILURE', ${now}, ${errorCode}, 'MERCHANT', 'INSUFFICIENT_FUNDS')`,
        tx`insert into cover_decisions (vendor_id, cover_id, decided_at, retry_at, reason_class, alternatives, budget_used, budget_limit, window_ends, policy_version, rulebook_version)
          values (${vendorId}, ${coverId}, ${now}, ${days[0]!}, 'INSUFFICIENT_FUNDS', ${toPgArray(days.slice(1))}::timestamptz[], 0, 5, ${days[4]!}, 'bare', 'bare')`,
        tx`update cover_orders set status = 'PAYMENT_FAILURE', modified_at = ${now} where vendor_id = ${vendorId} and id = ${orderId} returning *`,
        tx`insert into event_log (vendor_id, type, subject, subject_id, trigger, cover_order_id, actor, facts, occurred_at)
          values (${vendorId}, 'ORDER_PAYMENT_FAILED', 'COVER_ORDER', ${orderId}, 'ORDER_STATUS_CHANGED', ${orderId}, 'MANAGER', ${sql.json({})}, ${now})`,
      ]);
      return { coverId, retryDate: days[0] };
    });
    return reply.code(201).send(answer);
  });

  const address = await server.listen({ port: 0, host: "127.0.0.1" });
  return {
    address,
    close: async () => {
      await server.close();
      await sql.end();
    },
  };
}

const toPgArray = (days: Date[]) => `{${days.map((day) => day.toISOString()).join(",")}}`;
