import { afterAll } from "vitest";
import { GuardedGateway } from "../../src/payments/gateways/guarded-gateway.ts";
import type { AdapterAccount, Instrument } from "../../src/payments/gateways/gateway-port.ts";
import { StripeGateway } from "../../src/payments/gateways/stripe/stripe-gateway.ts";
import type { ReasonClass } from "../../schema/vocabulary.ts";
import { FakeStripe } from "../support/fake-stripe/fake-stripe.ts";
import type { CardBehaviour, FakeDecline } from "../support/fake-stripe/stripe-objects.ts";
import { TestClock } from "../support/test-clock.ts";
import { describeConformance } from "./conformance.ts";

/** Declines as Stripe words them: by its own word, and by the network's code where the network declined. */
const declines: Partial<Record<ReasonClass, FakeDecline>> = {
  INSUFFICIENT_FUNDS: {
    decline_code: "insufficient_funds",
    network_decline_code: "51",
    message: "Your card has insufficient funds.",
  },
  LIMIT_EXCEEDED: { decline_code: "card_velocity_exceeded", message: "Your card was declined." },
  GENERIC_REFUSAL: { decline_code: "generic_decline", network_decline_code: "05", message: "Your card was declined." },
  TECHNICAL: { decline_code: "issuer_not_available", message: "Your card was declined." },
  SUSPECTED_FRAUD: { decline_code: "fraudulent", message: "Your card was declined." },
  RESTRICTED: { decline_code: "card_not_supported", message: "Your card is not supported." },
  FIX_DATA_FIRST: { code: "expired_card", decline_code: "expired_card", message: "Your card has expired." },
  CUSTOMER_MUST_ACT: { decline_code: "authentication_required", message: "This transaction requires authentication." },
  NEVER: { decline_code: "generic_decline", network_advice_code: "03", message: "Your card was declined." },
  ALREADY_PAID: { decline_code: "duplicate_transaction", message: "Your card was declined." },
};

describeConformance("Stripe", async () => {
  const clock = new TestClock(new Date("2026-03-01T09:30:00.000Z"));
  const fake = await FakeStripe.start(() => clock.now());
  afterAll(() => fake.close());
  const account: AdapterAccount = {
    vendorId: 1,
    gateway: "PROVIDER_01",
    credentials: [...fake.keys][0]!,
    clientKey: null,
    callbackSecret: "whsec_secret",
  };
  const rules = { timeoutMs: 700, faultThreshold: 1_000, initialOpenMs: 1, maxOpenMs: 1 };
  const port = new GuardedGateway(new StripeGateway(fake.url, 600), rules, clock);
  return {
    port,
    account,
    declines: Object.keys(declines) as ReasonClass[],
    storedInstrument: (behaviour): Promise<Instrument> => {
      const card: CardBehaviour =
        typeof behaviour === "string" ? behaviour : { decline: declines[behaviour.declines]! };
      const { customer, method } = fake.addCard(card);
      return Promise.resolve({ kind: "TOKEN", token: `${customer}/${method}` });
    },
    countApproved: (idempotencyKey) => Promise.resolve(fake.approvedOf(idempotencyKey).length),
    awaitSearchable: () => fake.index(),
    page: { instrument: { kind: "NONE" }, complete: (reference) => fake.completePage(reference).then(() => ({})) },
    callbackOf: (idempotencyKey, { secret = account.callbackSecret, ageSeconds = 0 } = {}) => {
      const object = { object: "payment_intent", metadata: { recoup_key: idempotencyKey } };
      const at = new Date(clock.now().getTime() - ageSeconds * 1_000);
      return { ...fake.sign(fake.toEvent("payment_intent.succeeded", object), secret, at), receivedAt: clock.now() };
    },
  };
});
