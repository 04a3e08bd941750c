/*
 * What a Citus cluster refuses in a schema whose tables it places together (docs/decisions/0098-the-ledger-is-guarded-without-triggers.md), as rules on the text of a migration. Each
 * was tried on Citus 13.0.5. They hold for migrations after those that cells skip or rewrite because they came earlier.
 */

/** A rule, and what to do about a statement that breaks it. */
interface StatementRule {
  isBroken: (statement: string) => boolean;
  advice: string;
}

/** Comments, strings, quoted names and bodies of functions: what is in them ends no statement. */
const QUOTED = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;

/** The statements of a chunk of a migration, without their strings and comments. */
const statementsOf = (chunk: string): string[] =>
  chunk
    .replace(QUOTED, (part) => (part.startsWith('"') ? part.replaceAll(";", "") : " "))
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");

const checkedTable = (statement: string): string | undefined =>
  /^alter table (?:if exists )?"?(\w+)"?[\s\S]*\bcheck\s*\(/i.exec(statement)?.[1];

const RULES: readonly StatementRule[] = [
  {
    isBroken: (statement) =>
      /^create (?:or replace )?(?:constraint )?trigger\b(?![\s\S]*\binstead of\b)/i.test(statement),
    advice:
      "Citus has no triggers on tables. Write in the repository, in the same transaction, what the trigger would write.",
  },
  {
    isBroken: (statement) => {
      const table = checkedTable(statement);
      return (
        table !== undefined && new RegExp(`\\bcheck\\s*\\([\\s\\S]*?"?\\b${table}\\b"?\\s*[.]`, "i").test(statement)
      );
    },
    advice:
      "Citus cannot repeat a CHECK that is added with the table before its columns. Remove the table and the dot in the .sql file.",
  },
  {
    isBroken: (statement) => /^insert into[\s\S]*\boverriding (?:system|user) value\s+select\b/i.test(statement),
    advice: "Citus cannot run INSERT … OVERRIDING … SELECT. Read the rows first, or let the new column fill the ids.",
  },
  {
    isBroken: (statement) => /\b(?:setval|nextval)\s*\([\s\S]*\bfrom\b/i.test(statement),
    advice:
      "A node answers a query that reads a table, and its sequences count in another range. Read the number in one statement and set the sequence in another.",
  },
  {
    isBroken: (statement) => /\breferences\s+"?(?!public"?[.])\w+"?\s*[.]/i.test(statement),
    advice:
      "A foreign key must stay in its schema, because another schema may be on another node. Name the table alone.",
  },
  {
    isBroken: (statement) => /^alter table[\s\S]*\badd column\b[\s\S]*\bas identity\b/i.test(statement),
    advice: "Citus adds no identity column to a table. Create the table with it, or number the rows in the repository.",
  },
  {
    isBroken: (statement) => /^create table[\s\S]*\)\s*inherits\b/i.test(statement),
    advice: "Citus has no inheritance in a cell. Put the columns in the table.",
  },
];

/** Sentences that say what to change in a migration before a cluster accepts it. */
export const findRefusedStatements = (migration: string): string[] =>
  migration.split("--> statement-breakpoint").flatMap((chunk) => {
    const statements = statementsOf(chunk);
    const broken = statements.flatMap((statement) =>
      RULES.filter((rule) => rule.isBroken(statement)).map(({ advice }) => `${firstLineOf(statement)}: ${advice}`),
    );
    return statements.length < 2
      ? broken
      : [
          ...broken,
          `${firstLineOf(statements[1]!)}: One chunk has one statement on Citus. Put "--> statement-breakpoint" before it.`,
        ];
  });

const firstLineOf = (statement: string): string => statement.split("\n")[0]!.slice(0, 100);
