import fc from "fast-check";
import {
  execute,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isNonNullType,
  isObjectType,
  parse,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLObjectType,
} from "graphql";
import { describe, expect, test } from "vitest";
import type { GatewayContext } from "../../../src/graphql/context.ts";
import { MutationEffect } from "../../../src/graphql/execution/mutation-effects.ts";
import { compileOperation } from "../../../src/graphql/execution/operation-compiler.ts";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import { stringifyResponse } from "../../../src/graphql/execution/response-json.ts";
import { required } from "../../../src/kernel/required-values.ts";
import { ResponseText } from "../../../src/kernel/response-text.ts";
import { operatorCaller } from "../../../src/vendors/people/caller.ts";
import { makeReady } from "../../hostile/ready-records.ts";
import { createRecordFixtures, type RecordFixtures } from "../../hostile/record-fixtures.ts";
import { sampleVariables, schema, schemaOperations, type SchemaOperation } from "../../hostile/sample-requests.ts";
import { createBillingFixture } from "../../support/fixtures/billing-fixture.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";
import { arbitrarySelection } from "../../support/random-selections.ts";
import { inForm } from "../../support/test-form.ts";
import { startGateway } from "../../support/test-gateway.ts";

/* The compiled answer of a mutation is, letter by letter, the one that graphql-js makes of the same payload. */

const gateway = await startGateway();
const records = await createRecordFixtures(gateway);
const vendor = required(
  await createRepositories(gateway.database.handle).vendors.byId(gateway.vendor.id),
  "the vendor of the test",
);
const mutations = schemaOperations.filter(({ kind }) => kind === "mutation");

/** Mutations whose payload has a record that the database writes. They get new records for each case, and must succeed. */
const withText = [
  ...["createCustomer", "updateCustomer", "eraseCustomer"],
  ...["createProduct", "updateProduct", "createPricePlan", "updatePricePlan"],
  ...["createOrder", "cancelOrder", "moveOrderItems", "payOrder", "confirmDeposit", "refundOrder"],
  ...["createInvoice", "updateInvoice", "sendInvoice", "reportInvoiceUndelivered"],
  ...["pauseSubscription", "activateSubscription", "cancelSubscription", "changeSubscriptionInterval"],
  ...["changeSubscriptionItems", "changeSubscriptionPlan", "changeSubscriptionQuota", "recordUsage"],
  ...["setSubscriptionUnits", "requestPaymentMethod", "setChildVendorEnabled"],
];

const textOf = ({ data, errors }: ExecutionResult) => stringifyResponse({ data, errors });

function documentOf({ field }: SchemaOperation, selection: string) {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(", ");
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(", ");
  const call = given ? `mutation (${declared}) { ${field.name}(${given})` : `mutation { ${field.name}`;
  return parse(`${call} { ${selection} } }`);
}

const createContext = () => gateway.gateway.contexts.createContext(vendor, "test", operatorCaller);

/** Runs a mutation once. @returns the compiled answer, and the answer of graphql-js with the same payload. */
async function answersOf(
  operation: SchemaOperation,
  own: RecordFixtures,
  selection: string,
  context: GatewayContext = createContext(),
) {
  const document = documentOf(operation, selection);
  const node = required(getOperationAST(document), "the operation");
  const sent = sampleVariables(operation, { records: own });
  const variables = required(
    getVariableValues(schema, node.variableDefinitions ?? [], sent).coerced,
    "the variables of the sample",
  );
  const effect = new MutationEffect();
  const run = required(compileOperation(schema, node, {}, "AS_SELECTED"), "the compiled mutation");
  let compiled: ExecutionResult;
  try {
    compiled = { data: (await run({ context, variables, effect })) as Record<string, unknown> };
  } catch (error) {
    compiled = { data: null, errors: [error as GraphQLError] };
  }
  const interpreted = await execute({
    schema,
    document,
    variableValues: sent,
    contextValue: context,
    rootValue: effect,
  });
  return { data: compiled.data, compiled: await textOf(compiled), interpreted: await textOf(interpreted) };
}

/** The field of a payload with its record, or records; one that may be null only if there is no other. */
function recordFieldOf(payload: GraphQLObjectType) {
  const fields = Object.values(payload.getFields()).filter(({ type }) => isObjectType(getNamedType(type)));
  return fields.find(({ type }) => isNonNullType(type)) ?? fields[0];
}

const payloadOf = ({ field }: SchemaOperation) => getNamedType(field.type) as GraphQLObjectType;

const assertForEach = (selections: fc.Arbitrary<string>, check: (selection: string) => Promise<void>) =>
  fc.assert(fc.asyncProperty(selections, check), { seed: PROPERTY_SEED, numRuns: inForm(4, 60) });

describe("the compiled answer is what graphql-js answers, for any selection", () => {
  test.each(withText)("of %s, with the database's text", async (name) => {
    const operation = required(
      mutations.find(({ field }) => field.name === name),
      name,
    );
    const { name: key, type } = required(recordFieldOf(payloadOf(operation)), "the record");
    const record = arbitrarySelection(getNamedType(type) as GraphQLObjectType, 2);
    const selections = fc.tuple(record, arbitrarySelection(payloadOf(operation), 3));
    await assertForEach(
      selections.map(([below, others]) => `${key} { ${below} } ${others}`),
      async (selection) => {
        const own = { ...records, ...(await createBillingFixture(gateway)) };
        await makeReady(gateway, operation.name, own, gateway.vendor);
        const { data, compiled, interpreted } = await answersOf(operation, own, selection);
        const payload = data?.[name] as Record<string, unknown> | undefined;
        expect([payload?.[key]].flat()).toEqual([expect.any(ResponseText)]);
        expect(compiled).toBe(interpreted);
      },
    );
  });

  test.each(
    mutations.filter(({ field }) => !withText.includes(field.name)).map((one) => [one.field.name, one] as const),
  )("of %s, or the same refusal", async (_name, operation) => {
    await assertForEach(arbitrarySelection(payloadOf(operation), 3), async (selection) => {
      const { compiled, interpreted } = await answersOf(operation, records, selection);
      expect(compiled).toBe(interpreted);
    });
  });
});

test("the record of a payload is read by one statement, after the transaction has ended", async () => {
  const operation = required(
    mutations.find(({ field }) => field.name === "createOrder"),
    "createOrder",
  );
  const context = createContext();
  let written = 0;
  const write: GatewayContext["write"] = async (work) => {
    const result = await context.write(work);
    written = gateway.statements.length;
    return result;
  };
  gateway.statements.length = 0;
  await answersOf(operation, records, "order { id code items { status amount } }", { ...context, write });
  const places = gateway.statements.flatMap(({ text }, place) =>
    /^select \(concat\(.*from "orders"/s.test(text) ? [place] : [],
  );
  expect(written).toBeGreaterThan(3);
  expect(places).toEqual([written]);
});
