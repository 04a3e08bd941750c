/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApiDocument {
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  summary: string;
  parameters?: readonly { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
  "x-extension"?: boolean;
}

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  items?: Schema;
  oneOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  description?: string;
}

interface Field {
  path: string;
  schema: Schema;
  isRequired: boolean;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const code = (text: string): string => `<code>${escape(text)}</code>`;

/** Descriptions have code between backticks. */
const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

const anchorOf = (schemaName: string): string => `schema-${schemaName}`;

function showType(schema: Schema): string {
  const { $ref, type, format, enum: words, items, oneOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return `<a href="#${anchorOf(name)}">${escape(name)}</a>`;
  }
  if (oneOf) return oneOf.map(showType).join(" or ");
  if (items) return `list of ${showType(items)}`;
  if (words) return words.map((word) => code(String(word))).join(", ");
  const types = (typeof type === "string" ? [type] : (type ?? [])).join(" or ");
  return escape(format === undefined ? types : `${types} (${format})`);
}

/** The fields of an object and of the objects below it; those with a name of their own are shown once, at the end. */
function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = { path: prefix + name, schema, isRequired: required.includes(name) };
    const below = schema.items ? fieldsOf(schema.items, `${field.path}[].`) : fieldsOf(schema, `${field.path}.`);
    return [field, ...below];
  });
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<div class="guide-table" tabindex="0" role="group" aria-label="${titles[0] ?? ""}"><table><thead>${row(titles, "th")}</thead><tbody>${rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>`;
}

const fieldTable = (title: string, schema: Schema): string =>
  table(
    [title, "Type", "Required", "Meaning"],
    fieldsOf(schema).map(({ path, schema: shown, isRequired }) => [
      code(path),
      showType(shown),
      isRequired ? "yes" : "no",
      prose(shown.description ?? ""),
    ]),
  );

const bodyOf = (content: Record<string, { schema: Schema }> | undefined): Schema | undefined =>
  content && Object.values(content)[0]?.schema;

function showOperation(method: string, path: string, operation: Operation): string {
  const { summary, parameters = [], requestBody, responses } = operation;
  const body = bodyOf(requestBody?.content);
  return [
    `<h3>${code(`${method.toUpperCase()} ${path}`)}</h3><p>${prose(summary)}${operation["x-extension"] ? " It is an addition to the contract." : ""}</p>`,
    table(
      ["Parameter", "In", "Type", "Required", "Meaning"],
      parameters.map((parameter) => [
        code(parameter.name),
        parameter.in,
        showType(parameter.schema),
        parameter.required ? "yes" : "no",
        prose(parameter.description ?? ""),
      ]),
    ),
    body ? (body.properties ? fieldTable("Body field", body) : `<p>Body: ${showType(body)}</p>`) : "",
    table(
      ["Status", "Answer", "Meaning"],
      Object.entries(responses).map(([status, { content, description }]) => {
        const answer = bodyOf(content);
        return [code(status), answer ? showType(answer) : "–", prose(description)];
      }),
    ),
  ].join("\n");
}

/** `/api/v1/cover/order` belongs to `cover`, and `/api/public/orders/{code}/pay` to `orders`. */
const sectionOf = (path: string): string => path.split("/")[3] ?? path;

/** The REST interface as HTML: the operations by section, then the bodies that they name. */
export function showRestReference({ paths, components }: OpenApiDocument): string {
  const entries = Object.entries(paths);
  const sections = [...new Set(entries.map(([path]) => sectionOf(path)))].map((section) => {
    const operations = entries
      .filter(([path]) => sectionOf(path) === section)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => showOperation(method, path, operation)),
      );
    return `<h2 id="${section}">${section}</h2>\n${operations.join("\n")}`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<h3 id="${anchorOf(name)}">${escape(name)}</h3>\n${fieldTable("Field", schema) || `<p>${showType(schema)}</p>`}`,
  );
  return `<p>Each call below <code>/api/v1</code> has the header <code>Secret-Token</code>. The document of this page is <a href="/openapi.json">openapi.json</a>.</p>\n${sections.join("\n")}\n<h2 id="bodies">Bodies</h2>\n${schemas.join("\n")}`;
}
