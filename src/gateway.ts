import "reflect-metadata";
import { once } from "node:events";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { createRestRoutes } from "../rest-compat/binding/router.ts";
import { contractRoutes } from "../rest-compat/contract-routes.ts";
import { CheckoutService } from "./checkout/checkout.service.ts";
import { PaymentMethodPageService } from "./checkout/payment-method/payment-method-page.service.ts";
import { paymentMethodRoutes } from "./checkout/payment-method/payment-method-routes.ts";
import { checkoutRoutes } from "./checkout/checkout-routes.ts";
import { wirePayments } from "./payments-wiring.ts";
import type { Database } from "./database/client.ts";
import { EventFeedRepository } from "./events/event-feed.repository.ts";
import { EventPoller } from "./events/event-poller.ts";
import type { ContextFactory, PaymentContext } from "./graphql/context.ts";
import { openGraph, type GatewayGraph } from "./graphql/gateway-graph.ts";
import { orderIdOrCodeOf } from "./graphql/record-ids.ts";
import { createServices } from "./graphql/services.ts";
import { SubscriptionRunner } from "./graphql/subscription-runner.ts";
import { AddressRateLimit } from "./http/limits/address-rate-limit.ts";
import { AdmissionControl, holdAdmissionSlot, type AdmissionOptions } from "./http/limits/admission.ts";
import { logServerError } from "./http/error-responses.ts";
import { IdempotentRequestRunner, readIdempotencyKey } from "./http/idempotent-requests.ts";
import { openConsoleFiles } from "./http/pages/console-files.ts";
import { createApolloSandbox, type ApolloSandboxDefaults } from "./http/pages/apollo-sandbox.ts";
import { RequestRateLimit } from "./http/limits/request-rate-limit.ts";
import { RequestCountRepository } from "./vendors/keys/request-count.repository.ts";
import { DEFAULT_STREAM_LIMITS, OpenStreams, type StreamLimits } from "./http/open-streams.ts";
import type { SlowReaderOptions } from "./http/limits/slow-readers.ts";
import type { CellStates } from "./http/health-routes.ts";
import { RecentKeys } from "./http/authentication/recent-keys.ts";
import { TokenAuthenticator } from "./http/authentication/secret-token.ts";
import { SessionTokenAuthenticator } from "./http/authentication/session-token.ts";
import { buildServer } from "./http/server.ts";
import type { PeopleDirectory, PeoplePlace } from "./http/authentication/session-routes.ts";
import type { Clock } from "./kernel/clock.ts";
import { projectFile } from "./kernel/project-files.ts";
import { required } from "./kernel/required-values.ts";
import { SecretVault } from "./kernel/secrets/secret-vault.ts";
import { OrderCodeRepository } from "./orders/order-code.repository.ts";
import type { GatewayGuardRules } from "./payments/gateways/guarded-gateway.ts";
import type { Metrics } from "./operations/metrics.ts";
import { ApiKeyRepository } from "./vendors/keys/api-key.repository.ts";
import { payerCaller, paymentLinkCaller } from "./vendors/people/caller.ts";
import { VendorRepository } from "./vendors/vendor.repository.ts";

export interface GatewayOptions {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Neutral words and the words that stand for them on the REST wire. */
  vocabulary: unknown;
  /** Encrypts secrets; without one, none can be stored. */
  vault?: SecretVault;
  /** The address at which browsers reach the gateway, without a trailing slash. Defaults to its listening address. */
  publicUrl?: string | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For says who the client is; none unless named. */
  trustedProxies?: readonly string[] | undefined;
  /** How long payment gateways may take, and when they are left alone. */
  gatewayGuard?: GatewayGuardRules | undefined;
  /** The address of Stripe's interface. Defaults to Stripe itself. */
  stripeApiUrl?: string | undefined;
  /** The address of Toss Payments' interface. Defaults to Toss Payments itself. */
  tossApiUrl?: string | undefined;
  /** Whether the schema describes itself to callers, as it does where nothing is said. */
  introspection?: boolean | undefined;
  /** How soon callers must have read an answer. */
  slowReaders?: SlowReaderOptions | undefined;
  /** How many requests are worked on at once, and how many wait. */
  admission?: AdmissionOptions | undefined;
  /** The limits of open event streams. */
  streamLimits?: StreamLimits | undefined;
  /** How many characters an answer may have. */
  maxResponseLength?: number | undefined;
  /** The defaults of the Sandbox page, if there is a demo vendor. */
  demo?: ApolloSandboxDefaults | undefined;
  /** Whether the gateway listens on a loopback address only. */
  isLoopback?: boolean;
  /** Whether webhooks of sandboxes may go to loopback and private addresses. Defaults to false. */
  allowPrivateWebhooks?: boolean | undefined;
  /** The requests that a key or a person may send in a minute, over all gateways. Defaults to 0: no limit. */
  requestsPerMinute?: number | undefined;
  /** Counts requests and operations; none is kept if nobody can read them. */
  metrics?: Metrics | undefined;
  /** Whether each cell answers; absent where there are none. */
  cellStates?: (() => Promise<CellStates>) | undefined;
  /** Finds people at other databases too. Defaults to those of this one. */
  peopleDirectory?: PeopleDirectory | undefined;
  /** What it shares with the gateway of the process that listens: for a cell's gateway, which does not. */
  shared?: SharedParts | undefined;
}

