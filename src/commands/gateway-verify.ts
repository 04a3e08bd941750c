import Stripe from "stripe";
import { readConfig } from "../config.ts";
import { systemClock } from "../kernel/clock.ts";
import { adapterTraits } from "../payments/gateways/adapter.traits.ts";
import type { GatewayCheck } from "../payments/gateways/gateway-checks.ts";
import type { RawGateway } from "../payments/gateways/gateway-port.ts";
import { defaultGuardRules, GuardedGateway } from "../payments/gateways/guarded-gateway.ts";
import { StripeGateway, toStripeAddress } from "../payments/gateways/stripe/stripe-gateway.ts";
import { verifyStripe } from "../payments/gateways/stripe/stripe-verification.ts";
import { TossGateway } from "../payments/gateways/toss/toss-gateway.ts";
import { verifyToss } from "../payments/gateways/toss/toss-verification.ts";
import { STRIPE_API_URL, TOSS_API_URL } from "../payments-wiring.ts";
import { defineCommand } from "./command.ts";

const { timeoutMs } = defaultGuardRules;
/** A decline that no stored card has by itself. */
const DECLINE_CODE = "INVALID_STOPPED_CARD";

const guard = (gateway: RawGateway) =>
  new GuardedGateway(gateway, { ...defaultGuardRules, faultThreshold: Infinity }, systemClock);

const toAccount = (credentials: string, clientKey: string | null = null) => ({
  ...{ vendorId: 0, gateway: "HOUSE" as const, credentials, clientKey, callbackSecret: "gateway:verify" },
});

const checkStripe = (key: string, apiUrl = STRIPE_API_URL): Promise<GatewayCheck[]> => {
  const stripe = new Stripe(key, { ...toStripeAddress(apiUrl), telemetry: false });
  return verifyStripe(guard(new StripeGateway(apiUrl, timeoutMs)), stripe, toAccount(key), systemClock.now());
};

const checkToss = (key: string, token: string | undefined, apiUrl = TOSS_API_URL): Promise<GatewayCheck[]> => {
  const gateways = {
    gateway: guard(new TossGateway(apiUrl, timeoutMs)),
    declining: guard(new TossGateway(apiUrl, timeoutMs, DECLINE_CODE)),
    declineCode: DECLINE_CODE,
  };
  // No window is opened in a browser, so that any client key will do.
  return verifyToss(gateways, toAccount(key, "test_ck_unused"), token, systemClock.now());
};

/** `recoup gateway verify`: for an operator who has test keys, before a merchant is connected. */
export const gatewayVerifyCommand = defineCommand(
  {
    name: "verify",
    description:
      "Tries the adapters for Stripe and Toss Payments against the live services, with the test keys in STRIPE_TEST_KEY and TOSS_TEST_KEY: charges, declines, look-ups, refunds, and pages of cards. Charges at Toss need TOSS_TEST_TOKEN, the customer key and the billing key of a test card joined by a slash. No real money moves.",
  },
  { json: { type: "boolean", description: "Print one JSON object" } },
  async ({ json }, errors) => {
    const { STRIPE_TEST_KEY: stripeKey, TOSS_TEST_KEY: tossKey, TOSS_TEST_TOKEN: tossToken } = process.env;
    errors.check(stripeKey !== undefined || tossKey !== undefined, "STRIPE_TEST_KEY or TOSS_TEST_KEY must be set.");
    errors.check(
      stripeKey === undefined || adapterTraits.STRIPE.credentials?.modeOf(stripeKey) === "TEST",
      "STRIPE_TEST_KEY must be a test key: sk_test_… or rk_test_….",
    );
    errors.check(
      tossKey === undefined || adapterTraits.TOSS.credentials?.modeOf(tossKey) === "TEST",
      "TOSS_TEST_KEY must be a test key: test_sk_….",
    );
    errors.check(
      tossToken === undefined || /^[^/]+\/.+$/.test(tossToken),
      "TOSS_TEST_TOKEN must be a customer key and a billing key, joined by a slash.",
    );
    errors.throwIfAny();
    const { stripeApiUrl, tossApiUrl } = readConfig(process.env);
    const checks = [
      ...(stripeKey === undefined ? [] : await checkStripe(stripeKey, stripeApiUrl)),
      ...(tossKey === undefined ? [] : await checkToss(tossKey, tossToken, tossApiUrl)),
    ];
    const lines = checks.map(({ name, passed, answer }) => (passed ? `ok: ${name}` : `FAILED: ${name}: ${answer}`));
    process.stdout.write(json ? `${JSON.stringify({ checks })}\n` : `${lines.join("\n")}\n`);
    if (!checks.every(({ passed }) => passed)) process.exitCode = 1;
  },
);
