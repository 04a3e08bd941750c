import { readFileSync } from "node:fs";
import { customerStates } from "./customers/customer.states.ts";
import { invoiceStates } from "./invoices/invoice.states.ts";
import { projectFile } from "./kernel/project-files.ts";
import { invariant } from "./kernel/refusals.ts";
import { required } from "./kernel/required-values.ts";
import type { StateMachineDefinition, StateTable } from "./kernel/state-table.ts";
import { messageStates } from "./notifications/message.states.ts";
import { orderItemStates } from "./orders/order.states.ts";
import { paymentStates } from "./payments/payment.states.ts";
import { productStates } from "./products/product.states.ts";
import { subscriptionStates } from "./subscriptions/subscription.states.ts";

const toStateMachine = <S extends string, T extends string>(
  table: StateTable<S, T>,
): StateMachineDefinition<string, string> => table.definition;

/** Every state machine, with the README that shows it. */
const stateMachines = {
  "src/customers/README.md": toStateMachine(customerStates),
  "src/products/README.md": toStateMachine(productStates),
  "src/subscriptions/README.md": toStateMachine(subscriptionStates),
  "src/orders/README.md": toStateMachine(orderItemStates),
  "src/invoices/README.md": toStateMachine(invoiceStates),
  "src/payments/README.md": toStateMachine(paymentStates),
  "src/notifications/README.md": toStateMachine(messageStates),
};

const diagramSection = /(?<=<!-- drawn by `npm run contracts` -->\n)[^]*(?=\n<!-- end of the drawing -->)/;

/** The READMEs with regenerated diagrams; the text around a diagram is written by hand. */
export const renderReadmesWithDiagrams = (): { file: string; text: string }[] =>
  Object.entries(stateMachines).map(([file, stateMachine]) => {
    const text = readFileSync(projectFile(file), "utf8");
    invariant(diagramSection.test(text), `${file} has a place for the drawing`);
    return { file, text: text.replace(diagramSection, () => toMermaid(stateMachine)) };
  });

const toArrow = (from: string, to: string | undefined, trigger: string) =>
  `    ${from} --> ${required(to, trigger)}: ${trigger}`;

/** The machine as a picture, and who can pull its triggers. */
function toMermaid({ actors: by, initialStates, transitions }: StateMachineDefinition<string, string>): string {
  const arrows = [
    ...Object.entries(initialStates).map(([trigger, to]) => toArrow("[*]", to, trigger)),
    ...Object.entries(transitions).flatMap(([from, triggers]) =>
      Object.entries(triggers).map(([trigger, to]) => toArrow(from, to, trigger)),
    ),
    ...Object.entries(transitions)
      .filter(([, triggers]) => Object.keys(triggers).length === 0)
      .map(([state]) => `    ${state} --> [*]`),
  ];
  const actors = Object.entries(by).map(([trigger, actorNames]) => `- \`${trigger}\`: ${actorNames.join(", ")}`);
  return [
    "",
    "```mermaid",
    "stateDiagram-v2",
    ...arrows,
    "```",
    "",
    "Actors of each transition, the usual one first:",
    "",
    ...actors,
    "",
  ].join("\n");
}
