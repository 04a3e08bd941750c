import { readFileSync } from "node:fs";
import { customerStates } from "./customers/customer.states.ts";
import { invoiceStates } from "./invoices/invoice.states.ts";
import { asset } from "./kernel/project-files.ts";
import { invariant } from "./kernel/refusals.ts";
import type { StateMachine, StateTable } from "./kernel/state-table.ts";
import { orderItemStates } from "./orders/order.states.ts";
import { paymentStates } from "./payments/payment.states.ts";
import { productStates } from "./products/product.states.ts";
import { subscriptionStates } from "./subscriptions/subscription.states.ts";

const machine = <S extends string, T extends string>(table: StateTable<S, T>): StateMachine<string, string> =>
  table.machine;

/** Every state machine, with the README that shows it. */
const stateMachines = {
  "src/customers/README.md": machine(customerStates),
  "src/products/README.md": machine(productStates),
  "src/subscriptions/README.md": machine(subscriptionStates),
  "src/orders/README.md": machine(orderItemStates),
  "src/invoices/README.md": machine(invoiceStates),
  "src/payments/README.md": machine(paymentStates),
};

const drawing = /(?<=<!-- drawn by `npm run contracts` -->\n)[^]*(?=\n<!-- end of the drawing -->)/;

/** The READMEs with their pictures drawn anew; what stands around a picture is written by hand. */
export const drawnReadmes = (): { file: string; text: string }[] =>
  Object.entries(stateMachines).map(([file, shown]) => {
    const text = readFileSync(asset(file), "utf8");
    invariant(drawing.test(text), `${file} has a place for the drawing`);
    return { file, text: text.replace(drawing, () => pictureOf(shown)) };
  });

const arrow = (from: string, to: string, trigger: string) => `    ${from} --> ${to}: ${trigger}`;

/** The machine as a picture, and who can pull its triggers. */
function pictureOf({ by, births, moves }: StateMachine<string, string>): string {
  const arrows = [
    ...Object.entries(births).map(([trigger, to]) => arrow("[*]", to!, trigger)),
    ...Object.entries(moves).flatMap(([from, triggers]) =>
      Object.entries(triggers).map(([trigger, to]) => arrow(from, to!, trigger)),
    ),
    ...Object.entries(moves)
      .filter(([, triggers]) => Object.keys(triggers).length === 0)
      .map(([state]) => `    ${state} --> [*]`),
  ];
  const actors = Object.entries(by).map(([trigger, who]) => `- \`${trigger}\`: ${who.join(", ")}`);
  return [
    "",
    "```mermaid",
    "stateDiagram-v2",
    ...arrows,
    "```",
    "",
    "Who can do it, the usual one first:",
    "",
    ...actors,
    "",
  ].join("\n");
}