/** What all gateways of a process share: requests of all cells are parts of one load. */
export interface SharedParts {
  graph: GatewayGraph;
  admission: AdmissionControl;
  /** Under which address the process is reached. */
  address: () => string;
}

/** Calls of the payer's link without a token that one client address may make in a minute. */
const MAX_PAY_LINK_CALLS = 60;

/** Codes of orders that the log names at the start. */
const MAX_LOGGED_SHARED_CODES = 20;

/** A whole service that is not yet listening: `main` makes it listen, tests inject requests. */
export interface Gateway {
  server: FastifyInstance;
  /** The contexts of its requests, for a worker in the same process. */
  contexts: ContextFactory;
  /** The people who can sign in. */
  people: PeoplePlace;
  /** Whether one of its vendors has an order with this code. The look-up is one of the address's. */
  hasOrder: (code: string, address: string) => Promise<boolean>;
  shared: SharedParts;
  /** Whether it can answer requests. */
  isReady: () => Promise<boolean>;
  /** Reports not ready, and continues to accept requests until the signal aborts; each answer closes its connection. */
  drain(drained: AbortSignal): Promise<void>;
  /** Ends the event streams that are open: they would never end by themselves. */
  endStreams(): void;
  /** Answers what is under way, then lets go of everything but the database's server. */
  close(): Promise<void>;
}

