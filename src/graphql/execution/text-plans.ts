import {
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from "graphql";
import type { RecordSelection } from "../../database/projected-list.ts";
import type { Selection } from "../../database/projection.ts";
import { TextPlan, type TextContent, type TextField } from "../../database/response-text/text-plan.ts";
import { selectionOf } from "../selection.ts";
import type { CompiledField, CompiledObject } from "./compiled-selection.ts";
import { leafFormatOf } from "./leaf-formats.ts";
import { projectedValueOf } from "./projected-fields.ts";

/** The selections below the fields of compiled queries, by the nodes that their resolvers receive. */
const selectionsByNodes = new WeakMap<readonly FieldNode[], CompiledObject>();

/** Lets the resolver of a compiled field read its records as text. */
export function registerSelection(nodes: readonly FieldNode[], below: CompiledObject): void {
  selectionsByNodes.set(nodes, below);
}

/**
 * What is read of the records that a field returns, which the resolver does not look at. They are texts in a compiled query
 * that selects them in one place; each path leads from the field to the records, as for `selectionOf`.
 */
export function recordSelectionOf(info: GraphQLResolveInfo, ...paths: string[][]): RecordSelection {
  const below = selectionsByNodes.get(info.fieldNodes);
  const places = below ? (paths.length === 0 ? [[]] : paths).flatMap((path) => objectsAtPath(below, path)) : [];
  const [only] = places;
  return only && places.length === 1 ? textOf(only).plan : selectionOf(info, ...paths);
}

const objectsAtPath = (object: CompiledObject, path: readonly string[]): CompiledObject[] =>
  path.reduce(
    (objects, name) =>
      objects.flatMap(({ fields }) =>
        fields.flatMap(({ definition, below }) => (definition?.name === name && below ? [below] : [])),
      ),
    [object],
  );

/** How the database writes an object, and the fields that are left to code. */
export function textOf(object: CompiledObject): NonNullable<CompiledObject["text"]> {
  if (!object.text) {
    const builder = new TextPlanBuilder();
    object.text = { plan: new TextPlan(builder.fieldsOf(object)), gapFields: builder.gapFields };
  }
  return object.text;
}

class TextPlanBuilder {
  readonly gapFields: CompiledField[] = [];

  fieldsOf({ type, fields }: CompiledObject): TextField[] {
    return fields.map((field) => {
      const { definition, below } = field;
      const gap = this.gapFields.push(field) - 1;
      return {
        key: JSON.stringify(field.key),
        name: definition?.name ?? "__typename",
        content: definition ? this.contentOf(field) : { constant: JSON.stringify(type.name) },
        nullText: definition && isNonNullType(definition.type) ? undefined : "null",
        gap,
        selection: below ? selectionBelow(below) : EMPTY_SELECTION,
      };
    });
  }

  private contentOf({ definition, below }: CompiledField): TextContent {
    if (!definition || definition.args.length > 0) return "CODE";
    const projected = projectedValueOf(definition);
    if (projected && projected !== "PROJECTED") return projected;
    if (!projected && definition.resolve) return "CODE";
    const type = getNullableType(definition.type) as GraphQLOutputType;
    const isList = isListType(type);
    const item: GraphQLOutputType = isList ? getNullableType(type.ofType as GraphQLOutputType) : type;
    if (below && isObjectType(item)) return { fields: this.fieldsOf(below), isList };
    const format = isLeafType(item) ? leafFormatOf(item) : undefined;
    return format ? { format, isList } : "CODE";
  }
}

const EMPTY_SELECTION: Selection = new Map();

/** The selected fields below a field by name, aliases merged. */
function selectionBelow(...objects: CompiledObject[]): Selection {
  const belowByName = new Map<string, CompiledObject[]>();
  for (const { definition, below } of objects.flatMap(({ fields }) => fields)) {
    if (!definition) continue;
    belowByName.set(definition.name, [...(belowByName.get(definition.name) ?? []), ...(below ? [below] : [])]);
  }
  return new Map([...belowByName].map(([name, below]) => [name, selectionBelow(...below)]));
}
