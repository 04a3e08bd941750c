import Stripe from "stripe";
import { readConfig } from "../config.ts";
import { systemClock } from "../kernel/clock.ts";
import { adapterTraits } from "../payments/gateways/adapter.traits.ts";
import { defaultGuardRules, GuardedGateway } from "../payments/gateways/guarded-gateway.ts";
import { StripeGateway, toStripeAddress } from "../payments/gateways/stripe/stripe-gateway.ts";
import { verifyStripe } from "../payments/gateways/stripe/stripe-verification.ts";
import { STRIPE_API_URL } from "../payments-wiring.ts";
import { defineCommand, runProgram } from "./command.ts";

const verify = defineCommand(
  {
    name: "npm run gateway:verify --",
    description:
      "Tries the adapter for Stripe against the live service, with the test key in STRIPE_TEST_KEY: charges, declines, look-ups, refunds, and the card page. No real money moves.",
  },
  { json: { type: "boolean", description: "Print one JSON object" } },
  async ({ json }, errors) => {
    const key = process.env["STRIPE_TEST_KEY"] ?? "";
    errors.check(
      adapterTraits.STRIPE.credentials?.modeOf(key) === "TEST",
      "STRIPE_TEST_KEY must be a test key: sk_test_… or rk_test_….",
    );
    errors.throwIfAny();
    const { stripeApiUrl = STRIPE_API_URL } = readConfig(process.env);
    const gateway = new StripeGateway(stripeApiUrl, defaultGuardRules.timeoutMs);
    const stripe = new Stripe(key, { ...toStripeAddress(stripeApiUrl), telemetry: false });
    const account = { vendorId: 0, gateway: "HOUSE" as const, credentials: key, callbackSecret: "" };
    const guarded = new GuardedGateway(gateway, { ...defaultGuardRules, faultThreshold: Infinity }, systemClock);
    const checks = await verifyStripe(guarded, stripe, account, systemClock.now());
    const lines = checks.map(({ name, passed, answer }) => (passed ? `ok: ${name}` : `FAILED: ${name}: ${answer}`));
    process.stdout.write(json ? `${JSON.stringify({ checks })}\n` : `${lines.join("\n")}\n`);
    if (!checks.every(({ passed }) => passed)) process.exitCode = 1;
  },
);

/* `npm run gateway:verify`: for an operator who has test keys, before a merchant is connected. */
await runProgram(verify);
