import {
  BATCH,
  parseMigration,
  withoutComments,
  type Migration,
} from "../../src/database/migrations/migration-files.ts";

/*
 * Statements of migrations that lock rows or tables for long while they are used (docs/decisions/0104-migrations-lock-nothing-for-long.md),
 * found by their text, with what to write instead.
 */

/** What a rule knows beside the statement. */
interface StatementContext {
  mode: Migration["mode"]["kind"];
  /** Tables that the same migration makes: nobody uses them yet. */
  newTables: ReadonlySet<string>;
  /** `table.column` of each check against null that an earlier migration has validated. */
  checkedColumns: ReadonlySet<string>;
}

interface LockRule {
  isBroken: (statement: string, context: StatementContext) => boolean;
  advice: string;
}

const OUTSIDE = '"-- recoup: outside of a transaction"';

const tableOf = (statement: string): string | undefined =>
  /^(?:alter table|create (?:unique )?index[^(]*? on|update|delete from|truncate(?: table)?)\s+(?:if exists |only )?(?:"?public"?[.])?"?(\w+)"?/i.exec(
    statement,
  )?.[1];

const isOnNewTable = (statement: string, { newTables }: StatementContext): boolean => {
  const table = tableOf(statement);
  return table !== undefined && newTables.has(table);
};

/** A rule about tables that are used. */
const onUsedTable = (pattern: RegExp, advice: string, unless?: RegExp): LockRule => ({
  isBroken: (statement, context) =>
    pattern.test(statement) && unless?.test(statement) !== true && !isOnNewTable(statement, context),
  advice,
});

/** The value of a column's default, without parentheses of types: a call is something else than now(). */
const defaultsOf = (statement: string): string[] =>
  [...statement.matchAll(/\badd column\b[\s\S]*?(?=, *add column\b|$)/gi)].flatMap(
    ([part]) => /\bdefault\s+([\s\S]*)$/i.exec(part)?.[1] ?? [],
  );

const RULES: readonly LockRule[] = [
  onUsedTable(
    /^create (?:unique )?index (?!concurrently)/i,
    `It keeps writers out until the index is built. Put CREATE INDEX CONCURRENTLY into a migration of its own whose first line is ${OUTSIDE}.`,
  ),
  {
    isBroken: (statement, { mode }) => /\bconcurrently\b/i.test(statement) && mode !== "statements",
    advice: `It cannot be in a transaction. Put it into a migration of its own whose first line is ${OUTSIDE}.`,
  },
  {
    isBroken: (statement) =>
      /\bconcurrently\b/i.test(statement) &&
      !/^create (?:unique )?index concurrently "\w+" on "\w+"/i.test(statement) &&
      !/^drop index concurrently if exists "\w+"$/i.test(statement),
    advice:
      'The migrator resumes CREATE [UNIQUE] INDEX CONCURRENTLY "name" ON "table" … and DROP INDEX CONCURRENTLY IF EXISTS "name". Write one of these; IF NOT EXISTS would accept an index that is not valid.',
  },
  onUsedTable(
    /^alter table[\s\S]*\badd (?:constraint \S+ )?(?:check|foreign key)\b/i,
    `It reads all rows while writers wait. Add NOT VALID, and put ALTER TABLE … VALIDATE CONSTRAINT into the next migration, whose first line is ${OUTSIDE}.`,
    /\bnot valid\b/i,
  ),
  onUsedTable(
    /^alter table[\s\S]*\badd column\b[\s\S]*\b(?:references|check\s*\()/i,
    "A check or a foreign key in ADD COLUMN reads all rows. Add the column alone, and the constraint by ADD CONSTRAINT … NOT VALID.",
  ),
  onUsedTable(
    /^alter table[\s\S]*\badd (?:constraint \S+ )?(?:unique|primary key|exclude)\b|^alter table[\s\S]*\badd column\b[\s\S]*\b(?:unique|primary key)\b/i,
    "It builds an index while readers and writers wait. Build it by CREATE UNIQUE INDEX CONCURRENTLY in a migration before, then ADD CONSTRAINT … USING INDEX.",
    /\busing index\b/i,
  ),
  {
    isBroken: (statement) => /^alter table[\s\S]*\bvalidate constraint\b/i.test(statement),
    advice: `It reads all rows, and must not do so under the locks of other statements. Put it into a migration of its own, after that which adds the constraint, whose first line is ${OUTSIDE}.`,
  },
  {
    isBroken: (statement, context) => {
      const [, column] = /\balter column "?(\w+)"? set not null\b/i.exec(statement) ?? [];
      if (column === undefined || isOnNewTable(statement, context)) return false;
      return !context.checkedColumns.has(`${tableOf(statement) ?? ""}.${column}`);
    },
    advice:
      'It reads all rows while readers and writers wait. First add a constraint CHECK ("column" IS NOT NULL) NOT VALID, validate it in the next migration, then SET NOT NULL, which uses it, and drop the constraint.',
  },
  onUsedTable(
    /^alter table[\s\S]*\badd column\b(?![\s\S]*\bdefault\b)[\s\S]*\bnot null\b/i,
    "Rows that are there have no value. Give the column a constant default, or let it be null.",
  ),
  {
    isBroken: (statement, context) =>
      /^alter table/i.test(statement) &&
      !isOnNewTable(statement, context) &&
      defaultsOf(statement).some((value) =>
        /\w\s*\(/.test(value.replace(/\bnow\s*\(\)|\b(?:numeric|timestamp|varchar|char)\s*\(/gi, "")),
      ),
    advice:
      "A default that is computed for each row rewrites the table. Add the column without it, set the default in a second statement, and fill old rows in batches.",
  },
  onUsedTable(
    /^alter table[\s\S]*\badd column\b[\s\S]*(?:\bgenerated\b|\b(?:big|small)?serial\b)/i,
    "A column that is generated, or counts, rewrites the table. Add a plain column, and fill it in batches.",
  ),
  onUsedTable(
    /^alter table[\s\S]*\balter column \S+ (?:set data )?type\b/i,
    "It rewrites the table or its indexes, and older gateways read the column. Add a new column, write both, fill it in batches, and read it in the version after that.",
  ),
  onUsedTable(
    /^alter table[\s\S]*\brename\b/i,
    "Gateways of the version before use the old name. Add what is new, and drop what is old a version later.",
  ),
  {
    isBroken: (statement, context) =>
      /^(?:with\b[\s\S]*\b)?(?:update|delete from)\b/i.test(statement) &&
      context.mode !== "batches" &&
      !isOnNewTable(statement, context),
    advice: `It locks all rows that it changes until it ends. Put it into a migration of its own with ${BATCH} in its condition, whose first line is "-- recoup: in batches of "table"".`,
  },
  {
    isBroken: (statement, { mode }) =>
      /^insert into\b[\s\S]*\bselect\b[\s\S]*\bfrom\b/i.test(statement) && mode !== "batches",
    advice: `It copies all rows in one transaction. Put it into a migration of its own with ${BATCH} in its condition, whose first line is "-- recoup: in batches of "table"".`,
  },
  {
    isBroken: (statement, { mode }) => mode === "batches" && !statement.includes(BATCH),
    advice: `A migration in batches has one statement, whose condition contains ${BATCH}.`,
  },
  onUsedTable(
    /^(?:cluster|vacuum|reindex|truncate|lock|refresh materialized view(?! concurrently))\b/i,
    "It keeps readers or writers out for as long as it takes. Leave it to the operator, or find a way that changes nothing of a table that is used.",
  ),
  onUsedTable(
    /^alter table[\s\S]*\b(?:set (?:logged|unlogged|tablespace|access method)|attach partition|detach partition|inherit|cluster on)\b/i,
    "It rewrites or reads whole tables while others wait. Make a new table, write both, and copy the old rows in batches.",
  ),
  {
    isBroken: (statement) => /^(?:do|call)\b/i.test(statement),
    advice: "What a block does cannot be seen here. Write its statements plainly.",
  },
];

const isWithCheck =
  /^alter table (?:only )?"?(\w+)"?[\s\S]*\badd constraint "?(\w+)"? check \(\(*"?(?:\w+"?[.]"?)?(\w+)"? is not null\)/i;

/** Sentences that say what to change in migrations, in their order, before a database in use can have them. */
export function findLongLocks(migrations: readonly Migration[]): string[] {
  /** The column by the constraint that checks it, and those that are validated. */
  const checks = new Map<string, string>();
  const checkedColumns = new Set<string>();
  return migrations.flatMap((migration) => {
    const statements = migration.statements.map(withoutLiterals);
    const newTables = new Set(
      statements.flatMap(
        (statement) => /^create table (?:if not exists )?(?:"?public"?[.])?"?(\w+)"?/i.exec(statement)?.[1] ?? [],
      ),
    );
    const context = { mode: migration.mode.kind, newTables, checkedColumns };
    const isAloneInFile = (statement: string) =>
      context.mode === "statements" && /\bvalidate constraint\b/i.test(statement);
    const sentences = statements.flatMap((statement) =>
      RULES.filter((rule) => rule.isBroken(statement, context) && !isAloneInFile(statement)).map(
        ({ advice }) => `${migration.tag}: ${statement.split("\n")[0]!.slice(0, 100)}: ${advice}`,
      ),
    );
    if (context.mode === "batches" && statements.length !== 1)
      sentences.push(`${migration.tag}: A migration in batches has one statement, whose condition contains ${BATCH}.`);
    for (const statement of statements) {
      const [, table, constraint, column] = isWithCheck.exec(statement) ?? [];
      if (table !== undefined) checks.set(`${table}.${constraint!}`, `${table}.${column!}`);
      const [, validatedTable, validated] =
        /^alter table "?(\w+)"? validate constraint "?(\w+)"?/i.exec(statement) ?? [];
      const checked = checks.get(`${validatedTable ?? ""}.${validated ?? ""}`);
      if (checked !== undefined) checkedColumns.add(checked);
    }
    return sentences;
  });
}

/** A statement without comments, strings and bodies of functions, which may contain any word. */
const withoutLiterals = (statement: string): string =>
  withoutComments(statement)
    .replace(/'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .trim();

/** The sentences about the text of a single migration. */
export const findLongLocksIn = (...texts: string[]): string =>
  findLongLocks(texts.map((text, index) => parseMigration(`${index}`, index, text))).join("\n");
