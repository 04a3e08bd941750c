import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFile } from "../../kernel/project-files.ts";
import { splitStatements } from "../sql-statements.ts";

const MIGRATIONS = projectFile("schema/migrations");

/** Up to this one, migrations of the home database are applied in one transaction; each later one is committed by itself. */
export const LAST_JOINT_MIGRATION = "0077_partition_webhook_attempts";

/**
 * How a migration is applied, by the marker in the first line of its file:
 *
 * - without a marker, in one transaction;
 * - `-- recoup: outside of a transaction`, statement by statement, each of which can be repeated;
 * - `-- recoup: in batches of "table"`, its one statement for a range of the table's primary key at a time.
 */
export type MigrationMode = { kind: "transaction" } | { kind: "statements" } | { kind: "batches"; table: string };

/** A migration, as its file says. */
export interface Migration {
  /** Name of the file without its ending. */
  tag: string;
  /** Its time in the journal, which names it there. */
  at: number;
  hash: string;
  mode: MigrationMode;
  statements: readonly string[];
}

/** Stands for the range of the primary key in the statement of a batched migration. */
export const BATCH = "{batch}";

/** All migrations of this version, in their order. */
export function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, "meta/_journal.json"), "utf8")) as {
    entries: { when: number; tag: string }[];
  };
  return journal.entries.map(({ tag, when }) =>
    parseMigration(tag, when, readFileSync(join(MIGRATIONS, `${tag}.sql`), "utf8")),
  );
}

/** The migration of a file's text. */
export const parseMigration = (tag: string, at: number, text: string): Migration => ({
  tag,
  at,
  hash: createHash("sha256").update(text).digest("hex"),
  mode: readMode(text),
  statements: text.split("--> statement-breakpoint").flatMap(splitStatements),
});

function readMode(text: string): MigrationMode {
  if (/^-- recoup: outside of a transaction$/m.test(text)) return { kind: "statements" };
  const [, table] = /^-- recoup: in batches of "(\w+)"$/m.exec(text) ?? [];
  return table === undefined ? { kind: "transaction" } : { kind: "batches", table };
}

/** The statements as one transaction can run them, where nobody waits for its locks. */
export const toStatementsOfTransaction = ({ statements }: Migration): string[] =>
  statements.map((statement) =>
    withoutComments(statement)
      .replace(/^(create (?:unique )?index|drop index) concurrently/i, "$1")
      .replaceAll(BATCH, "true"),
  );

export const withoutComments = (statement: string): string =>
  statement
    .replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|--[^\n]*/g, (part) =>
      part.startsWith("--") ? "" : part,
    )
    .trim();
