import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";

/*
 * Where a node of a Citus cluster dies at COMMIT, a transaction whose only write was an INSERT … SELECT or a COPY is answered with a warning
 * and has no rows (docs/decisions/0098-the-ledger-is-guarded-without-triggers.md). So each such statement stands beside a write of another kind, or is repeated by itself; the
 * list says which. And advisory locks are taken by statements without tables, because a statement with tables takes them at a node.
 */

/** The number of such statements of a file, and what else its transactions write, or why they may be lost. */
const KNOWN_COPIES: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "database/month-partitions.ts": [1, "attaches the partition in the same transaction"],
  "database/row-batches.ts": [1, "the rows of a batch come with the changes of their subscriptions and payments"],
  "demo/rows/bulk-rows.ts": [1, "the demo is seeded into an empty database, and counted"],
  "database/migrations/migrate-schema.ts": [1, "the pattern that finds such statements in migrations"],
  "events/business-count.repository.ts": [5, "counts come with the payment or the subscription that they count"],
  "events/event-sequence.repository.ts": [
    1,
    "updates the sequence in the same statement; events without a number are found again",
  ],
  "events/event.repository.ts": [2, "an event comes with the change that it reports"],
  "operations/backup/backup-tables.ts": [
    1,
    "restores and moves of cells count their rows, and are made into an empty place",
  ],
  "orders/order-totals.repository.ts": [5, "changes of counts come with the orders and items that they count"],
  "recovery/experiments/experiment-count.repository.ts": [2, "counts come with the cover that they count"],
  "recovery/models/recovery-model.repository.ts": [1, "the activation comes with the end of the training"],
};

const files = readdirSync(projectFile("src"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);
const sourceOf = (file: string): string =>
  readFileSync(projectFile(`src/${file}`), "utf8").replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");

/** Further than any statement goes from its first words to the rows that it reads. */
const STATEMENT_LENGTH = 900;

/** The statements of a source that insert rows which the database reads, and those that copy rows in. */
function countCopies(source: string): number {
  const inserts = source.split(/\binsert into\b/i).slice(1);
  const reading = inserts.filter(
    (rest) => /\b(?:select|values)\b/i.exec(rest.slice(0, STATEMENT_LENGTH))?.[0].toLowerCase() === "select",
  );
  return reading.length + [...source.matchAll(/[.]insert\([^)]*\)\s*[.]select\(|\bfrom stdin\b/gi)].length;
}

test("an INSERT … SELECT or a COPY is no transaction's only write", () => {
  const advice = files.flatMap((file) => {
    const [known = 0] = KNOWN_COPIES[file] ?? [];
    const found = countCopies(sourceOf(file));
    return found === known
      ? []
      : `src/${file} has ${found} statements that insert rows by reading or copying them, and not ${known}. Where a node of Citus dies at COMMIT, such a write alone is lost without an error: write the rows by INSERT … VALUES, or say in KNOWN_COPIES what else the transaction writes.`;
  });
  expect(advice).toEqual([]);
});

test.each([
  ["await db.execute(sql`insert into orders (id) select id from old`)", 1],
  ["await db.insert(orders).select(old)", 1],
  ["copy orders from stdin", 1],
  ["with n as (select 1) insert into orders (id) values (1)", 0],
  ["insert into orders (id) values ((select 1))", 0],
])("the rule counts the copies of %s", (source, count) => {
  expect(countCopies(source)).toBe(count);
});

test("advisory locks are taken by statements without tables", () => {
  const advice = files.flatMap((file) =>
    (sourceOf(file).match(/`[^`]*\bpg_(?:try_)?advisory_\w*lock[^`]*`/g) ?? [])
      .filter((statement) => /\bfrom\b/i.test(statement))
      .map(
        (statement) =>
          `src/${file} locks in a statement that reads: ${statement.slice(0, 80)}. On Citus a node would have the lock, not the coordinator: lock in a statement of its own.`,
      ),
  );
  expect(advice).toEqual([]);
});
