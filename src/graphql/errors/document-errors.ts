import {
  Kind,
  valueFromASTUntyped,
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type ValueNode,
} from "graphql";
import type { FieldError } from "../../kernel/refusals.ts";
import type { RefusalCode } from "../../kernel/refusal-codes.ts";
import { quotableValue } from "../../kernel/quoted-values.ts";
import { itemAt } from "../../kernel/required-values.ts";
import { toFieldError, withKnownNames } from "../documents/variable-errors.ts";

/** Maximum length of a graphql-js message that quotes a long document. */
export const MAX_SENTENCE_LENGTH = 500;

/** An error of a document that is invalid in the schema. */
export interface DocumentError {
  code: RefusalCode;
  fieldError: FieldError;
}

/**
 * Turns a validation error into one with its place in the document: for a value, the path of its argument, as for a
 * variable; otherwise the path of fields.
 */
export function toDocumentError(
  schema: GraphQLSchema,
  document: DocumentNode,
  error: GraphQLError,
  mayNameSchema: boolean,
): DocumentError {
  const [node] = error.nodes ?? [];
  const place = node && findNodePlace(document, node);
  const sentence = error.message.slice(0, MAX_SENTENCE_LENGTH);
  const message = mayNameSchema ? withKnownNames(schema, sentence) : sentence;
  if (!node || !place) return { code: "GRAPHQL_VALIDATION_FAILED", fieldError: invalidValueError("query", message) };
  const { fields, value, variable } = place;
  const requiredArgument = node.kind === Kind.FIELD && /argument "(\w+)" of type .* is required/.exec(message)?.[1];
  if (requiredArgument) {
    const path = argumentPath(fields, [requiredArgument]);
    return { code: "INVALID_ARGUMENT", fieldError: { path, code: "REQUIRED", message: "is required." } };
  }
  if (value && node.kind !== Kind.VARIABLE && node.kind !== Kind.ARGUMENT) {
    const keys = node.kind === Kind.OBJECT_FIELD ? value.slice(0, -1) : value;
    const fieldError = toFieldError(schema, keys, message);
    const path = argumentPath(fields, [fieldError.path]);
    // A missing value was not sent; the node is the value that lacks it.
    const sentValue = fieldError.message === "is required." ? undefined : quotableValue(path, valueOfNode(node));
    return {
      code: "INVALID_ARGUMENT",
      fieldError: { ...fieldError, path, ...(sentValue !== undefined && { value: sentValue }) },
    };
  }
  const path = value ? argumentPath(fields, value) : (variable ?? fields.join("."));
  const name = node.kind === Kind.NAME ? node.value : "name" in node ? node.name?.value : undefined;
  return {
    code: "GRAPHQL_VALIDATION_FAILED",
    fieldError: { ...invalidValueError(path || "query", message), ...(name !== undefined && { value: name }) },
  };
}

/** The path of an argument, in the form of an error's path. */
export function pathOfArgument(document: DocumentNode, argument: ArgumentNode): string {
  const { fields, value } = findNodePlace(document, argument) ?? { fields: [], value: undefined };
  return argumentPath(fields, value ?? [argument.name.value]);
}

const invalidValueError = (path: string, message: string): FieldError => ({ path, code: "INVALID_VALUE", message });

/** An argument of a root field is named by itself, as it is in the input of a mutation. */
function argumentPath(fields: readonly string[], value: readonly (string | number)[]): string {
  const prefix = fields.slice(1).length > 0 ? fields : [];
  const keys = value.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
  return [...prefix, keys.slice(1)].join(".");
}

/** The wrong value at a node; an unknown field of an input is reported with its value too. */
function valueOfNode(node: ASTNode): unknown {
  if (node.kind === Kind.OBJECT_FIELD) return valueFromASTUntyped(node.value);
  return "value" in node || node.kind === Kind.NULL || node.kind === Kind.LIST || node.kind === Kind.OBJECT
    ? valueFromASTUntyped(node as ValueNode)
    : undefined;
}

interface NodePlace {
  /** The names of the fields that lead to it. */
  fields: string[];
  /** The argument and the keys below it; undefined outside of arguments. */
  value: (string | number)[] | undefined;
  /** The variable that is declared there. */
  variable: string | undefined;
}

/** Finds the place of a node in its document. */
function findNodePlace(document: DocumentNode, target: ASTNode): NodePlace | undefined {
  const start = target.loc?.start;
  const end = target.loc?.end;
  if (start === undefined || end === undefined) return undefined;
  const fields: string[] = [];
  let value: (string | number)[] | undefined;
  let variable: string | undefined;
  /** Goes down to the target; each node that encloses it adds its name. */
  const descend = (node: ASTNode): boolean => {
    if (node.kind === Kind.FIELD) fields.push(node.name.value);
    if (node.kind === Kind.VARIABLE_DEFINITION) variable = node.variable.name.value;
    if (node.kind === Kind.ARGUMENT) value = [node.name.value];
    if (node.kind === Kind.OBJECT_FIELD) value?.push(node.name.value);
    if (node === target) return true;
    if (node.kind === Kind.LIST) {
      const index = node.values.findIndex((item) => encloses(item, start, end));
      if (index < 0) return false;
      value?.push(index);
      return descend(itemAt(node.values, index));
    }
    const next = childrenOf(node).find((child) => encloses(child, start, end));
    return next !== undefined && descend(next);
  };
  return descend(document) ? { fields, value, variable } : undefined;
}

const encloses = ({ loc }: ASTNode, start: number, end: number): boolean =>
  loc !== undefined && loc.start <= start && loc.end >= end;

/** The nodes right below one. */
const childrenOf = (node: ASTNode): ASTNode[] =>
  Object.entries(node)
    .filter(([key]) => key !== "loc")
    .flatMap(([, child]) => [child as unknown].flat())
    .filter((child): child is ASTNode => typeof child === "object" && child !== null && "kind" in child);
