import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import {
  buildSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
} from "graphql";
import { projectFile } from "../../kernel/project-files.ts";
import { required } from "../../kernel/required-values.ts";
import { toPath } from "../argument-errors.ts";
import { defineCommand, printOutput, toRecordOutput } from "../command.ts";
import { apiOptions, readApiClient, type ApiClient } from "./api-client.ts";

/** The lists that can be exported, with the types of their records. */
const listTypes: Record<string, string> = {
  customers: "Customer",
  products: "Product",
  orders: "Order",
  subscriptions: "Subscription",
  invoices: "Invoice",
  payments: "Payment",
  covers: "Cover",
  events: "Event",
};

const PAGE = 50;

interface Page {
  nodes: object[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** `recoup export`: what a merchant takes to another system. */
export const exportCommand = defineCommand(
  {
    name: "export",
    description: `Writes all records of a list as JSON lines, with the fields that schema.graphql describes and the ids of the records that they belong to: ${Object.keys(listTypes).join(", ")}`,
  },
  {
    list: { type: "positional", required: false, description: "Name of the list (required)" },
    output: {
      type: "string",
      valueHint: "file",
      description: "File to write, which is replaced. Defaults to standard output",
    },
    ...apiOptions,
    json: { type: "boolean", description: "Print the number of records as one JSON object (with --output)" },
  },
  async (args, errors) => {
    const list = args.list ?? "";
    const type = Object.hasOwn(listTypes, list) ? listTypes[list] : undefined;
    errors.check(type !== undefined, `The list must be one of: ${Object.keys(listTypes).join(", ")}.`);
    const path = args.output === undefined ? undefined : toPath(errors.readText("output", args.output));
    const client = readApiClient(args, errors);
    errors.throwIfAny();
    const selection = await selectionOf(type ?? "");
    let records = 0;
    const readLines = async function* () {
      for await (const record of readList(client, list, selection)) {
        records++;
        yield `${JSON.stringify(record)}\n`;
      }
    };
    if (path === undefined) {
      for await (const line of readLines()) if (!process.stdout.write(line)) await once(process.stdout, "drain");
      return;
    }
    const file = await open(path, "w", 0o600).catch((error: unknown) => error as NodeJS.ErrnoException);
    if (file instanceof Error) {
      errors.add(`--output: the file cannot be written (${file.code ?? "no code"}).`);
      return errors.throwIfAny();
    }
    await pipeline(readLines, file.createWriteStream());
    printOutput(args.json, toRecordOutput({ list, records, file: path }));
  },
  Object.keys(listTypes),
);

/** All fields of a type that are plain values without arguments, and the ids of the records that it belongs to. */
async function selectionOf(name: string): Promise<string> {
  const schema = buildSchema(await readFile(projectFile("schema/schema.graphql"), "utf8"));
  const type = schema.getType(name);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const usable = fields.filter(({ args, deprecationReason }) => args.length === 0 && deprecationReason == null);
  return usable.flatMap((field) => selectField(field)).join(" ");
}

function selectField(field: GraphQLField<unknown, unknown>): string[] {
  if (isLeafType(getNamedType(field.type))) return [field.name];
  const single = isNonNullType(field.type) ? required(field.type.ofType as GraphQLObjectType, "the type") : field.type;
  const isRecord =
    !isListType(single) && (isObjectType(single) || isInterfaceType(single)) && "databaseId" in single.getFields();
  return isRecord ? [`${field.name} { databaseId }`] : [];
}

/** The records of a list, page by page. */
async function* readList(client: ApiClient, list: string, selection: string): AsyncGenerator<object> {
  const query = `query ($after: String) { ${list}(first: ${PAGE}, after: $after) { nodes { ${selection} } pageInfo { hasNextPage endCursor } } }`;
  for (let after: string | null = null, hasNextPage = true; hasNextPage;) {
    const page: Page = required((await client.run<Record<string, Page>>(query, { after }))[list], "the list");
    yield* page.nodes;
    ({ hasNextPage, endCursor: after } = page.pageInfo);
  }
}
