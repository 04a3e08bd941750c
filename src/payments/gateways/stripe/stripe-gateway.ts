import Stripe from "stripe";
import { ZERO } from "../../../kernel/amounts.ts";
import {
  GatewayFault,
  type AdapterAccount,
  type ChargeIdentity,
  type ChargeOutcome,
  type ChargeRequest,
  type FoundCharge,
  type GatewayCallback,
  type RawCallback,
  type RawGateway,
  type ReportedDispute,
  type RefundOutcome,
  type RefundRequest,
} from "../gateway-port.ts";
import { fromStripeAmount, toStripeAmount } from "./stripe-amounts.ts";
import { readStripeCallback } from "./stripe-callbacks.ts";
import { toReportedDispute } from "./stripe-disputes.ts";
import { isInvalidRequest, isKeyInUse, toFault, toRefusedCharge, toUnsentDecline } from "./stripe-errors.ts";
import { KEY_FIELD, keyOf, subjectOf, toKeyQuery, toMetadata, toSubjectQuery } from "./stripe-metadata.ts";
import { readToken, toPageOutcome, toPaymentOutcome, toSetupOutcome } from "./stripe-outcomes.ts";

/** An object of Stripe that a charge became. */
type StripeCharge = Stripe.PaymentIntent | Stripe.SetupIntent | Stripe.Checkout.Session;

const cardOnly: ["card"] = ["card"];
const PAGE_SIZE = 100;
/** How many of the newest objects are read where a search does not know them yet. */
const NEWEST = 300;

type StripeAddress = Pick<Stripe.StripeConfig, "host" | "port" | "protocol">;

/** The settings of the library for an address of Stripe's interface. */
export function toStripeAddress(apiUrl: string): StripeAddress {
  const { hostname, port, protocol } = new URL(apiUrl);
  const isPlain = protocol === "http:";
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? "http" : "https" };
}

const paymentParts = ["latest_charge"];
const setupParts = ["payment_method"];
const pageParts = ["payment_intent.latest_charge", "setup_intent.payment_method"];

/**
 * Charges through Stripe, by its official library. Card numbers are typed on Stripe's own page (Checkout Session), so
 * that none passes this service; stored methods are charged by PaymentIntents, once per idempotency key
 * (https://docs.stripe.com/api/idempotent_requests).
 */
export class StripeGateway implements RawGateway {
  private readonly address: StripeAddress;

  constructor(
    apiUrl: string,
    private readonly timeoutMs: number,
  ) {
    this.address = toStripeAddress(apiUrl);
  }

  async charge(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    const { instrument, currency } = request;
    const amount = toStripeAmount(request.amount, currency);
    if (amount === undefined)
      return toUnsentDecline("invalid_amount", `The gateway cannot charge ${request.amount.toFixed()} ${currency}.`);
    if (instrument.kind === "TOKEN") return this.chargeStored(account, request, amount, instrument.token);
    if (instrument.kind === "NONE") return this.openPage(account, request, amount);
    throw new GatewayFault("NOT_SENT", "The gateway accepts card numbers on its own page only.");
  }

  /** https://docs.stripe.com/payments/save-and-reuse */
  async storeMethod(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    const { instrument, isOffSession, returnUrl, idempotencyKey } = request;
    if (instrument.kind !== "TOKEN") return this.charge(account, { ...request, amount: ZERO, storeInstrument: true });
    const { customer, method } = readToken(instrument.token);
    return this.run(account, toRefusedCharge, async (stripe) => {
      const intent = await stripe.setupIntents.create(
        {
          customer,
          payment_method: method,
          allowed_payment_method_types: cardOnly,
          confirm: true,
          usage: "off_session",
          ...(!isOffSession && returnUrl !== null && { return_url: returnUrl }),
          metadata: toMetadata(request),
          expand: setupParts,
        },
        { idempotencyKey },
      );
      return toSetupOutcome(intent);
    });
  }

