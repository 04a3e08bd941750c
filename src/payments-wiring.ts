import type { FastifyBaseLogger } from "fastify";
import type { PaymentGateway } from "../schema/vocabulary.ts";
import type { Database } from "./database/client.ts";
import { createContextFactory, type ContextFactory, type ContextDependencies } from "./graphql/context.ts";
import { createRepositories } from "./graphql/repositories.ts";
import { toLoggableError } from "./http/request-log.ts";
import { createServices } from "./graphql/services.ts";
import type { Clock } from "./kernel/clock.ts";
import { denied } from "./kernel/refusals.ts";
import type { SecretVault } from "./kernel/secrets/secret-vault.ts";
import {
  GuardedGateway,
  defaultGuardRules,
  type GatewayGuardRules,
  type ObservedGatewayCall,
} from "./payments/gateways/guarded-gateway.ts";
import type { RawCallback, RawGateway } from "./payments/gateways/gateway-port.ts";
import { StripeGateway } from "./payments/gateways/stripe/stripe-gateway.ts";
import { TossGateway } from "./payments/gateways/toss/toss-gateway.ts";
import { SimulatedGatewayRepository } from "./payments/gateways/simulated/simulated-gateway.repository.ts";
import { SimulatedGateway } from "./payments/gateways/simulated/simulated-gateway.ts";
import { UnpaidOrderSearch, type SearchedOrders } from "./payments/restores/unpaid-search.service.ts";
import { paymentGatewayCaller, workerCaller } from "./vendors/people/caller.ts";
import type { VendorRecord } from "./vendors/vendor.repository.ts";

/** The payment dependencies of the gateway and the worker. */
export interface PaymentsWiring {
  contexts: ContextFactory;
  simulated: SimulatedGateway;
  /** Searches the gateways for payments of a vendor's orders that are unpaid since a restore, and records them. */
  searchUnpaid(vendor: VendorRecord): Promise<SearchedOrders>;
  /** Takes a callback for a vendor's account. @throws a Refusal CALLBACK_REFUSED. */
  takeCallback(vendorUuid: string, gateway: PaymentGateway, message: Omit<RawCallback, "receivedAt">): Promise<void>;
}

interface PaymentsWiringOptions {
  database: Database;
  clock: Clock;
  vault: SecretVault;
  address: ContextDependencies["address"];
  guard?: GatewayGuardRules | undefined;
  /** The address of Stripe's interface. Defaults to Stripe itself. */
  stripeApiUrl?: string | undefined;
  /** The address of Toss Payments' interface. Defaults to Toss Payments itself. */
  tossApiUrl?: string | undefined;
  /** Whether webhooks of sandboxes may go to loopback and private addresses. Defaults to false. */
  allowPrivateWebhooks?: boolean | undefined;
  /** Gets calls that a payment gateway did not answer, and the faults of batches. Defaults to none. */
  logger?: FastifyBaseLogger | undefined;
  /** Counts the calls of payment gateways; none is counted if nobody can read them. */
  countCall?: ((call: ObservedGatewayCall) => void) | undefined;
}

/** Stripe itself. */
export const STRIPE_API_URL = "https://api.stripe.com";

/** Toss Payments itself. */
export const TOSS_API_URL = "https://api.tosspayments.com";

/** A gateway's own words stay out of the log: they can name payers and cards. */
const toLogFields = ({ gateway, vendorId, call, fault, seconds }: ObservedGatewayCall) => ({
  ...{ vendorId, gateway, call, fault },
  milliseconds: Math.round(seconds * 1_000),
});

/** Connects the payment gateways with the payment services. */
export function wirePayments({
  database,
  clock,
  vault,
  address,
  guard = defaultGuardRules,
  stripeApiUrl = STRIPE_API_URL,
  tossApiUrl = TOSS_API_URL,
  allowPrivateWebhooks = false,
  logger,
  countCall,
}: PaymentsWiringOptions): PaymentsWiring {
  const { vendors } = createRepositories(database.handle);
  const confirmationOf = (vendor: VendorRecord) =>
    contexts.createContext(vendor, "callback", paymentGatewayCaller).paymentConfirmation;
  const simulated = new SimulatedGateway(
    new SimulatedGatewayRepository(database.handle),
    async ({ vendorId, gateway }, headers, body) => {
      const vendor = await vendors.byId(vendorId);
      if (vendor)
        await confirmationOf(vendor).handleCallback(vendorId, gateway, { headers, body, receivedAt: clock.now() });
    },
    async (vendorId, gateway) =>
      (await createServices(database.handle, clock.now(), { vault }).gatewayAccounts.findDecrypted(vendorId, gateway))
        ?.account.callbackSecret,
    () => clock.now(),
  );
  const onCall = (call: ObservedGatewayCall) => {
    countCall?.(call);
    // A suspended call is the consequence of the failed ones before it, which have their lines.
    if (call.outcome === "failed") logger?.warn(toLogFields(call), "payment gateway failed");
  };
  const guarded = (gateway: RawGateway) => new GuardedGateway(gateway, guard, clock, onCall);
  const gateways = {
    SIMULATED: guarded(simulated),
    STRIPE: guarded(new StripeGateway(stripeApiUrl, guard.timeoutMs)),
    TOSS: guarded(new TossGateway(tossApiUrl, guard.timeoutMs)),
  };
  const contexts = createContextFactory(database, {
    clock,
    vault,
    address,
    gateways,
    webhookSettings: { allowPrivate: allowPrivateWebhooks },
    onBatchFault: (error) =>
      logger?.warn({ error: toLoggableError(error) }, "a batch failed, so its parts are done one by one"),
  });
  return {
    contexts,
    simulated,
    searchUnpaid: (vendor) =>
      new UnpaidOrderSearch(contexts.createContext(vendor, "search", workerCaller).write, gateways).search(vendor.id),
    takeCallback: async (vendorUuid, gateway, message) => {
      const vendor = await vendors.byUuid(vendorUuid);
      if (!vendor) throw denied("CALLBACK_REFUSED", "No payment waits for this callback.");
      await confirmationOf(vendor).handleCallback(vendor.id, gateway, { ...message, receivedAt: clock.now() });
    },
  };
}
