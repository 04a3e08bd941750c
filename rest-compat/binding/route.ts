/** One line of the old contract, bound to one stored operation. A route is a value; the binding does the rest. */
export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** Below /api/v1. Each {parameter} is a variable of the operation. */
  path: `/${string}`;
  summary: string;
  /** The file of stored operations beside the routes. */
  document: `${string}.graphql`;
  operation: string;
  /** Fields of the JSON body: those of the operation's `input` variable that the contract has. */
  body?: readonly string[];
  /** Query parameters: variables of the operation. */
  query?: readonly string[];
  /** Where the answered resource stands in the operation's data: `startRecovery.cover`. */
  answer: string;
  /** What the answer has besides the resource's fields. */
  adds?: Readonly<Record<string, boolean>>;
  /** Whether the call is a companion of the contract rather than a part of it. */
  extension?: boolean;
}

/** All paths of the old interface start with it. */
export const PREFIX = "/api/v1";

/** What a successful call answers: a POST creates, the rest tells. */
export const successStatus = ({ method }: Route): number => (method === "POST" ? 201 : 200);

/** The names of the parameters in a route's path. */
export const pathParameters = ({ path }: Route): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
