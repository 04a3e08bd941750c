import type { Sql } from "postgres";

/** Sentences on each payment whose ledger does not sum to zero, and on each charge too many or without its entry. */
export async function findWrongCharges(session: Sql, schema: string): Promise<string[]> {
  const table = (name: string) => `"${schema}".${name}`;
  const read = async (query: string) => (await session.unsafe(query)).map(({ wrong }) => wrong as string);
  const [unbalanced, twice, different] = [
    await read(`select 'the ledger of order ' || order_id || ' sums to ' || sum(amount) as wrong from ${table("ledger_entries")}
      group by order_id, payment_id, currency having sum(amount) <> 0`),
    await read(`select 'order ' || order_reference || ' was charged ' || count(*) || ' times' as wrong
      from ${table("simulated_charges")} where status = 'APPROVED' group by order_reference having count(*) > 1`),
    await read(`select 'charged ' || charged || ', booked ' || booked as wrong from
      (select coalesce(sum(amount), 0) as charged from ${table("simulated_charges")} where status = 'APPROVED') charges,
      (select coalesce(sum(amount), 0) as booked from ${table("ledger_entries")} where account = 'CLEARING') entries
      where charged <> booked`),
  ];
  return [...unbalanced, ...twice, ...different];
}
