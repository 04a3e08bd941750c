import { lexicographicSortSchema, printSchema } from "graphql";
import { wireNamesOf } from "../rest-compat/binding/wire-names.ts";
import { toOpenApi } from "../rest-compat/binding/openapi.ts";
import { StoredOperations } from "../rest-compat/binding/stored-operations.ts";
import { WireVocabulary } from "../rest-compat/binding/wire-vocabulary.ts";
import { contractRoutes } from "../rest-compat/contract-routes.ts";
import { renderEventsPage } from "./events/events-page.ts";
import { buildGatewaySchema } from "./graphql/schema.ts";
import { refusalCodes } from "./kernel/refusal-codes.ts";
import { renderRestOperationsPage } from "./rest-operations-page.ts";
import { renderReadmesWithDiagrams } from "./state-diagrams.ts";

/** The contracts as they are checked in: a change of either shows in a diff before anyone feels it. */
export function printContracts(): { file: string; text: string }[] {
  const schema = buildGatewaySchema();
  const operations = new StoredOperations(schema);
  const openApi = toOpenApi(
    contractRoutes,
    operations,
    new WireVocabulary({}, schema, wireNamesOf(contractRoutes, operations)),
  );
  return [
    { file: "schema/schema.graphql", text: `${printSchema(lexicographicSortSchema(schema))}\n` },
    { file: "schema/openapi.json", text: `${JSON.stringify(openApi, null, 2)}\n` },
    { file: "docs/errors.md", text: renderErrorsPage() },
    { file: "docs/events.md", text: renderEventsPage() },
    { file: "docs/guides/rest-to-graphql.md", text: renderRestOperationsPage(operations) },
    ...renderReadmesWithDiagrams(),
  ];
}

/** The error codes for readers of the docs; the gateway serves the same sentences under /docs/errors. */
function renderErrorsPage(): string {
  const sections = Object.entries(refusalCodes).map(
    ([code, { cause, cure }]) => `## \`${code}\`\n\n${cause} ${cure}\n`,
  );
  const head = `# Error codes

Every error has a stable code: \`errorCode\` over REST, \`extensions.code\` over GraphQL. The gateway serves the page of each
code under \`/docs/errors/{code}\`; \`details.docUrl\` (REST) and \`extensions.docUrl\` (GraphQL) link to it. \`npm run contracts\`
writes this page from the code.
`;
  return [head, ...sections].join("\n");
}
