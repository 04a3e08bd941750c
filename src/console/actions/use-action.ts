import { useRef } from "react";
import { useMutation, type AnyVariables, type TypedDocumentNode } from "urql";
import { toRequestError, type RequestError } from "../graphql/request-error.ts";
import { useSession } from "../session/session.tsx";

/** A key for one intention of the user; randomUUID would need HTTPS or localhost. */
const newKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join("");

interface Action<Data, Variables> {
  isRunning: boolean;
  problem: RequestError | undefined;
  /** The data of the last run; undefined before it and after a refusal. */
  data: Data | undefined;
  /** Runs the mutation; returns its data, or undefined if it was refused or not answered. */
  run: (variables: Variables) => Promise<Data | undefined>;
}

/** A mutation that a second click, or a lost answer, does not make twice: repeats have the same idempotency key. */
export function useAction<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
): Action<Data, Variables> {
  const { access } = useSession();
  const key = useRef<string>(undefined);
  const [{ fetching, error, data }, execute] = useMutation(document);
  const run = async (variables: Variables) => {
    key.current ??= newKey();
    const headers = {
      ...(access?.kind === "TOKEN" && { "Secret-Token": access.token }),
      "Idempotency-Key": key.current,
    };
    const result = await execute(variables, { fetchOptions: { headers } });
    // Without an answer the outcome is open, and the next run repeats this one.
    if (!result.error?.networkError) key.current = undefined;
    return result.error ? undefined : result.data;
  };
  return { isRunning: fetching, problem: error && toRequestError(error), data, run };
}
