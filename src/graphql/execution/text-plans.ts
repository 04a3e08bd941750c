import {
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type FieldNode,
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from "graphql";
import type { RecordSelection } from "../../database/lists/projected-list.ts";
import type { Selection } from "../../database/projection.ts";
import { TextPlan, type LeafFormat, type TextContent, type TextField } from "../../database/response-text/text-plan.ts";
import { getOrThrow } from "../../kernel/required-values.ts";
import { selectionOf } from "../selection.ts";
import type { CompiledField, CompiledObject, Gap } from "./compiled-selection.ts";
import { leafFormatInForm, leafFormatOf } from "./leaf-formats.ts";
import type { FieldForm, ObjectForm, RecordForm } from "./response-form.ts";
import { projectedValueOf } from "./projected-fields.ts";

/** The selections below the fields of compiled operations, by the nodes that their resolvers receive. */
const selectionsByNodes = new WeakMap<readonly FieldNode[], CompiledObject>();

/** Lets the resolver of a compiled field read its records as text. */
export function registerSelection(nodes: readonly FieldNode[], below: CompiledObject): void {
  selectionsByNodes.set(nodes, below);
}

/**
 * What is read of the records that a field returns, which the resolver does not look at. They are texts in a compiled operation
 * that selects them in one place; each path leads from the field to the records, as for `selectionOf`.
 */
export function recordSelectionOf(info: GraphQLResolveInfo, ...paths: string[][]): RecordSelection {
  const below = selectionsByNodes.get(info.fieldNodes);
  const places = below ? (paths.length === 0 ? [[]] : paths).flatMap((path) => objectsAtPath(below, path)) : [];
  const [only] = places;
  const isText = only && places.length === 1 && only.form !== "VALUES";
  return isText ? textOf(only).plan : selectionOf(info, ...paths);
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
    const form = typeof object.form === "object" ? object.form : undefined;
    const builder = new TextPlanBuilder(form);
    object.text = { plan: new TextPlan(builder.fieldsOf(object, form?.fields)), gaps: builder.gaps };
  }
  return object.text;
}

class TextPlanBuilder {
  readonly gaps: Gap[] = [];

  constructor(private readonly form: RecordForm | undefined) {}

  fieldsOf({ type, fields }: CompiledObject, forms: ObjectForm | undefined): TextField[] {
    return fields.map((field) => {
      const { key, definition, below } = field;
      const form = forms && getOrThrow(forms, key);
      const valueForNull = form?.valueForNull ?? null;
      const write = (value: unknown) => (value === null ? valueForNull : form ? form.write(value) : value);
      const content = definition ? this.contentOf(definition, below, form) : { constant: JSON.stringify(type.name) };
      const gap = this.gaps.push({ field, write, isShared: content === "CODE_OF_VALUE" }) - 1;
      return {
        key: JSON.stringify(form?.name ?? key),
        name: definition?.name ?? "__typename",
        content,
        nullText: definition && isNonNullType(definition.type) ? undefined : JSON.stringify(valueForNull),
        gap,
        selection: below ? selectionBelow(below) : EMPTY_SELECTION,
      };
    });
  }

  private contentOf(
    definition: NonNullable<CompiledField["definition"]>,
    below: CompiledObject | undefined,
    fieldForm: FieldForm | undefined,
  ): TextContent {
    if (definition.args.length > 0) return "CODE";
    const projected = projectedValueOf(definition);
    if (projected === "MADE_OF_VALUE") return "CODE_OF_VALUE";
    if (projected && projected !== "PROJECTED") return projected;
    if (!projected && definition.resolve) return "CODE";
    const type = getNullableType(definition.type) as GraphQLOutputType;
    const isList = isListType(type);
    const item: GraphQLOutputType = isList ? getNullableType(type.ofType as GraphQLOutputType) : type;
    if (below && isObjectType(item)) return { fields: this.fieldsOf(below, fieldForm?.below), isList };
    const format = isLeafType(item) ? this.formatOf(item, fieldForm) : undefined;
    return format ? { format, isList } : "CODE";
  }

  private formatOf(type: GraphQLLeafType, fieldForm: FieldForm | undefined): LeafFormat | undefined {
    return this.form && fieldForm ? leafFormatInForm(type, this.form, fieldForm) : leafFormatOf(type);
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
