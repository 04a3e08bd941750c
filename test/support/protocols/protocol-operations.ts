import { billingOperations } from "./billing-operations.ts";
import { coverOperations } from "./cover-operations.ts";
import type { CreateOperation } from "./operation-inputs.ts";

/** The operations of a sequence; a frequent one is listed more than once. */
export const operationFactories: Readonly<Record<string, CreateOperation>> = {
  ...coverOperations,
  ...billingOperations,
};
