import { Kind, type OperationDefinitionNode } from "graphql";
import { contractRoutes } from "../rest-compat/contract-routes.ts";
import { fullPathOf, type RestRoute } from "../rest-compat/binding/route.ts";
import type { StoredOperations } from "../rest-compat/binding/stored-operations.ts";
import { fragmentsOf, rootFieldsOf } from "./graphql/documents/root-fields.ts";
import { required } from "./kernel/required-values.ts";

const HEAD = `# REST calls and their GraphQL operations

Each call of \`/api/v1\` runs a stored GraphQL operation; it has no code of its own. To move a call to GraphQL, copy its operation from the file of its section in
[rest-compat](../../rest-compat/README.md), and leave out the directives, which say how the REST body is written. Amounts are text in GraphQL, and a list is
a connection ([dashboards](../graphql.md)). Calls marked with + are additions to the contract. \`npm run contracts\` writes this page from the stored operations.
`;

/** The page that says which operation stands behind each REST call, by the file of the operation. */
export function renderRestOperationsPage(operations: StoredOperations): string {
  const files = [...new Set(contractRoutes.map(({ documentFile }) => documentFile))];
  const sections = files.map((file) => {
    const rows = contractRoutes
      .filter(({ documentFile }) => documentFile === file)
      .map((route) => toRow(route, operations));
    const name = file.slice(0, file.indexOf("."));
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    return `## ${title}\n\nOperations: [${file}](../../rest-compat/${file}).\n\n${alignTable([["REST call", "Root field", "Operation"], ...rows])}\n`;
  });
  return [HEAD, ...sections].join("\n");
}

function toRow(route: RestRoute, operations: StoredOperations): string[] {
  const { document } = operations.operationOf(route);
  const definition = required(
    document.definitions.find(
      (node): node is OperationDefinitionNode =>
        node.kind === Kind.OPERATION_DEFINITION && node.name?.value === route.operation,
    ),
    route.operation,
  );
  const fields = rootFieldsOf(definition.selectionSet.selections, fragmentsOf(document)).map(({ name }) => name.value);
  const names = [...new Set(fields)].map((name) => `\`${name}\``).join(", ");
  const call = `\`${route.method} ${fullPathOf(route)}\`${route.isExtension ? " +" : ""}`;
  return [call, `${definition.operation} ${names}`, `\`${route.operation}\``];
}

/** A table as Prettier writes it. */
function alignTable([head = [], ...rows]: readonly string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