  completeCharge(account: AdapterAccount, charge: ChargeIdentity): Promise<ChargeOutcome> {
    return this.lookUpCharge(account, charge);
  }

  describeWindow(): null {
    return null;
  }

  lookUpCharge(account: AdapterAccount, charge: ChargeIdentity): Promise<ChargeOutcome> {
    return this.run(account, rethrow, async (stripe) => {
      const found = await findCharge(stripe, charge);
      return found ? toOutcome(found) : { kind: "UNKNOWN" };
    });
  }

  /**
   * A charge that is not found may still be on its way. Its key is therefore used up by a payment that nobody confirms: a
   * later request with the key and other parameters is refused (https://docs.stripe.com/api/idempotent_requests). A
   * visit to Stripe's page whose address was never received cannot be paid, so it needs no such payment.
   */
  closeCharge(account: AdapterAccount, charge: ChargeIdentity): Promise<ChargeOutcome> {
    return this.run(account, rethrow, async (stripe) => {
      const found = await findCharge(stripe, charge);
      if (found) return endCharge(stripe, found);
      const amount = toStripeAmount(charge.amount, charge.currency);
      if (!charge.usesStoredMethod || !amount) return { kind: "CLOSED" };
      const { idempotencyKey } = charge;
      try {
        const unconfirmed = await stripe.paymentIntents.create(
          {
            amount,
            currency: charge.currency.toLowerCase(),
            allowed_payment_method_types: cardOnly,
            metadata: { [KEY_FIELD]: idempotencyKey },
            expand: paymentParts,
          },
          { idempotencyKey },
        );
        return await endCharge(stripe, unconfirmed);
      } catch (error) {
        if (isKeyInUse(error)) return { kind: "UNKNOWN" };
        // What cannot be created without a confirmation cannot be charged either.
        if (isInvalidRequest(error)) return { kind: "CLOSED" };
        throw error;
      }
    });
  }

  canSearch(): boolean {
    return true;
  }

  /** Searches know a charge about a minute after it was made: https://docs.stripe.com/search#data-freshness. */
  searchCharges(account: AdapterAccount, subject: string): Promise<FoundCharge[]> {
    return this.run(account, rethrow, async (stripe) => {
      const found: FoundCharge[] = [];
      const query = { query: toSubjectQuery(subject), limit: PAGE_SIZE, expand: ["data.latest_charge"] };
      for await (const intent of stripe.paymentIntents.search(query)) {
        const idempotencyKey = keyOf(intent.metadata);
        if (idempotencyKey === undefined || subjectOf(intent.metadata) !== subject) continue;
        found.push({
          idempotencyKey,
          amount: fromStripeAmount(intent.amount, intent.currency),
          currency: intent.currency.toUpperCase(),
          outcome: toPaymentOutcome(intent),
        });
      }
      return found;
    });
  }

  /**
   * https://docs.stripe.com/api/payment_methods/detach. Stripe's customer stays, because it can have more than this method. A request
   * that is refused is about a method that is unknown, or detached already.
   */
  detachMethod(account: AdapterAccount, token: string): Promise<boolean> {
    const { method } = readToken(token);
    return this.run(
      account,
      (error) => isInvalidRequest(error) || rethrow(error),
      async (stripe) => {
        await stripe.paymentMethods.detach(method);
        return true;
      },
    );
  }

  /** https://docs.stripe.com/refunds */
  async refund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome> {
    const { idempotencyKey, chargeReference, currency } = request;
    const amount = toStripeAmount(request.amount, currency);
    if (amount === undefined)
      return {
        kind: "REFUSED",
        code: "invalid_amount",
        message: `The gateway cannot refund ${request.amount.toFixed()} ${currency}.`,
      };
    return this.run(account, toRefusedRefund, async (stripe) =>
      toRefundOutcome(
        await stripe.refunds.create(
          { payment_intent: chargeReference, amount, metadata: { [KEY_FIELD]: idempotencyKey } },
          { idempotencyKey },
        ),
      ),
    );
  }

