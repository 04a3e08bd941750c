import { z } from "zod";

/*
 * A backup is a gzip file of lines: a header, for each table its name with its rows in PostgreSQL's text format of COPY up to the line
 * `\.`, and an end. Its tables are not in it: those are made by the migrations of the version that restores it. So it fits any version of
 * PostgreSQL.
 */

/** The formats of backups: versions that know no cells refuse the second one, which must not become a home database. */
const HOME_FORMAT = "recoup-backup-1";
const CELL_FORMAT = "recoup-cell-backup-1";

/** The first line. */
export interface BackupHeader {
  createdAt: string;
  /** The number of the cell whose rows it has; undefined for the home database. */
  cell?: number | undefined;
  /** The version of the server that it was made of. */
  postgres: string;
  /** The time of the last migration, as the journal of the migrations has it. */
  migration: number;
  /** Identifies the key that encrypts secrets; null if there was none. */
  keyId: string | null;
  /** Parts of tables that were added after the migrations. */
  partitions: { name: string; parent: string; bounds: string }[];
}

/** The line before the rows of a table. */
export interface BackupTable {
  table: string;
  columns: string[];
}

/** The last line: without it the file is not whole. */
export interface BackupEnd {
  rows: Record<string, number>;
  sequences: { name: string; value: string; isCalled: boolean }[];
}

/** The line after the rows of a table. */
export const END_OF_ROWS = "\\.\n";

const NEWLINE = "\n".charCodeAt(0);

/** The number of rows that end in a chunk: a newline in a value is escaped. */
export function countRows(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** The numbers of tables and of rows, for the output of a command. */
export const totalsOf = (rows: BackupEnd["rows"]): { tables: number; rows: number } => ({
  tables: Object.keys(rows).length,
  rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
});

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const header = z.object({
  format: z.enum([HOME_FORMAT, CELL_FORMAT]),
  cell: z.number().optional(),
  createdAt: z.string(),
  postgres: z.string(),
  migration: z.number(),
  keyId: z.string().nullable(),
  partitions: z.array(
    z.object({
      name,
      parent: name,
      bounds: z.string().regex(/^FOR VALUES FROM \((?:MINVALUE|'[\d :+-]+')\) TO \('[\d :+-]+'\)$/),
    }),
  ),
});
const table = z.object({ table: name, columns: z.array(name) });
const end = z.object({
  rows: z.record(name, z.number()),
  sequences: z.array(z.object({ name, value: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
});

export const headerLine = (values: BackupHeader): string =>
  `${JSON.stringify({ format: values.cell === undefined ? HOME_FORMAT : CELL_FORMAT, ...values })}\n`;
export const tableLine = (values: BackupTable): string => `${JSON.stringify(values)}\n`;
export const endLine = (values: BackupEnd): string => `${JSON.stringify(values)}\n`;

/** @throws if the line is no header of a backup. */
export const readHeaderLine = (line: string): BackupHeader => header.parse(JSON.parse(line));

/** @throws if the line is neither. */
export const readTableOrEndLine = (line: string): BackupTable | BackupEnd =>
  z.union([table, end]).parse(JSON.parse(line));
