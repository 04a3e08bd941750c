import { readFileSync } from "node:fs";
import {
  getNullableType,
  type GraphQLError,
  isInputObjectType,
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
} from "graphql";
import { asset } from "../../src/kernel/project-files.ts";
import { invariant } from "../../src/kernel/refusals.ts";
import { withoutWireForms } from "./wire-directives.ts";
import { fieldsOf } from "./selected-fields.ts";
import type { Route } from "./route.ts";

/** A route's stored operation, known to fit the schema. */
export interface Operation {
  /** What is executed: without what its fields say of the wire. */
  document: DocumentNode;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: ReadonlyMap<string, GraphQLInputType>;
  /** The type of the `input` variable, if there is one. */
  input: GraphQLInputObjectType | undefined;
  answer: Selected;
}

/** A file of operations, with and without what its fields say of the wire. */
interface ReadDocument {
  written: DocumentNode;
  executed: DocumentNode;
}

/** A type and what is selected of it. */
export interface Selected {
  type: GraphQLOutputType;
  selection: SelectionSetNode;
}

/** The type of a parameter: that of a variable, or of a field of the input. @throws where the operation has neither. */
export function parameterType({ variables, input }: Operation, name: string): GraphQLInputType {
  const type = variables.get(name) ?? input?.getFields()[name]?.type;
  invariant(type, `a parameter ${name} is a variable of its operation, or a field of the input`);
  return type;
}

/** Reads stored operations; each file is read and checked once. */
export class Operations {
  private readonly documents = new Map<string, ReadDocument>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** @throws an error that names the file, where a document does not fit the schema: the process must not start. */
  of(route: Route): Operation {
    const { written, executed } = this.document(route.document);
    const definition = written.definitions.find(
      (node): node is OperationDefinitionNode =>
        node.kind === Kind.OPERATION_DEFINITION && node.name?.value === route.operation,
    );
    if (!definition) throw new Error(`rest-compat/${route.document} has no operation ${route.operation}.`);
    const fragments = new Map(
      written.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    );
    const variables = new Map(
      (definition.variableDefinitions ?? []).map(({ variable, type }) => [
        variable.name.value,
        typeFromAST(this.schema, type as never) as unknown as GraphQLInputType,
      ]),
    );
    const input = variables.get("input") && getNullableType(variables.get("input"));
    return {
      document: executed,
      fragments,
      variables,
      input: isInputObjectType(input) ? input : undefined,
      answer: this.answerOf(route, definition, fragments),
    };
  }

  private document(file: string): ReadDocument {
    const known = this.documents.get(file);
    if (known) return known;
    const written = parse(readFileSync(asset(`rest-compat/${file}`), "utf8"));
    const executed = withoutWireForms(written);
    const faults: readonly GraphQLError[] = validate(this.schema, executed);
    if (faults.length > 0) {
      throw new Error(
        `rest-compat/${file} does not fit the schema:\n${faults.map(({ message }) => `  - ${message}`).join("\n")}`,
      );
    }
    const read = { written, executed };
    this.documents.set(file, read);
    return read;
  }

  private answerOf(
    route: Route,
    definition: OperationDefinitionNode,
    fragments: Operation["fragments"],
  ): Operation["answer"] {
    let answer: Selected = { type: this.schema.getRootType(definition.operation)!, selection: definition.selectionSet };
    for (const name of route.answer.split(".")) answer = below(answer, name, fragments, route.operation);
    return answer;
  }
}

/** What is selected under a name of an object. @throws where there is no such thing. */
export function below(
  { type, selection }: Selected,
  name: string,
  fragments: Operation["fragments"],
  operation: string,
): Selected {
  const parent = getNullableType(type) as GraphQLOutputType;
  const field = isObjectType(parent)
    ? fieldsOf(parent, selection, fragments).find(({ key }) => key === name)
    : undefined;
  invariant(field?.selection, `${operation} selects an object or a list of objects as ${name}`);
  return { type: getNullableType(field.type) as GraphQLOutputType, selection: field.selection };
}
