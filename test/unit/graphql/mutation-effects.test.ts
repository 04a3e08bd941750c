import { buildSchema, execute, parse, type ExecutionResult } from "graphql";
import { beforeEach, describe, expect, test } from "vitest";
import { createExecutor } from "../../../src/graphql/execution/executor.ts";
import { reuseEffects } from "../../../src/graphql/execution/mutation-effects.ts";
import { IntrospectionGuard } from "../../../src/graphql/documents/introspection.ts";
import { notFound } from "../../../src/kernel/refusals.ts";

/** What the mutation returns, or throws. */
let payload: () => unknown;
let effects = 0;

/** A schema with mutations that count their effects. */
function createSchema() {
  const schema = buildSchema(`
    type Query { none: Int }
    type Mutation { change(by: Int): Payload! tryTo: Payload }
    type Payload { record: Record! records: [Record!] text: String! }
    type Record { id: Int! name: String! }
  `);
  for (const field of Object.values(schema.getMutationType()!.getFields()))
    field.resolve = () => {
      effects++;
      return payload();
    };
  return schema;
}

const plain = createSchema();
const schema = reuseEffects(createSchema());
const executor = createExecutor(schema, new IntrospectionGuard(schema, true));

beforeEach(() => {
  effects = 0;
});

const textOf = ({ data, errors }: ExecutionResult) => JSON.stringify({ data, errors });

/** The answers of graphql-js alone, and of the executor when the document comes for the third time. */
async function answersOf(query: string, variableValues: Record<string, unknown> = {}): Promise<[string, string]> {
  const document = parse(query);
  const run = async () => textOf(await executor({ document, variableValues }));
  await run();
  await run();
  const expected = textOf(await execute({ schema: plain, document, variableValues }));
  effects = 0;
  return [expected, await run()];
}

const record = { id: 1, name: "one" };
const ALL = "record { id name } records { id } text";

describe("a mutation that is compiled has one effect", () => {
  test.each<[string, () => unknown]>([
    ["its payload is complete", () => ({ record, records: [record], text: "t" })],
    ["its payload is a promise", async () => ({ record, records: null, text: "t" })],
    ["its payload reads its records when they are completed", () => ({ record: async () => record, text: () => "t" })],
    ["a field is missing that must not be", () => ({ record, text: null })],
    ["a field of a record is missing that must not be", () => ({ record: { id: 1 }, text: "t" })],
    ["a field of one record of a list is missing", () => ({ record, records: [record, { name: "two" }], text: "t" })],
    ["a field has a value of another type", () => ({ record: { id: "x", name: "one" }, text: "t" })],
    ["a list is none", () => ({ record, records: 1, text: "t" })],
    ["a record cannot be read", () => ({ record: () => Promise.reject(new Error("no")), text: "t" })],
    ["a field throws", () => ({ record, text: () => throwError(new Error("no")) })],
    ["there is no payload", () => null],
    ["it is refused", () => throwError(notFound("ORDER_NOT_FOUND", "There is no such order."))],
    ["it is refused later", () => Promise.reject(notFound("ORDER_NOT_FOUND", "There is no such order."))],
    ["it fails", () => throwError(new Error("no"))],
    ["it throws something else than an error", () => throwError("no")],
  ])("if %s", async (_case, returned) => {
    payload = returned;
    for (const field of ["change", "tryTo", "other: tryTo"]) {
      const [expected, answer] = await answersOf(`mutation { __typename ${field} { ${ALL} again: text } }`);
      expect(answer).toBe(expected);
      expect(effects).toBe(1);
    }
  });

  test("if its arguments are variables", async () => {
    payload = () => ({ record, text: null });
    const [expected, answer] = await answersOf("mutation ($by: Int) { change(by: $by) { text } }", { by: 1 });
    expect(answer).toBe(expected);
    expect(effects).toBe(1);
  });

  test("and another one each time that it is sent", async () => {
    payload = () => ({ record, text: null });
    const document = parse("mutation { change { text } }");
    for (let run = 0; run < 5; run++) await executor({ document });
    expect(effects).toBe(5);
  });
});

test("a mutation with wrong variables has no effect", async () => {
  payload = () => ({ record, text: "t" });
  const [expected, answer] = await answersOf("mutation ($by: Int) { change(by: $by) { text } }", { by: "x" });
  expect(answer).toBe(expected);
  expect(effects).toBe(0);
});

test("several mutations of a document have an effect each", async () => {
  payload = () => ({ record, text: `${effects}` });
  const [expected, answer] = await answersOf("mutation { a: change { text } b: change { text } tryTo { text } }");
  expect(answer).toBe('{"data":{"a":{"text":"1"},"b":{"text":"2"},"tryTo":{"text":"3"}}}');
  expect(expected).not.toBe(answer);
  expect(effects).toBe(3);
});

function throwError(error: unknown): never {
  throw error;
}
