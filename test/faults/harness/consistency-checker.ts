import type { Sql } from "postgres";
import type { LoggedRequest } from "./fault-client.ts";

/** Compares the client's log with the database, and returns a sentence for every difference. */
export async function findInconsistencies(sql: Sql, log: readonly LoggedRequest[]): Promise<string[]> {
  return [...(await findLostWrites(sql, log)), ...(await findBrokenInvariants(sql)), ...findWrongResponses(log)];
}

const entriesOfPath = (log: readonly LoggedRequest[], path: string) =>
  log.filter((entry) => entry.path.startsWith(path));

/** Every acknowledged write is there, with the acknowledged values. */
async function findLostWrites(sql: Sql, log: readonly LoggedRequest[]): Promise<string[]> {
  const problems: string[] = [];
  const customers = await sql`select id::int, partner_customer_id from cover_customers`;
  const customerIds = new Map(customers.map((row) => [row["partner_customer_id"], row["id"]]));
  for (const { body, acknowledged } of entriesOfPath(log, "/cover/customer")) {
    const id = customerIds.get(body.partnerCustomerId);
    if (acknowledged && id !== acknowledged.id) problems.push(`customer ${acknowledged.id} is lost`);
  }

  const orders = await sql`select id::int, partner_order_id, status from cover_orders`;
  const orderIds = new Map(orders.map((row) => [row["partner_order_id"], row["id"]]));
  const statuses = new Map(orders.map((row) => [row["id"], row["status"]]));
  for (const { body, acknowledged } of log.filter(({ path }) => path === "/cover/order")) {
    const id = orderIds.get(body.partnerOrderId);
    if (acknowledged && id !== acknowledged.id) problems.push(`order ${acknowledged.id} is lost`);
  }
  for (const { path, acknowledged } of entriesOfPath(log, "/cover/order/success/")) {
    const id = Number(path.split("/").at(-1));
    if (acknowledged && statuses.get(id) !== "PAID") problems.push(`the payment of order ${id} is lost`);
  }

  const covers = await sql`
    select id::int, order_id::int, state, retry_at,
      (select count(*)::int from cover_attempts a where a.vendor_id = c.vendor_id and a.cover_id = c.id) as attempts
    from covers c`;
  const coverOf = new Map(covers.map((row) => [row["order_id"], row]));
  const paid = entriesOfPath(log, "/cover/order/success/").map(({ path }) => Number(path.split("/").at(-1)));
  const reports = entriesOfPath(log, "/cover/recovery");
  for (const orderId of new Set(reports.map(({ body }) => body.orderId as number))) {
    const sentReports = reports.filter(({ body }) => body.orderId === orderId);
    const answers = sentReports.flatMap(({ acknowledged }) => acknowledged ?? []);
    const cover = coverOf.get(orderId);
    if (answers.length > 0 && cover?.["id"] !== answers[0].coverId)
      problems.push(`cover ${answers[0].coverId} is lost`);
    // A report that was not answered may count once or not at all, but never twice.
    const attempts = (cover?.["attempts"] ?? 0) as number;
    if (attempts < answers.length) problems.push(`order ${orderId} has lost an attempt`);
    if (attempts > sentReports.length) problems.push(`order ${orderId} has an attempt too many`);
    const promised =
      answers.length === sentReports.length && !paid.includes(orderId) ? answers.at(-1).retryDate : undefined;
    const stored = (cover?.["retry_at"] as Date | null | undefined)?.toISOString() ?? null;
    if (promised !== undefined && promised !== stored)
      problems.push(`order ${orderId} was promised ${promised}, not ${String(stored)}`);
  }

  const keys = await sql`select key, body from idempotency_keys`;
  const storedAnswers = new Map(keys.map((row) => [row["key"], row["body"] as string]));
  for (const { key, path, acknowledged } of log) {
    if (!key || !acknowledged) continue;
    if (storedAnswers.get(key) !== JSON.stringify(acknowledged))
      problems.push(`the answer of ${path} is not kept under its key`);
  }
  return problems;
}

/** Invariants of the database at any time: nothing is half done, nothing done twice. */
async function findBrokenInvariants(sql: Sql): Promise<string[]> {
  const rows = await sql<{ wrong: string }[]>`
    select 'order ' || coalesce(order_id, renewal_order_id) || ' has two covers in progress' as wrong
      from covers where state = 'IN_PROGRESS' group by vendor_id, order_id, renewal_order_id having count(*) > 1
    union all select 'cover ' || id || ' is ' || state || ' with retry date ' || coalesce(retry_at::text, 'none')
      from covers where (retry_at is null) <> (ended_at is not null) or (state = 'IN_PROGRESS') <> (retry_at is not null)
    union all select 'the attempts of cover ' || cover_id || ' are not counted 1, 2, 3'
      from cover_attempts group by vendor_id, cover_id having max(number) <> count(*) or min(number) <> 1
    union all select 'order ' || o.id || ' has no items'
      from cover_orders o where not exists (select from cover_order_items i where (i.vendor_id, i.order_id) = (o.vendor_id, o.id))
    union all select 'order ' || o.id || ' was not registered exactly once'
      from cover_orders o where 1 <> (select count(*) from event_log e
        where (e.vendor_id, e.cover_order_id) = (o.vendor_id, o.id) and e.trigger = 'ORDER_REGISTERED')
    union all select 'cover ' || c.id || ' was not started exactly once'
      from covers c where 1 <> (select count(*) from event_log e
        where (e.vendor_id, e.cover_id) = (c.vendor_id, c.id) and e.type = 'COVER_STARTED')
    union all select 'cover ' || c.id || ' has no attempt or no decision'
      from covers c where not exists (select from cover_attempts a where (a.vendor_id, a.cover_id) = (c.vendor_id, c.id))
        or not exists (select from cover_decisions d where (d.vendor_id, d.cover_id) = (c.vendor_id, c.id))`;
  return rows.map(({ wrong }) => wrong);
}

/** An outage is answered as an outage, and a request with a key is answered in the end. */
function findWrongResponses(log: readonly LoggedRequest[]): string[] {
  const problems: string[] = [];
  for (const { method, path, key, attempts, acknowledged } of log) {
    const operation = `${method} ${path.replace(/\d+$/, "{id}")}`;
    if (key && !acknowledged)
      problems.push(`${operation} with a key was never taken: ${JSON.stringify(attempts.at(-1))}`);
    for (const { status, retryAfter, body } of attempts) {
      if (status === undefined || status < 300 || status === 409) continue;
      if (status !== 503) problems.push(`${operation} was answered ${status} ${String(body.errorCode)}`);
      else if (!retryAfter) problems.push(`${operation} was answered 503 without Retry-After`);
    }
  }
  return [...new Set(problems)];
}