  lookUpRefund(account: AdapterAccount, { idempotencyKey, chargeReference }: RefundRequest): Promise<RefundOutcome> {
    return this.run(account, rethrow, async (stripe) => {
      for await (const refund of stripe.refunds.list({ payment_intent: chargeReference, limit: PAGE_SIZE }))
        if (keyOf(refund.metadata) === idempotencyKey) return toRefundOutcome(refund);
      return { kind: "UNKNOWN" };
    });
  }

  /** https://docs.stripe.com/disputes */
  lookUpDispute(account: AdapterAccount, reference: string): Promise<ReportedDispute | null> {
    return this.run(
      account,
      rethrow,
      async (stripe) => toReportedDispute(await stripe.disputes.retrieve(reference)) ?? null,
    );
  }

  readCallback(account: AdapterAccount, message: RawCallback): GatewayCallback {
    return readStripeCallback(account, message);
  }

  /** https://docs.stripe.com/payments/save-and-reuse#charge-saved-payment-method */
  private chargeStored(
    account: AdapterAccount,
    request: ChargeRequest,
    amount: number,
    token: string,
  ): Promise<ChargeOutcome> {
    const { customer, method } = readToken(token);
    const { idempotencyKey, isOffSession, returnUrl } = request;
    return this.run(account, toRefusedCharge, async (stripe) => {
      const intent = await stripe.paymentIntents.create(
        {
          amount,
          currency: request.currency.toLowerCase(),
          customer,
          payment_method: method,
          allowed_payment_method_types: cardOnly,
          confirm: true,
          ...(isOffSession
            ? { off_session: true }
            : returnUrl === null
              ? { error_on_requires_action: true }
              : { return_url: returnUrl }),
          description: request.orderReference,
          metadata: toMetadata(request),
          expand: paymentParts,
        },
        { idempotencyKey },
      );
      return toPaymentOutcome(intent);
    });
  }

  /** Opens Stripe's page, where the payer types the card: https://docs.stripe.com/api/checkout/sessions/create. */
  private openPage(account: AdapterAccount, request: ChargeRequest, amount: number): Promise<ChargeOutcome> {
    const { idempotencyKey, orderReference, returnUrl, storeInstrument } = request;
    if (returnUrl === null)
      throw new GatewayFault("NOT_SENT", "The gateway needs the address to which its page returns.");
    const currency = request.currency.toLowerCase();
    const metadata = toMetadata(request);
    const page: Stripe.Checkout.SessionCreateParams = {
      client_reference_id: orderReference,
      metadata,
      allowed_payment_method_types: cardOnly,
      success_url: returnUrl,
      cancel_url: returnUrl,
      ...(storeInstrument && { customer_creation: "always" }),
    };
    return this.run(account, toRefusedCharge, async (stripe) => {
      const session = await stripe.checkout.sessions.create(
        amount === 0
          ? { ...page, mode: "setup", currency, setup_intent_data: { metadata } }
          : {
              ...page,
              mode: "payment",
              line_items: [
                {
                  price_data: { currency, unit_amount: amount, product_data: { name: orderReference } },
                  quantity: 1,
                },
              ],
              payment_intent_data: {
                description: orderReference,
                metadata,
                ...(storeInstrument && { setup_future_usage: "off_session" }),
              },
            },
        { idempotencyKey },
      );
      return toPageOutcome(session);
    });
  }

  /** Runs calls with the account's key; errors of Stripe are converted. The library repeats nothing by itself. */
  private async run<T>(
    { credentials }: AdapterAccount,
    onError: (error: unknown) => T,
    work: (stripe: Stripe) => Promise<T>,
  ): Promise<T> {
    if (credentials === null) throw new GatewayFault("NOT_SENT", "The account has no credentials; configure them.");
    const stripe = new Stripe(credentials, {
      ...this.address,
      timeout: this.timeoutMs,
      maxNetworkRetries: 0,
      telemetry: false,
    });
    try {
      return await work(stripe);
    } catch (error) {
      return onError(error);
    }
  }
}

