/** A value that a refusal names. */
export interface NamedValue {
  path: string;
  code: string;
  message: string;
}

/** The explanation of a refusal. The contracts leave its fields open. */
export interface RefusalDetails {
  fields?: NamedValue[];
  /** The record that the refused one equals. */
  id?: number;
  hint?: string;
  docUrl?: string;
  legal?: string[];
}

/** An error of GraphQL. */
export interface GraphQLRefusal {
  message: string;
  path?: (string | number)[];
  extensions: { code: string; traceId?: string; docUrl?: string; details?: RefusalDetails };
}

/**
 * The values that a refusal names by itself. That it concerns the record which the request names (REFUSED, or a whole
 * request NOT_FOUND) is left out: the edge of the protocol adds it to each.
 */
export const namedValuesOf = (sentence: string, details: RefusalDetails | undefined): NamedValue[] =>
  (details?.fields ?? []).filter(
    ({ code, message }) => code !== "REFUSED" && !(code === "NOT_FOUND" && sentence.startsWith(message.slice(0, -1))),
  );

/** An answer without its unique parts: the traceId, and the sent value, which refusals repeat. */
export const removeEchoedValues = (body: string): string =>
  body
    .replace(/"traceId":"[0-9a-f]{32}"/g, '"traceId":""')
    .replace(/ Received (?:\\"[^"\\]*\\"|\d+)\./g, "")
    .replace(/,"value":(?:"[^"]*"|\d+)/g, "");
