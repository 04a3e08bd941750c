import type { Actor, CustomerStatus } from "../../schema/vocabulary.ts";
import { StateTable } from "../kernel/state-table.ts";

const actorsByTrigger = {
  registerCustomer: ["MANAGER", "CUSTOMER"],
  makeDormant: ["SYSTEM"],
  wakeCustomer: ["CUSTOMER", "MANAGER", "SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** The triggers of a customer account's transitions. */
export type CustomerTrigger = keyof typeof actorsByTrigger;

/** Customers' accounts. An order wakes a dormant one, and so does a sign-in. */
export const customerStates = new StateTable<CustomerStatus, CustomerTrigger>({
  noun: "customer",
  actors: actorsByTrigger,
  operations: {},
  initialStates: { registerCustomer: "NORMAL" },
  transitions: {
    NORMAL: { makeDormant: "DORMANT" },
    DORMANT: { wakeCustomer: "NORMAL" },
  },
});
