import type { Database, Handle } from "../database/client.ts";
import { constraintRefusalOf } from "../database/database-errors.ts";
import { CheckoutLinkService, type CheckoutAddress } from "../checkout/checkout-link.service.ts";
import { IdempotencyRepository } from "../idempotency/idempotency.repository.ts";
import { IdempotencyService, type KeyedRequest, type ChargingRequest } from "../idempotency/idempotency.service.ts";
import { clockAhead, type Clock } from "../kernel/clock.ts";
import type { Refusal } from "../kernel/refusals.ts";
import { PaymentProcessor, type Gateways } from "../payments/payment-processor.service.ts";
import { RenewalRunner } from "../renewals/renewal-runner.service.ts";
import { ChargedChangeService } from "../renewals/charged-change.service.ts";
import type { SecretVault } from "../kernel/secret-vault.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import { Loaders } from "./loaders.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import { createServices, type Services } from "./services.ts";

/** The abilities of one request: queries (`read`), changes (`write`, one transaction), batching (`loaders`). */
export interface GatewayContext {
  readonly vendor: VendorRecord;
  readonly traceId: string;
  /** The vendor's current time: a sandbox clock may be ahead. */
  readonly clock: Clock;
  readonly read: Repositories;
  /** Runs work on the services in one transaction, at one instant; it commits or rolls back as a whole. */
  readonly write: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  /** Runs work on the services in a transaction that is rolled back: it may change what it likes, and nothing is saved. */
  readonly dryRun: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  readonly loaders: Loaders;
  /** Makes links to the checkout. */
  readonly checkoutLinks: () => CheckoutLinkService;
  /** Moves money, in transactions of its own; not in a request that is one transaction as a whole. */
  readonly paymentProcessor: PaymentProcessor | undefined;
  /** Charges due renewals; undefined in the same cases as `paymentProcessor`. */
  readonly renewalRunner: RenewalRunner | undefined;
  /** Changes subscriptions and charges for them; undefined in the same cases as `paymentProcessor`. */
  readonly chargedChanges: ChargedChangeService<Services> | undefined;
  /** A request that moves money, if it has an idempotency key: the same key moves it once. */
  readonly chargingRequest: ChargingRequest | undefined;
  /** Why the key of a request that moves money did not let it run, if that is so. */
  readonly idempotencyKeyRefusal: () => Refusal | undefined;
  /** Whether the request has moved money, or seen that an earlier one with its key did. */
  readonly hasMovedMoney: () => boolean;
  /** Whether the request has changed anything so far. */
  readonly hasWritten: () => boolean;
  /** Marks the request or its answer as sensitive: an answer that is stored for a repeat is then encrypted. */
  readonly markSensitive: () => void;
  /** Whether the request was marked as sensitive so far. */
  readonly isSensitive: () => boolean;
  /** Lets the rest of the request see the clock where a mutation moved it. */
  readonly setClockAheadMs: (aheadMs: number) => void;
}

/** Makes the contexts of a gateway's requests. */
export interface ContextFactory {
  /** The context of a request in which each write is a transaction of its own; only such a request can move money. */
  createContext(vendor: VendorRecord, traceId: string, request?: KeyedRequest): GatewayContext;
  /** Runs a request that is one transaction as a whole, reads and all. */
  runInOneTransaction<T>(
    vendor: VendorRecord,
    traceId: string,
    work: (context: GatewayContext, idempotency: IdempotencyService) => Promise<T>,
  ): Promise<T>;
}

/** The dependencies of contexts, apart from a database. */
export interface ContextDependencies {
  clock: Clock;
  vault: SecretVault;
  /** Where links to the checkout begin. */
  address: CheckoutAddress;
  /** The payment gateways. */
  gateways: Gateways;
}

/** The contexts of requests to a database. */
export function createContextFactory(database: Database, tools: ContextDependencies): ContextFactory {
  const poolRepositories = createRepositories(database.handle);
  return {
    createContext: (vendor, traceId, request) => {
      const context = createContext(database.transaction, poolRepositories, tools, vendor, traceId);
      let hasMovedMoney = false;
      let keyRefusal: Refusal | undefined;
      const paymentProcessor = new PaymentProcessor<Services>(
        context.write,
        tools.gateways,
        () => context.clock.now(),
        {
          onEffect: () => (hasMovedMoney = true),
          onKeyRefused: (refusal) => (keyRefusal = refusal),
        },
      );
      const renewalRunner = new RenewalRunner(context.write, paymentProcessor, vendor, () => context.clock.now());
      const chargingRequest = request && { ...request, isSensitive: context.isSensitive };
      return {
        ...context,
        chargingRequest,
        idempotencyKeyRefusal: () => keyRefusal,
        paymentProcessor,
        renewalRunner,
        chargedChanges: new ChargedChangeService(
          context.write,
          paymentProcessor,
          renewalRunner,
          vendor.id,
          () => context.clock.now(),
          chargingRequest,
        ),
        hasMovedMoney: () => hasMovedMoney,
      };
    },
    runInOneTransaction: (vendor, traceId, work) =>
      database.transaction((handle) => {
        const openSavepoint: OpenTransaction = (savepointWork) =>
          handle.transaction((savepoint) => savepointWork(savepoint as unknown as Handle));
        const context = createContext(openSavepoint, createRepositories(handle), tools, vendor, traceId);
        return work(context, new IdempotencyService(new IdempotencyRepository(handle), tools.vault, tools.clock.now()));
      }),
  };
}

/** Ends a transaction whose work is done and not to be saved. */
class RollbackSignal extends Error {}

/** The result of work whose changes are rolled back. */
async function runAndRollBack<T>(transact: OpenTransaction, work: (handle: Handle) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  try {
    await transact(async (handle) => {
      result = { value: await work(handle) };
      throw new RollbackSignal();
    });
  } catch (error) {
    if (!(error instanceof RollbackSignal)) throw constraintRefusalOf(error) ?? error;
  }
  return result!.value;
}

/** Opens a transaction, or a savepoint in the one that is open. */
type OpenTransaction = Database["transaction"];

function createContext(
  transact: OpenTransaction,
  read: Repositories,
  { clock: realClock, vault, address }: ContextDependencies,
  vendor: VendorRecord,
  traceId: string,
): GatewayContext {
  const loaders = new Loaders(vendor.id, read);
  let aheadMs = vendor.clockAheadMs;
  let writes = 0;
  let isSensitive = false;
  const clock: Clock = { now: () => clockAhead(realClock, aheadMs).now() };
  return {
    vendor,
    traceId,
    clock,
    paymentProcessor: undefined,
    renewalRunner: undefined,
    chargedChanges: undefined,
    chargingRequest: undefined,
    idempotencyKeyRefusal: () => undefined,
    hasMovedMoney: () => false,
    read,
    loaders,
    checkoutLinks: () => new CheckoutLinkService(read.checkouts, vault, address, clock.now()),
    write: async (work) => {
      try {
        const result = await transact((handle) => work(createServices(handle, clock.now(), vault, realClock.now())));
        writes++;
        return result;
      } catch (error) {
        throw constraintRefusalOf(error) ?? error;
      } finally {
        loaders.clear();
      }
    },
    dryRun: (work) => runAndRollBack(transact, (handle) => work(createServices(handle, clock.now(), vault))),
    hasWritten: () => writes > 0,
    markSensitive: () => {
      isSensitive = true;
    },
    isSensitive: () => isSensitive,
    setClockAheadMs: (milliseconds) => {
      aheadMs = milliseconds;
    },
  };
}
