import { describe, expect, test } from "vitest";
import { CoverEventType, TitleLanguage } from "../../../schema/vocabulary.ts";
import { customerStates } from "../../../src/customers/customer.states.ts";
import { eventTitles, eventTitleOf } from "../../../src/events/event.titles.ts";
import { pickPublicFacts } from "../../../src/events/event.facts.ts";
import { invoiceStates } from "../../../src/invoices/invoice.states.ts";
import { orderItemStates } from "../../../src/orders/order.states.ts";
import { paymentStates, refundStates } from "../../../src/payments/payment.states.ts";
import { coverEventTitles } from "../../../src/recovery/covers/cover-timeline.titles.ts";
import { subscriptionStates } from "../../../src/subscriptions/subscription.states.ts";

const machines = [customerStates, invoiceStates, orderItemStates, paymentStates, refundStates, subscriptionStates];
const triggers = machines.flatMap(({ definition }) => Object.keys(definition.actors));
const languages = Object.keys(TitleLanguage) as TitleLanguage[];

describe("The title of an event", () => {
  test("exists in each language for every trigger and every other type", () => {
    const kinds = new Set([...triggers, ...Object.keys(eventTitles)]);
    for (const kind of kinds)
      for (const language of languages) expect(eventTitleOf(kind, language), `${kind} ${language}`).toMatch(/\S/u);
    for (const kind of Object.keys(CoverEventType) as CoverEventType[])
      for (const language of languages) expect(coverEventTitles[kind][language], `${kind} ${language}`).toMatch(/\S/u);
  });

  test("is Korean in Korean, and no name of a trigger", () => {
    for (const { KOREAN, ENGLISH } of [...Object.values(eventTitles), ...Object.values(coverEventTitles)]) {
      expect(KOREAN).toMatch(/\p{Script=Hangul}/u);
      expect(ENGLISH).toMatch(/^[A-Z][a-z]+(?: |$)/);
    }
  });
});

test("An event shows no internal column", () => {
  expect(
    pickPublicFacts({ cycleAnchor: "2026-03-01", chargedCycle: 1, leaseUntil: null, cancelAt: "2026-04-01" }),
  ).toEqual({
    cancelAt: "2026-04-01",
  });
});
