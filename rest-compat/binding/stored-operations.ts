import { readFileSync } from "node:fs";
import {
  getNullableType,
  type GraphQLError,
  isInputObjectType,
  isInputType,
  isObjectType,
  Kind,
  parse,
  typeFromAST,
  validate,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
} from "graphql";
import { projectFile } from "../../src/kernel/project-files.ts";
import { invariant } from "../../src/kernel/refusals.ts";
import { required } from "../../src/kernel/required-values.ts";
import { removeWireDirectives } from "./wire-directives.ts";
import { selectedFieldsOf } from "./selected-fields.ts";
import type { RestRoute } from "./route.ts";

/** A route's stored operation, known to fit the schema. */
export interface StoredOperation {
  /** The executed document: without the wire directives of its fields. */
  document: DocumentNode;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: ReadonlyMap<string, GraphQLInputType>;
  /** The type of the `input` variable, if there is one. */
  inputType: GraphQLInputObjectType | undefined;
  resource: SelectedType;
}

/** A file of operations, with and without what its fields say of the wire. */
interface StoredDocument {
  annotated: DocumentNode;
  executable: DocumentNode;
}

/** A type and what is selected of it. */
export interface SelectedType {
  type: GraphQLOutputType;
  selection: SelectionSetNode;
}

/** The type of a parameter: that of a variable, or of a field of the input. @throws where the operation has neither. */
export function parameterTypeOf({ variables, inputType }: StoredOperation, name: string): GraphQLInputType {
  const type = variables.get(name) ?? inputType?.getFields()[name]?.type;
  invariant(type, `a parameter ${name} is a variable of its operation, or a field of the input`);
  return type;
}

/** Reads stored operations; each file is read and checked once. */
export class StoredOperations {
  private readonly documents = new Map<string, StoredDocument>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** @throws an error that names the file, where a document does not fit the schema: the process must not start. */
  operationOf(route: RestRoute): StoredOperation {
    const { annotated, executable } = this.readDocument(route.documentFile);
    const definition = annotated.definitions.find(
      (node): node is OperationDefinitionNode =>
        node.kind === Kind.OPERATION_DEFINITION && node.name?.value === route.operation,
    );
    if (!definition) throw new Error(`rest-compat/${route.documentFile} has no operation ${route.operation}.`);
    const fragments = new Map(
      annotated.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    );
    const variables = new Map(
      (definition.variableDefinitions ?? []).map(({ variable, type }) => [variable.name.value, this.inputTypeOf(type)]),
    );
    const input = variables.get("input") && getNullableType(variables.get("input"));
    return {
      document: executable,
      fragments,
      variables,
      inputType: isInputObjectType(input) ? input : undefined,
      resource: this.resourceOf(route, definition, fragments),
    };
  }

  /** The type of a variable. The document was validated, so that it names an input type. */
  private inputTypeOf(node: TypeNode): GraphQLInputType {
    const type = typeFromAST(this.schema, node);
    invariant(isInputType(type), "a variable has an input type");
    return type;
  }

  private readDocument(file: string): StoredDocument {
    const cached = this.documents.get(file);
    if (cached) return cached;
    const annotated = parse(readFileSync(projectFile(`rest-compat/${file}`), "utf8"));
    const executable = removeWireDirectives(annotated);
    const errors: readonly GraphQLError[] = validate(this.schema, executable);
    if (errors.length > 0) {
      throw new Error(
        `rest-compat/${file} does not fit the schema:\n${errors.map(({ message }) => `  - ${message}`).join("\n")}`,
      );
    }
    const read = { annotated, executable };
    this.documents.set(file, read);
    return read;
  }

  private resourceOf(
    route: RestRoute,
    definition: OperationDefinitionNode,
    fragments: StoredOperation["fragments"],
  ): StoredOperation["resource"] {
    let selected: SelectedType = {
      type: required(this.schema.getRootType(definition.operation), definition.operation),
      selection: definition.selectionSet,
    };
    for (const name of route.resourcePath.split("."))
      selected = selectedUnder(selected, name, fragments, route.operation);
    return selected;
  }
}

/** The selection under a name of an object. @throws if there is none. */
export function selectedUnder(
  { type, selection }: SelectedType,
  name: string,
  fragments: StoredOperation["fragments"],
  operation: string,
): SelectedType {
  const parent = getNullableType(type) as GraphQLOutputType;
  const field = isObjectType(parent)
    ? selectedFieldsOf(parent, selection, fragments).find(({ key }) => key === name)
    : undefined;
  invariant(field?.selection, `${operation} selects an object or a list of objects as ${name}`);
  return { type: getNullableType(field.type) as GraphQLOutputType, selection: field.selection };
}
