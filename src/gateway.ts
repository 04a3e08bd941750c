import "reflect-metadata";
import { once } from "node:events";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { restRoutes } from "../rest-compat/binding/router.ts";
import { contract } from "../rest-compat/contract-routes.ts";
import { CheckoutService } from "./checkout/checkout.service.ts";
import { checkoutRoutes } from "./checkout/checkout-routes.ts";
import { openCashDesk } from "./payments-wiring.ts";
import type { Database } from "./database/client.ts";
import { apolloOn } from "./graphql/apollo-server.ts";
import { executorOn } from "./graphql/executor.ts";
import type { Contexts } from "./graphql/context.ts";
import { idOrCodeOf } from "./graphql/record-ids.ts";
import { Introspection } from "./graphql/introspection.ts";
import { buildGatewaySchema } from "./graphql/schema.ts";
import { AddressLimit } from "./http/address-rate-limit.ts";
import { Admission, holdPlace, type AdmissionRules } from "./http/admission.ts";
import { report } from "./http/error-responses.ts";
import { Idempotency, keyInHeader } from "./http/idempotent-requests.ts";
import { sandboxPage, type SandboxFill } from "./http/sandbox-page.ts";
import type { SlowReaderRules } from "./http/slow-readers.ts";
import { SecretTokens } from "./http/secret-token.ts";
import { buildServer } from "./http/server.ts";
import type { Clock } from "./kernel/clock.ts";
import { Vault } from "./kernel/secret-vault.ts";
import { OrderCodeRepository } from "./orders/order-code.repository.ts";
import type { GuardRules } from "./payments/gateways/guarded-gateway.ts";
import { ApiKeyRepository } from "./vendors/api-key.repository.ts";
import { VendorRepository } from "./vendors/vendor.repository.ts";

export interface GatewayParts {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Neutral words and the words that stand for them on the REST wire. */
  vocabulary: unknown;
  /** Encrypts secrets; without one, none can be stored. */
  vault?: Vault;
  /** Under which address browsers reach the gateway, without a slash at its end; where it listens unless told. */
  publicUrl?: string | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For says who the client is; none unless named. */
  trustedProxies?: readonly string[] | undefined;
  /** How long payment gateways may take, and when they are left alone. */
  guard?: GuardRules | undefined;
  /** Whether the schema describes itself to callers, as it does where nothing is said. */
  introspection?: boolean | undefined;
  /** How soon callers must have read an answer. */
  slowReaders?: SlowReaderRules | undefined;
  /** How many requests are worked on at once, and how many wait. */
  admission?: AdmissionRules | undefined;
  /** How many characters an answer may have. */
  largestAnswer?: number | undefined;
  /** What the Sandbox page is filled with, where there is a demo vendor. */
  demo?: SandboxFill | undefined;
  /** Whether the gateway listens on a loopback address only. */
  isLoopback?: boolean;
}

/** Calls of the payer's link without a token that one client address may make in a minute. */
const MOST_PAY_LINKS = 60;

/** Shared order codes that a start names. */
const MOST_SHARED_CODES = 20;

/** A whole service that is not yet listening: `main` makes it listen, tests inject requests. */
export interface Gateway {
  server: FastifyInstance;
  /** The contexts of its requests, for a worker in the same process. */
  contexts: Contexts;
  /** Says that it is not ready, and goes on accepting requests until the signal aborts; each answer closes its connection. */
  drain(drained: AbortSignal): Promise<void>;
  /** Answers what is under way, then lets go of everything but the database's server. */
  close(): Promise<void>;
}

/** Puts the gateway together on a database that has this version's tables. */
export async function openGateway({
  database,
  clock,
  logger,
  vocabulary,
  demo,
  isLoopback = false,
  vault = new Vault([]),
  publicUrl,
  guard,
  trustedProxies = [],
  introspection: describesItself = true,
  slowReaders,
  admission,
  largestAnswer,
}: GatewayParts): Promise<Gateway> {
  const schema = buildGatewaySchema();
  const address = () => publicUrl ?? listeningAt(server);
  const desk = openCashDesk({ database, clock, vault, address, guard });
  const { contexts } = desk;
  const idempotency = new Idempotency(contexts);
  const onLost = (error: unknown) => report(logger, error, "none");
  const places = new Admission(admission);
  const tokens = new SecretTokens(new ApiKeyRepository(database.handle), clock, onLost, places);
  const introspection = new Introspection(schema, describesItself);
  const execute = executorOn(schema, introspection, largestAnswer);
  const onFault = (error: unknown, traceId: string) => report(logger, error, traceId);
  const apollo = apolloOn(schema, execute, introspection, sandboxPage(demo, isLoopback), address, onFault);
  await apollo.start();
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
  const shared = await orderCodes.shared(MOST_SHARED_CODES);
  if (shared.length > 0)
    logger.warn(
      { codes: shared },
      "orders of several vendors have these codes; without a token their payment links are 404",
    );
  const payLinks = new AddressLimit(MOST_PAY_LINKS, "payment links");
  const rest = restRoutes({
    contract,
    schema,
    execute,
    vocabulary,
    answer: (request, reply, run) => idempotency.answer(request, reply, keyInHeader(request), run),
    admit: async (request, reply, code) => {
      await payLinks.count(request.ip).catch((refusal: unknown) => {
        if (request.headers["x-forwarded-for"] !== undefined)
          logger.warn(
            { address: request.ip },
            "an address made too many calls for payment links; if it is your proxy, name it in TRUSTED_PROXIES",
          );
        throw refusal;
      });
      if ("id" in idOrCodeOf("Order", code)) return false;
      const vendor = await places.amongStrangers(request.ip, async () => {
        const vendorId = await orderCodes.vendorOf(code);
        return vendorId === undefined ? undefined : vendors.byId(vendorId);
      });
      if (!vendor) return false;
      request.vendor = vendor;
      holdPlace(request, reply, await places.admit(vendor.id, 1));
      return true;
    },
    zoneOf: (request) => request.vendor!.zoneId,
  });
  const checkout = checkoutRoutes({
    vault,
    address,
    onFault,
    counterOf: async (vendorId, traceId) => {
      const vendor = await vendors.byId(vendorId);
      if (!vendor?.enabled) return undefined;
      const { read, cashier, write, clock: vendorsClock } = contexts.of(vendor, traceId);
      const now = () => vendorsClock.now();
      const service = new CheckoutService(read.checkouts, cashier!, write, now);
      return { checkout: service, country: vendor.country, now: now() };
    },
  });
  const isDraining = () => draining;
  const server = await buildServer({
    apollo,
    tokens,
    idempotency,
    isReady,
    isDraining,
    logger,
    address,
    trustedProxies,
    rest,
    checkout,
    desk,
    slowReaders,
  });
  await server.ready();
  return {
    server,
    contexts,
    drain: async (drained) => {
      draining = true;
      if (!drained.aborted) await once(drained, "abort");
    },
    close: async () => {
      draining = true;
      await server.close();
      await apollo.stop();
      await tokens.close();
      await database.close();
    },
  };
}

/** The address at which a server can be reached from its own machine; none before it listens. */
function listeningAt(server: FastifyInstance): string {
  const [bound] = server.addresses();
  if (typeof bound !== "object") return "";
  const host = bound.address.replace(/^0\.0\.0\.0$/, "127.0.0.1").replace(/^::$/, "::1");
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`;
}
