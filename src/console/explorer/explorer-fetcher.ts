import type { ComponentProps } from "react";
import type { GraphiQL } from "graphiql";
import { Kind, OperationTypeNode, type DocumentNode, type ExecutionResult } from "graphql";
import { createClient } from "graphql-sse";

type Fetcher = ComponentProps<typeof GraphiQL>["fetcher"];

const ENDPOINT = "/graphql";

/** The gateway then reports the cost of each operation, in `extensions.cost`. */
const SENT_HEADERS = { "content-type": "application/json", accept: "application/json", "x-include-cost": "true" };

/** Sends operations to the gateway: subscriptions as a stream, all others as a POST. */
export const createExplorerFetcher =
  (defaultHeaders: Readonly<Record<string, string>>): Fetcher =>
  ({ query, operationName, variables: typedVariables }, { headers: typedHeaders, documentAST } = {}) => {
    const variables = (typedVariables ?? {}) as Record<string, unknown>;
    const headers = withTypedHeaders(defaultHeaders, typedHeaders);
    const request = { query, variables, ...(operationName && { operationName }) };
    if (isSubscription(documentAST, operationName)) return createClient({ url: ENDPOINT, headers }).iterate(request);
    return post(headers, JSON.stringify(request));
  };

/** A header of the editor replaces the default of the same name, in whatever case it is written. */
function withTypedHeaders(
  defaultHeaders: Readonly<Record<string, string>>,
  typedHeaders: Readonly<Record<string, unknown>> | undefined,
): Record<string, string> {
  const headers = new Headers(defaultHeaders);
  for (const [name, value] of Object.entries(typedHeaders ?? {})) headers.set(name, String(value));
  return Object.fromEntries(headers);
}

async function post(headers: Record<string, string>, body: string): Promise<ExecutionResult> {
  const response = await fetch(ENDPOINT, {
    method: "POST",
    headers: { ...headers, ...SENT_HEADERS },
    body,
  });
  // The gateway answers a refusal in the form of GraphQL, too.
  return (await response.json()) as ExecutionResult;
}

function isSubscription(document: DocumentNode | undefined, operationName: string | null | undefined): boolean {
  const operations = document?.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION) ?? [];
  const chosen = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  return chosen?.operation === OperationTypeNode.SUBSCRIPTION;
}