const rethrow = (error: unknown): never => {
  throw toFault(error);
};

const toOutcome = (charge: StripeCharge): ChargeOutcome =>
  charge.object === "payment_intent"
    ? toPaymentOutcome(charge)
    : charge.object === "setup_intent"
      ? toSetupOutcome(charge)
      : toPageOutcome(charge);

/** Reads a charge by its reference, as it is now. */
function retrieveCharge(stripe: Stripe, reference: string): Promise<StripeCharge> {
  if (reference.startsWith("cs_")) return stripe.checkout.sessions.retrieve(reference, { expand: pageParts });
  if (reference.startsWith("seti_")) return stripe.setupIntents.retrieve(reference, { expand: setupParts });
  return stripe.paymentIntents.retrieve(reference, { expand: paymentParts });
}

/**
 * Finds a charge: by its reference; by a search, which does not know the newest; or among the newest. A search may also show an
 * old state, so that what it finds is read again.
 */
async function findCharge(
  stripe: Stripe,
  { idempotencyKey, reference, usesStoredMethod, amount }: ChargeIdentity,
): Promise<StripeCharge | undefined> {
  if (reference !== null) return retrieveCharge(stripe, reference);
  const isOurs = ({ metadata }: Pick<StripeCharge, "metadata">) => keyOf(metadata) === idempotencyKey;
  const newest = { limit: PAGE_SIZE };
  if (!usesStoredMethod) {
    const sessions = await stripe.checkout.sessions.list(newest).autoPagingToArray({ limit: NEWEST });
    const session = sessions.find(isOurs);
    if (session) return retrieveCharge(stripe, session.id);
  }
  if (amount.eq(0)) {
    const setups = await stripe.setupIntents.list(newest).autoPagingToArray({ limit: NEWEST });
    const setup = setups.find(isOurs);
    return setup && retrieveCharge(stripe, setup.id);
  }
  const { data } = await stripe.paymentIntents.search({ query: toKeyQuery(idempotencyKey) });
  const intent =
    data.find(isOurs) ?? (await stripe.paymentIntents.list(newest).autoPagingToArray({ limit: NEWEST })).find(isOurs);
  return intent && retrieveCharge(stripe, intent.id);
}

/** Ends a charge that is still open; one that is over stays. */
async function endCharge(stripe: Stripe, charge: StripeCharge): Promise<ChargeOutcome> {
  const outcome = toOutcome(charge);
  const isProcessing = charge.object !== "checkout.session" && charge.status === "processing";
  if ((outcome.kind !== "CHALLENGE" && outcome.kind !== "UNKNOWN") || isProcessing) return outcome;
  try {
    if (charge.object === "checkout.session") await stripe.checkout.sessions.expire(charge.id);
    else if (charge.object === "setup_intent") await stripe.setupIntents.cancel(charge.id);
    else await stripe.paymentIntents.cancel(charge.id);
  } catch (error) {
    // The payer completed it at the same moment.
    if (!isInvalidRequest(error)) throw error;
  }
  return toOutcome(await retrieveCharge(stripe, charge.id));
}

/** The states of https://docs.stripe.com/api/refunds/object: a pending refund is looked up again. */
function toRefundOutcome({ id, status, failure_reason: reason }: Stripe.Refund): RefundOutcome {
  if (status === "succeeded") return { kind: "REFUNDED", reference: id };
  if (status === "failed" || status === "canceled")
    return { kind: "REFUSED", code: reason ?? status, message: `The refund is ${status}.` };
  return { kind: "UNKNOWN" };
}

function toRefusedRefund(error: unknown): RefundOutcome {
  if (!isInvalidRequest(error)) throw toFault(error);
  const { code, message } = error as Stripe.errors.StripeInvalidRequestError;
  return { kind: "REFUSED", code: code ?? "invalid_request", message };
}
