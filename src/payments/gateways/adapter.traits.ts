import type { GatewayAdapter, GatewayMode, PaymentMethod } from "../../../schema/vocabulary.ts";

/** The properties of an adapter that decide before a charge: what it accepts, and where cards are typed. */
export interface AdapterTraits {
  methods: readonly PaymentMethod[];
  /** True if payers type card numbers on the gateway's own page, so that none passes this service. */
  hasCardPage: boolean;
  /** The origins of the gateway's pages, to which the checkout may redirect a form. */
  pageOrigins: readonly string[];
  /** The formats of its credentials; null if it accepts any text, or none. */
  credentials: CredentialRules | null;
  /** The currencies that it can charge; null for all. */
  currencies: readonly string[] | null;
  /** The renewals that one worker charges at an account at the same time, if the operator sets no other number. */
  chargeConcurrency: number;
}

interface CredentialRules {
  /** The mode of a secret key; undefined if it is no key of the gateway. */
  modeOf(credentials: string): GatewayMode | undefined;
  /** The mode of a client key; undefined if it is none; null if the gateway has no client keys. */
  clientKeyModeOf: ((clientKey: string) => GatewayMode | undefined) | null;
  /** Whether a text is a secret that signs callbacks; null if the gateway signs none. */
  isCallbackSecret: ((secret: string) => boolean) | null;
  /** The formats in words, for refusals. */
  keyFormat: string;
  clientKeyFormat: string;
  secretFormat: string;
}

const allPaymentMethods: readonly PaymentMethod[] = [
  "CARD",
  "VBANK",
  "BANK_TRANSFER",
  "CELLPHONE",
  "SIMPLE_PAY",
  "CMS",
  "CARD_BILL",
  "CELLPHONE_BILL",
  "CMS_BILL",
  "ONLINE_WALLET",
];

/** https://docs.stripe.com/keys: secret and restricted keys, for tests and live. */
const stripeKeyMode = (credentials: string): GatewayMode | undefined => {
  const [, mode] = /^(?:sk|rk)_(test|live)_\w{8,}$/.exec(credentials) ?? [];
  return mode === undefined ? undefined : mode === "live" ? "LIVE" : "TEST";
};

/**
 * https://docs.tosspayments.com/reference/using-api/api-keys: secret keys (`sk`) and client keys (`ck`) of the individual API
 * integration, for tests and live. Billing keys need this kind; those of the payment widget (`gsk`, `gck`) are refused.
 */
const tossKeyMode =
  (kind: "sk" | "ck") =>
  (key: string): GatewayMode | undefined => {
    const [, mode, found] = /^(test|live)_([a-z]+)_\w{8,}$/.exec(key) ?? [];
    return found !== kind ? undefined : mode === "live" ? "LIVE" : "TEST";
  };

/** With a gateway that answers in half a second, these are at most 24,000 renewals a minute. */
export const DEFAULT_CHARGE_CONCURRENCY = 200;

export const adapterTraits: Readonly<Record<GatewayAdapter, AdapterTraits>> = {
  SIMULATED: {
    methods: allPaymentMethods,
    hasCardPage: false,
    pageOrigins: [],
    credentials: null,
    currencies: null,
    chargeConcurrency: DEFAULT_CHARGE_CONCURRENCY,
  },
  STRIPE: {
    methods: ["CARD", "CARD_BILL"],
    hasCardPage: true,
    pageOrigins: ["https://checkout.stripe.com"],
    currencies: null,
    // As many calls a second as it lets through to one endpoint: https://docs.stripe.com/rate-limits.
    chargeConcurrency: 25,
    credentials: {
      modeOf: stripeKeyMode,
      clientKeyModeOf: null,
      isCallbackSecret: (secret) => /^whsec_\w{8,}$/.test(secret),
      keyFormat: "a secret or restricted key: sk_test_…, rk_test_…, sk_live_… or rk_live_…",
      clientKeyFormat: "left out: the gateway has a page of its own",
      secretFormat: "the signing secret of the webhook endpoint: whsec_…",
    },
  },
  TOSS: {
    methods: ["CARD", "CARD_BILL"],
    hasCardPage: true,
    pageOrigins: [],
    currencies: ["KRW"],
    chargeConcurrency: DEFAULT_CHARGE_CONCURRENCY,
    credentials: {
      modeOf: tossKeyMode("sk"),
      clientKeyModeOf: tossKeyMode("ck"),
      isCallbackSecret: null,
      keyFormat: "a secret key of the individual API integration: test_sk_… or live_sk_…",
      clientKeyFormat:
        "a client key of the individual API integration, in the mode of the secret key: test_ck_… or live_ck_…",
      secretFormat: "left out: the gateway signs no callbacks",
    },
  },
};

/** The beginning of a key that names its kind, and its last four characters; of a short text nothing. */
export function maskCredentials(credentials: string): string {
  const [kind = ""] = /^(?:[a-z]{2}_(?:test|live)|(?:test|live)_[a-z]{2})_/.exec(credentials) ?? [];
  return credentials.length < kind.length + 12 ? "…" : `${kind}…${credentials.slice(-4)}`;
}