/** Puts the gateway together on a database that has this version's tables. */
export async function openGateway({
  database: plainDatabase,
  clock,
  logger,
  vocabulary,
  demo,
  isLoopback = false,
  allowPrivateWebhooks,
  vault = new SecretVault([]),
  publicUrl,
  gatewayGuard: guard,
  stripeApiUrl,
  tossApiUrl,
  trustedProxies = [],
  introspection: isIntrospectionEnabled = true,
  slowReaders,
  admission,
  maxResponseLength,
  streamLimits = DEFAULT_STREAM_LIMITS,
  requestsPerMinute = 0,
  metrics,
  peopleDirectory,
  cellStates,
  shared: given,
}: GatewayOptions): Promise<Gateway> {
  const recentKeys = new RecentKeys();
  plainDatabase.listen((statement) => recentKeys.noteStatement(statement));
  const database: Database = {
    ...plainDatabase,
    transaction: (work) => recentKeys.endAfter(() => plainDatabase.transaction(work)),
  };
  const address = given?.address ?? (() => publicUrl ?? listeningAddress(server));
  const paymentsWiring = wirePayments({
    ...{ database, clock, vault, address, guard },
    ...{ stripeApiUrl, tossApiUrl, allowPrivateWebhooks, logger },
    countCall: metrics && ((call) => metrics.observeGatewayCall(call)),
  });
  const { contexts } = paymentsWiring;
  const idempotency = new IdempotentRequestRunner(contexts);
  const reportBackgroundError = (error: unknown) => logServerError(logger, error, "none");
  const admissionControl = given?.admission ?? new AdmissionControl(admission);
  const apiKeys = new ApiKeyRepository(database.handle);
  const tokens = new TokenAuthenticator(apiKeys, clock, reportBackgroundError, admissionControl, recentKeys);
  const counts = new RequestCountRepository(database.handle);
  const rateLimitOptions = { perMinute: requestsPerMinute, counts, onFault: reportBackgroundError };
  const rateLimit = requestsPerMinute > 0 ? new RequestRateLimit(rateLimitOptions) : undefined;
  const onFault = (error: unknown, traceId: string) => logServerError(logger, error, traceId);
  const graph =
    given?.graph ??
    (await openGraph({
      introspection: isIntrospectionEnabled,
      maxResponseLength,
      onRead: metrics && ((side) => metrics.countRead(side)),
      observeOperation: metrics && ((operation) => metrics.observeOperation(operation)),
      landingPage: createApolloSandbox(demo, isLoopback),
      address,
      onFault,
    }));
  const { schema, introspection, executor, apollo } = graph;
  const poller = new EventPoller({ feed: new EventFeedRepository(database.handle), onFault: reportBackgroundError });
  const streams = new OpenStreams({ keys: apiKeys, limits: streamLimits, onFault: reportBackgroundError });
  const runner = new SubscriptionRunner({ schema, introspection, address, onFault });
  let draining = false;
  const isReady = () =>
    draining
      ? Promise.resolve(false)
      : database.ping().then(
          () => true,
          () => false,
        );
  const vendors = new VendorRepository(database.handle);
  const orderCodes = new OrderCodeRepository(database.handle);
  const sharedOrderCodes = await orderCodes.findDuplicates(MAX_LOGGED_SHARED_CODES);
  if (sharedOrderCodes.length > 0)
    logger.warn(
      { codes: sharedOrderCodes },
      "orders of several vendors have these codes; without a token their payment links return 404",
    );
  const payLinkLimit = new AddressRateLimit(MAX_PAY_LINK_CALLS, "payment links");
  const rest = createRestRoutes({
    contract: contractRoutes,
    schema,
    execute: executor,
    vocabulary,
    runRequest: (request, reply, run) => idempotency.run(request, reply, readIdempotencyKey(request), run),
    admitPublicRequest: async (request, reply, code) => {
      await payLinkLimit.consume(request.ip).catch((refusal: unknown) => {
        if (request.headers["x-forwarded-for"] !== undefined)
          logger.warn(
            { address: request.ip },
            "an address requested too many payment links; if it is your proxy, add it to TRUSTED_PROXIES",
          );
        throw refusal;
      });
      if ("id" in orderIdOrCodeOf(code)) return false;
      const vendor = await admissionControl.runForUnknownCaller(request.ip, async () => {
        const vendorId = await orderCodes.vendorOf(code);
        return vendorId === undefined ? undefined : vendors.byId(vendorId);
      });
      if (!vendor) return false;
      request.vendor = vendor;
      request.caller = paymentLinkCaller;
      holdAdmissionSlot(request, reply, await admissionControl.admit(vendor.id, 1));
      return true;
    },
    zoneIdOf: (request) => required(request.vendor, "the vendor").zoneId,
  });
  const checkoutOf = ({ read, paymentProcessor, paymentReconciliation, write, clock: vendorClock }: PaymentContext) =>
    new CheckoutService({
      checkoutRepository: read.checkouts,
      paymentProcessor,
      paymentReconciliation,
      write,
      now: () => vendorClock.now(),
    });
  const checkout = checkoutRoutes({
    vault,
    address,
    onFault,
    openSession: async (vendorId, traceId) => {
      const vendor = await vendors.byId(vendorId);
      if (!vendor?.enabled) return undefined;
      const context = contexts.createContext(vendor, traceId, payerCaller);
      return { checkout: checkoutOf(context), country: vendor.country, now: context.clock.now() };
    },
  });
  const paymentMethodPages = paymentMethodRoutes({
    vault,
    address,
    onFault,
    openSession: async (vendorId, traceId) => {
      const vendor = await vendors.byId(vendorId);
      if (!vendor?.enabled) return undefined;
      const context = contexts.createContext(vendor, traceId, payerCaller);
      const { read, write } = context;
      const now = () => context.clock.now();
      const pages = new PaymentMethodPageService({
        checkoutRepository: read.checkouts,
        paymentMethodPageRepository: read.paymentMethodPages,
        checkout: checkoutOf(context),
        write,
        vendor,
        now,
      });
      return { pages, country: vendor.country, now: now() };
    },
  });
  const isDraining = () => draining;
  const people: PeoplePlace = {
    services: () => createServices(database.handle, clock.now(), { vault }),
    write: contexts.writeForInstallation,
  };
  const server = await buildServer({
    apollo,
    tokens,
    sessionTokens: new SessionTokenAuthenticator({ keys: apiKeys, tokens, vault, clock, admission: admissionControl }),
    people,
    peopleDirectory,
    cellStates,
    admission: admissionControl,
    rateLimit,
    idempotency,
    eventStreams: { runner, streams, follower: poller, contexts, onFault },
    isReady,
    isDraining,
    logger,
    observeResponse: metrics && ((response) => metrics.observeResponse(response)),
    address,
    trustedProxies,
    addRestRoutes: rest,
    addCheckoutRoutes: (instance) => {
      checkout(instance);
      paymentMethodPages(instance);
    },
    payments: paymentsWiring,
    console: {
      files: openConsoleFiles(projectFile("dist/console")),
      demo: isLoopback ? demo : undefined,
    },
    slowReaders,
  });
  await server.ready();
  return {
    server,
    contexts,
    people,
    hasOrder: async (code, client) =>
      (await admissionControl.runForUnknownCaller(client, () => orderCodes.vendorOf(code))) !== undefined,
    shared: { graph, admission: admissionControl, address },
    isReady,
    drain: async (drained) => {
      draining = true;
      if (!drained.aborted) await once(drained, "abort");
    },
    endStreams: () => streams.stop(),
    close: async () => {
      draining = true;
      streams.stop();
      await Promise.all([server.close(), poller.stop()]);
      if (!given) await apollo.stop();
      rateLimit?.stop();
      await tokens.close();
      await database.close();
    },
  };
}

/** The address at which a server can be reached from its own machine; none before it listens. */
function listeningAddress(server: FastifyInstance): string {
  const [bound] = server.addresses();
  if (typeof bound !== "object") return "";
  const host = bound.address.replace(/^0\.0\.0\.0$/, "127.0.0.1").replace(/^::$/, "::1");
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`;
}
