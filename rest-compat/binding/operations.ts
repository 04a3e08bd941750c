import { readFileSync } from "node:fs";
import {
  type GraphQLError,
  isObjectType,
  Kind,
  parse,
  typeFromAST,
  validate,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { asset } from "../../src/kernel/assets.ts";
import { invariant } from "../../src/kernel/errors.ts";
import { fieldsOf } from "./selection.ts";
import type { Route } from "./route.ts";

/** A route's stored operation, known to fit the schema. */
export interface Operation {
  document: DocumentNode;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: ReadonlyMap<string, GraphQLInputType>;
  /** The type and selection of the answered resource. */
  answer: { type: GraphQLObjectType; selection: SelectionSetNode };
}

/** Reads stored operations; each file is read and checked once. */
export class Operations {
  private readonly documents = new Map<string, DocumentNode>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** @throws an error that names the file, where a document does not fit the schema: the process must not start. */
  of(route: Route): Operation {
    const document = this.document(route.document);
    const definition = document.definitions.find(
      (node): node is OperationDefinitionNode =>
        node.kind === Kind.OPERATION_DEFINITION && node.name?.value === route.operation,
    );
    if (!definition) throw new Error(`rest-compat/${route.document} has no operation ${route.operation}.`);
    const fragments = new Map(
      document.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    );
    const variables = new Map(
      (definition.variableDefinitions ?? []).map(({ variable, type }) => [
        variable.name.value,
        typeFromAST(this.schema, type as never) as unknown as GraphQLInputType,
      ]),
    );
    return { document, fragments, variables, answer: this.answerOf(route, definition, fragments) };
  }

  private document(file: string): DocumentNode {
    const known = this.documents.get(file);
    if (known) return known;
    const document = parse(readFileSync(asset(`rest-compat/${file}`), "utf8"));
    const faults: readonly GraphQLError[] = validate(this.schema, document);
    if (faults.length > 0) {
      throw new Error(
        `rest-compat/${file} does not fit the schema:\n${faults.map(({ message }) => `  - ${message}`).join("\n")}`,
      );
    }
    this.documents.set(file, document);
    return document;
  }

  private answerOf(
    route: Route,
    definition: OperationDefinitionNode,
    fragments: Operation["fragments"],
  ): Operation["answer"] {
    let type = this.schema.getRootType(definition.operation)!;
    let selection = definition.selectionSet;
    for (const name of route.answer.split(".")) {
      const field = fieldsOf(type, selection, fragments).find(({ key }) => key === name);
      invariant(field?.selection && isObjectType(field.namedType), `${route.operation} selects ${route.answer}`);
      [type, selection] = [field.namedType, field.selection];
    }
    return { type, selection };
  }
}
