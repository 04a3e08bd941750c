import { and, eq, getTableName, sql, type SQL } from "drizzle-orm";
import { itemAt } from "../../kernel/required-values.ts";
import { idIsOneOf } from "../conditions.ts";
import type { VendorTable } from "./paged-list.ts";
import { quoteIdentifier } from "../projection.ts";
import { keptTexts } from "../response-text/kept-texts.ts";
import { insertSharedRecords, placeKey, type SharedRecord, type SharedRows } from "../response-text/shared-records.ts";

/** Where the records that rows share are read. */
interface SharedSource {
  query: <Row>(statement: SQL) => Promise<Row[]>;
  vendorId: number;
  /** The version of kept records when the rows were read; undefined if they share none. */
  version: string | undefined;
}

/** One shared record, as the driver gives it. */
interface SharedAnswer {
  shared: number;
  id: string;
  text: string;
  /** The version under which the text can be kept; null if it cannot. */
  version: string | null;
}

type Texts = ReadonlyMap<string, string>;

/** The rows' texts with all shared records in their places. Those that are not kept are read by one statement. */
export function insertSharedTexts(
  source: SharedSource,
  texts: readonly string[],
  shared: readonly SharedRecord[],
): Promise<readonly string[]> {
  return insertSharedRecords(texts, shared, async (requested) => {
    const kept = keptTextsOf(requested, source.version);
    const missing = requested
      .map((each) => ({ ...each, rows: each.rows.filter((row) => !kept.has(placeKey(each.shared, row))) }))
      .filter(({ rows }) => rows.length > 0);
    return missing.length === 0 ? kept : new Map([...kept, ...(await readTexts(source, missing))]);
  });
}

function keptTextsOf(requested: readonly SharedRows[], version: string | undefined): Texts {
  const kept = new Map<string, string>();
  if (version === undefined) return kept;
  for (const { shared, record, rows } of requested)
    for (const row of rows) {
      const text = keptTexts.get(record, version, row);
      if (text !== undefined) kept.set(placeKey(shared, row), text);
    }
  return kept;
}

async function readTexts(source: SharedSource, requested: readonly SharedRows[]): Promise<Texts> {
  const statements = requested.map((rows) => sharedRowsSql(source.vendorId, rows));
  const answers = await source.query<SharedAnswer>(sql.join(statements, sql` union all `));
  const found = new Map<string, string>();
  // Shared records of shared records are read for all of one kind together.
  for (const { shared, record } of requested) {
    const own = answers.filter((answer) => answer.shared === shared);
    const texts = await insertSharedTexts(
      source,
      own.map(({ text }) => text),
      record.text.shared,
    );
    own.forEach(({ id, version, text: ownText }, index) => {
      const text = itemAt(texts, index);
      found.set(placeKey(shared, Number(id)), text);
      // What is read of other records may change without the version.
      if (version !== null && text === ownText) keptTexts.set(record, version, Number(id), text);
    });
  }
  return found;
}

function sharedRowsSql(vendorId: number, { shared, record: { projection, ownerColumn, text }, rows }: SharedRows): SQL {
  const { kept } = projection;
  const table = projection.table as VendorTable;
  const isStable = kept && sql.raw(kept.isStable(quoteIdentifier(getTableName(table))));
  const version = kept ? sql`case when ${isStable} then ${kept.versionOf(vendorId)} end` : sql`null::uuid`;
  return sql`select ${shared}::integer as shared, ${table.id} as id, ${sql.raw(text.sql)} as text, ${version} as version
    from ${table} where ${and(eq(ownerColumn ?? table.vendorId, vendorId), idIsOneOf(table.id, rows))}`;
}
