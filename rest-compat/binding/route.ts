import { itemAt } from "../../src/kernel/required-values.ts";
import type { PathSubject } from "./path-subjects.ts";

/** One line of the old contract, bound to one stored operation. A route is a value; the binding does the rest. */
export interface RestRoute {
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** Below /api/v1, or below /api/public. Each {parameter} is a variable of the operation, or a field of its `input`. */
  path: `/${string}`;
  summary: string;
  /** The record that the path names: what is said, and with which status, where the vendor has no such record. */
  pathSubject?: PathSubject;
  /**
   * Anyone may call it, without a token, below /api/public: it acts for the vendor of the order whose code is the path's only
   * parameter. Each client address has so many calls a minute.
   */
  isPublic?: boolean;
  /** The file of stored operations beside the routes. */
  documentFile: `${string}.graphql`;
  operation: string;
  /**
   * Fields of the JSON body: those of the operation's `input` variable that the contract has. A name includes all its
   * nested fields; `items.priceCode` includes that field only.
   */
  body?: readonly string[];
  /** Fields of the body that have another name on the wire than in the input: `{ optionIds: "productOption" }`. */
  wireNames?: Readonly<Record<string, string>>;
  /** Values of fields that the body leaves out, where the operation itself would take another one. */
  defaults?: Readonly<Record<string, BodyDefault>>;
  /** Query parameters: each is a variable of the operation, or a field of its `input`. */
  query?: readonly (string | QueryParameter)[];
  /**
   * The path of the answered resource, or list, in the operation's data: `startRecovery.cover`. A null on the way is a
   * 404.
   */
  resourcePath: string;
  /** Fields of the answer in addition to the resource's. */
  addedFields?: Readonly<Record<string, boolean>>;
  /**
   * The answer is a numbered page, `{ rows totalCount }`, on the wire in the contract's envelope, or as a bare array
   * with the headers X-Total-Count and Link.
   */
  page?: "ENVELOPE" | "ARRAY";
  /** How times go out: in UTC with Z, or in UTC without a zone suffix. */
  timeFormat?: "ZONELESS";
  /** The call sends the browser on: it answers 302 and no body. */
  redirect?: BrowserRedirect;
  /** Whether the call is a companion of the contract rather than a part of it. */
  isExtension?: boolean;
}

/** The default for a field that is absent or null. */
interface BodyDefault {
  value: string;
  /** A list of the body whose items may have the field themselves: if one has it, the default does not apply. */
  unlessIn?: string;
}

/** A query parameter of which more is to be said than its name. */
export interface QueryParameter {
  name: string;
  /** The default of an absent parameter, as a caller would send it. */
  default?: string | number;
  /** True if the parameter takes several words of its list, separated by commas. */
  isList?: boolean;
  /** The range of a whole number, both ends included. */
  min?: number;
  max?: number;
  /** The instant that a date without a time means: the first or the last of that day in the vendor's zone. */
  dayBoundary?: "FIRST" | "LAST";
  /** The parameter whose time may not be after this one's. */
  notBefore?: string;
  /** The words of the wire and the words of the enum that they stand for; without it they are the same. */
  enumMapping?: Readonly<Record<string, string>>;
}

/** Where a call sends the browser: fields of the answered resource. */
export interface BrowserRedirect {
  /** The field with the address. */
  addressField: string;
  /** Announces the deprecation of a number in the path: its date (`2026-01-01`), and the address with the code. */
  deprecated?: { parameter: string; code: string; since: string };
}

/** All paths of the old interface start with it. */
export const API_PREFIX = "/api/v1";

/** The whole path of a route, with its parameters in braces. */
export const fullPathOf = ({ isPublic, path }: RestRoute): string => (isPublic ? "/api/public" : API_PREFIX) + path;

/** The status of a successful call: 302 for a redirect, 201 for a POST, else 200. */
export const successStatusOf = ({ method, redirect }: RestRoute): number =>
  redirect ? 302 : method === "POST" ? 201 : 200;

/** The names of the parameters in a route's path. */
export const pathParametersOf = ({ path }: RestRoute): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => itemAt(match, 1));

/** The query parameters of a route. */
export const queryParametersOf = ({ query = [] }: RestRoute): QueryParameter[] =>
  query.map((parameter) => (typeof parameter === "string" ? { name: parameter } : parameter));
