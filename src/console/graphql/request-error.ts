import type { CombinedError } from "urql";

/** A failed request as people need it: what is wrong, and what they quote when they report it. */
export interface RequestError {
  /** The refusal's sentence; undefined if the gateway did not answer. */
  message: string | undefined;
  code: string | undefined;
  traceId: string | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export function toRequestError({ graphQLErrors: [error] }: CombinedError): RequestError {
  if (!error) return { message: undefined, code: undefined, traceId: undefined };
  const { code, traceId } = error.extensions;
  return { message: error.message, code: textOf(code), traceId: textOf(traceId) };
}
