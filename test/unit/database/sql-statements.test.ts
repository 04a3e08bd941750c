import { expect, test } from "vitest";
import { splitStatements } from "../../../src/database/sql-statements.ts";

test("statements are split at semicolons outside of texts, names, comments and bodies", () => {
  const body = "create function f() returns trigger language plpgsql as $$ begin return new; end $$";
  const named = "do $body$ begin perform 1; end $body$";
  const text = `-- first; comment\nselect 'a;b', "c;d" /* e;f */;\n${body};\n${named};\n-- the end;\n`;
  expect(splitStatements(text)).toEqual([`-- first; comment\nselect 'a;b', "c;d" /* e;f */`, body, named]);
});

test("a single statement needs no semicolon", () => {
  expect(splitStatements("\n select 1 ")).toEqual(["select 1"]);
  expect(splitStatements(" -- nothing\n")).toEqual([]);
});
