import type { components, paths } from "../generated/rest.ts";
import type { RefusalDetails } from "./refusal-values.ts";

export type RestMethod = "GET" | "POST" | "PUT" | "PATCH";

/** The body of a refusal. */
export type ErrorBody = components["schemas"]["Error"] & { details?: RefusalDetails };

/** The path of a route below /api/v1, as the contract writes it: "/orders/{idOrCode}". */
type RouteOf<M extends RestMethod> = {
  [K in keyof paths]: K extends `/api/v1${infer Route}`
    ? paths[K] extends Record<Lowercase<M>, object>
      ? Route
      : never
    : never;
}[keyof paths];

/** A route's path with any text in the place of each parameter. */
type TemplateOf<Route extends string> = Route extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${TemplateOf<After>}`
  : Route;

/** A path of the contract, with or without a query. */
export type RestPath<M extends RestMethod> = TemplateOf<RouteOf<M>> | `${TemplateOf<RouteOf<M>>}?${string}`;

type WithoutQuery<P extends string> = P extends `${infer Path}?${string}` ? Path : P;

/** Whether a path has the route's segments. */
type IsPathOf<P extends string, Route extends string> = Route extends `${infer RouteHead}/${infer RouteRest}`
  ? P extends `${infer Head}/${infer Rest}`
    ? Head extends TemplateOf<RouteHead>
      ? IsPathOf<Rest, RouteRest>
      : false
    : false
  : P extends `${string}/${string}`
    ? false
    : P extends TemplateOf<Route>
      ? true
      : false;

/** The routes of one path or of several. */
type RouteOfPath<M extends RestMethod, P extends string> = P extends string
  ? { [Route in RouteOf<M>]: IsPathOf<WithoutQuery<P>, Route> extends true ? Route : never }[RouteOf<M>]
  : never;

type JsonOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : undefined;

type SuccessOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: Status extends 200 | 201 | 302 ? JsonOf<Responses[Status]> : never }[keyof Responses]
  : never;

type BodyOfRoute<M extends RestMethod, Route extends string> = `/api/v1${Route}` extends infer K extends keyof paths
  ? SuccessOf<paths[K][Lowercase<M>]>
  : never;

/** The body of a call that succeeds, by its method and path. Undefined if the call redirects. */
export type RestBody<M extends RestMethod, P extends string> = [RouteOfPath<M, P>] extends [never]
  ? unknown
  : { [Route in RouteOfPath<M, P>]: BodyOfRoute<M, Route> }[RouteOfPath<M, P>];

/** A route with its method: "GET /orders/{idOrCode}". */
export type RestCall = { [M in RestMethod]: `${M} ${RouteOf<M>}` }[RestMethod];

/** The body of a call that succeeds, by its route. */
export type BodyOfCall<Call extends RestCall> = Call extends `${infer M extends RestMethod} ${infer Route}`
  ? BodyOfRoute<M, Route>
  : never;

/** The fields of a type, as absent. */
type Absent<Names extends PropertyKey> = { [Name in Names]?: undefined };

/** A body that is either: a field of one is undefined in the other. */
type Either<Body> = Body extends readonly unknown[] | undefined
  ? Body | ErrorBody
  : (Body & Absent<Exclude<keyof ErrorBody, keyof Body>>) | (ErrorBody & Absent<Exclude<keyof Body, keyof ErrorBody>>);

/** The body of a call that succeeds or is refused. */
export type RestAnswerBody<M extends RestMethod, P extends string> = Either<RestBody<M, P>>;
