import type { Database, Handle } from "../database/client.ts";
import { constraintRefusalOf } from "../database/database-errors.ts";
import type { Replica } from "../database/replica/replica.ts";
import type { CheckoutAddress } from "../checkout/checkout-link.service.ts";
import type { IdempotencyService, KeyedRequest, ChargingRequest } from "../idempotency/idempotency.service.ts";
import { clockAhead, type Clock } from "../kernel/clock.ts";
import type { Refusal } from "../kernel/refusals.ts";
import { once } from "../kernel/scheduling/lazy.ts";
import { currentTraceId } from "../kernel/tracing.ts";
import type { Gateways } from "../payments/gateways/gateway-port.ts";
import { ChargeBatchService } from "../payments/batches/charge-batch.service.ts";
import { MethodDetacher } from "../payments/detachments/method-detacher.service.ts";
import { PaymentConfirmation } from "../payments/payment-confirmation.service.ts";
import { PaymentProcessor } from "../payments/payment-processor.service.ts";
import { PaymentReconciliation } from "../payments/payment-reconciliation.service.ts";
import { PaymentRequestService, type MoneyRequestObserver } from "../payments/payment-request.service.ts";
import { RefundProcessor } from "../payments/refunds/refund-processor.service.ts";
import { RenewalRunner } from "../renewals/renewal-runner.service.ts";
import { UnchargedOrderRunner } from "../renewals/uncharged-order-runner.service.ts";
import { ChargedChangeService } from "../renewals/charged-change.service.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { workerCaller, type Caller } from "../vendors/people/caller.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { WebhookSettings } from "../webhooks/webhook-endpoint.service.ts";
import type { CostReport } from "./limits/operation-cost.ts";
import { createReadAbilities, type ReadAbilities, type ReplicaAccess } from "./read-abilities.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import { createBatchServices, createServices, type Services } from "./services.ts";

/** The abilities of one request: queries (`read`), changes (`write`, one transaction), batching (`loaders`). */
export interface GatewayContext extends ReadAbilities {
  readonly vendor: VendorRecord;
  readonly traceId: string;
  /** Who sends the request, and what it may do through the schema. */
  readonly caller: Caller;
  /** The vendor's current time: a sandbox clock may be ahead. */
  readonly clock: Clock;
  /** Runs work on the services in one transaction, at one instant; it commits or rolls back as a whole. */
  readonly write: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  /** The same for work that is done many times at once: the statements of all of it are put together. */
  readonly writeBatch: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  /** Runs work on the services in a transaction that is rolled back: none of its changes are saved. */
  readonly dryRun: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  /** The replica, which lists may be read from. Absent if there is none, and in a request that is one transaction. */
  readonly replica?: ReplicaAccess;
  /** Whether the request has changed anything so far. */
  readonly hasWritten: () => boolean;
  /** What the answer reports beside the operation's cost, if the caller asked for that. */
  readonly costReport?: CostReport;
  /** Marks the request or its answer as sensitive: an answer that is stored for a repeat is then encrypted. */
  readonly markSensitive: () => void;
  /** Whether the request was marked as sensitive so far. */
  readonly isSensitive: () => boolean;
  /** Lets the rest of the request see the clock where a mutation moved it. */
  readonly setClockAheadMs: (aheadMs: number) => void;
}

/**
 * The context of a request that can call a payment gateway: each of its writes is a separate transaction, so that none
 * is open meanwhile. A mutation that moves money takes this context by `@PaymentCtx()`.
 */
export interface PaymentContext extends GatewayContext {
  /** Charges orders, in transactions of its own. */
  readonly paymentProcessor: PaymentProcessor;
  /** Refunds orders. */
  readonly refundProcessor: RefundProcessor;
  /** Takes reports of deposits and callbacks of gateways. */
  readonly paymentConfirmation: PaymentConfirmation;
  /** Looks up outcomes that were left open. */
  readonly paymentReconciliation: PaymentReconciliation;
  /** Detaches stored methods of erased customers at their gateways. */
  readonly methodDetacher: MethodDetacher<Services>;
  /** Charges what is due. */
  readonly renewalRunner: RenewalRunner;
  /** Charges orders of subscriptions that are to be charged at once. */
  readonly unchargedOrderRunner: UnchargedOrderRunner;
  /** Makes changes of subscriptions and charges for them. */
  readonly chargedChanges: ChargedChangeService<Services>;
  /** The request, if it has an idempotency key: the same key moves money once. */
  readonly chargingRequest: ChargingRequest | undefined;
  /** The reason why the idempotency key did not let the request run, if there is one. */
  readonly idempotencyRefusal: () => Refusal | undefined;
  /** Whether the request has moved money, or found that an earlier one with its key did. */
  readonly hasMovedMoney: () => boolean;
}

/** A request with an idempotency key that moves money. */
export interface KeyedPaymentContext extends PaymentContext {
  readonly chargingRequest: ChargingRequest;
}

/** Runs work that is no vendor's on the services in one transaction; it commits or rolls back as a whole. */
export type WriteForInstallation = <T>(work: (services: Services) => Promise<T>) => Promise<T>;

/** Makes the contexts of a gateway's requests. */
export interface ContextFactory {
  /** The context of a request in which each write is a transaction of its own; only such a request can move money. */
  createContext(vendor: VendorRecord, traceId: string, caller: Caller): PaymentContext;
  /** The same for a request that moves money once for its idempotency key. */
  createKeyedContext(vendor: VendorRecord, traceId: string, request: KeyedRequest, caller: Caller): KeyedPaymentContext;
  /** Runs work of the installation, which is no vendor's, on the services in one transaction, at the real time. */
  writeForInstallation: WriteForInstallation;
  /** Runs a request that is one transaction as a whole, reads and all. */
  runInOneTransaction<T>(
    vendor: VendorRecord,
    traceId: string,
    work: (context: GatewayContext, idempotency: IdempotencyService) => Promise<T>,
    caller: Caller,
  ): Promise<T>;
}

/** The dependencies of contexts, apart from a database. */
export interface ContextDependencies {
  clock: Clock;
  vault: SecretVault;
  /** The base address of checkout links. */
  address: CheckoutAddress;
  /** The payment gateways. */
  gateways: Gateways;
  webhookSettings: WebhookSettings;
  /** Gets the error of a batch whose items are then done one by one. */
  onBatchFault: (error: unknown) => void;
}

/** The contexts of requests to a database. */
export function createContextFactory(database: Database, tools: ContextDependencies): ContextFactory {
  const poolRepositories = createRepositories(database.handle);
  const { replica } = database;
  const replicaReads = replica && { replica, repositories: createRepositories(replica.handle) };
  const outsideOfTransaction = (vendor: VendorRecord, traceId: string, caller: Caller) =>
    createContext(database.transaction, poolRepositories, tools, { vendor, traceId, caller }, replicaReads);
  return {
    createContext: (vendor, traceId, caller) =>
      paymentContextOn(outsideOfTransaction(vendor, traceId, caller), tools, undefined),
    createKeyedContext: (vendor, traceId, request, caller) => {
      const context = outsideOfTransaction(vendor, traceId, caller);
      return paymentContextOn(context, tools, { ...request, isSensitive: context.isSensitive });
    },
    writeForInstallation: (work) =>
      database.transaction((handle) =>
        work(createServices(handle, tools.clock.now(), { vault: tools.vault, author: workerCaller.author })),
      ),
    runInOneTransaction: (vendor, traceId, work, caller) =>
      database.transaction((handle) => {
        const openSavepoint: OpenTransaction = (savepointWork) =>
          handle.transaction((savepoint) => savepointWork(savepoint));
        const context = createContext(openSavepoint, createRepositories(handle), tools, {
          vendor,
          traceId,
          caller,
        });
        return work(context, createServices(handle, tools.clock.now(), { vault: tools.vault }).idempotency);
      }),
  };
}

/**
 * Adds the payment services to the context of a request. Few requests use them, so that each service is constructed
 * when it is first read.
 */
function paymentContextOn<Request extends ChargingRequest | undefined>(
  context: GatewayContext,
  { gateways, onBatchFault }: Pick<ContextDependencies, "gateways" | "onBatchFault">,
  chargingRequest: Request,
): PaymentContext & { readonly chargingRequest: Request } {
  const { vendor, write } = context;
  const now = () => context.clock.now();
  let hasMoved = false;
  let idempotencyRefusal: Refusal | undefined;
  const watch: MoneyRequestObserver = {
    onEffect: () => (hasMoved = true),
    onKeyRefused: (refusal) => (idempotencyRefusal = refusal),
  };
  const dependencies = { write, gateways, now, watch };
  const payments = once(() => new PaymentProcessor<Services>(dependencies));
  const refunds = once(() => new RefundProcessor<Services>(dependencies));
  const confirmation = once(() => new PaymentConfirmation<Services>(dependencies));
  const reconciliation = once(() => new PaymentReconciliation<Services>(dependencies));
  const detacher = once(() => new MethodDetacher<Services>(dependencies));
  const renewals = once(() => {
    const { writeBatch } = context;
    const processor = payments();
    const chargeBatches = new ChargeBatchService<Services>({
      write,
      writeBatch,
      processor,
      gateways,
      vendorId: vendor.id,
      onFault: onBatchFault,
    });
    return new RenewalRunner({ write, writeBatch, processor, chargeBatches, vendor, now, onBatchFault });
  });
  const unchargedOrders = once(
    () => new UnchargedOrderRunner<Services>({ write, processor: payments(), vendorId: vendor.id, now }),
  );
  const chargedChanges = once(
    () =>
      new ChargedChangeService<Services>({
        write,
        processor: payments(),
        paymentRequests: new PaymentRequestService(dependencies),
        renewalRunner: renewals(),
        unchargedOrderRunner: unchargedOrders(),
        vendorId: vendor.id,
        now,
        request: chargingRequest,
      }),
  );
  return {
    ...context,
    get paymentProcessor() {
      return payments();
    },
    get refundProcessor() {
      return refunds();
    },
    get paymentConfirmation() {
      return confirmation();
    },
    get paymentReconciliation() {
      return reconciliation();
    },
    get methodDetacher() {
      return detacher();
    },
    get renewalRunner() {
      return renewals();
    },
    get unchargedOrderRunner() {
      return unchargedOrders();
    },
    get chargedChanges() {
      return chargedChanges();
    },
    chargingRequest,
    idempotencyRefusal: () => idempotencyRefusal,
    hasMovedMoney: () => hasMoved,
  };
}

/** Ends a transaction whose work is done and not to be saved. */
class RollbackSignal<T> extends Error {
  constructor(readonly result: T) {
    super("rolled back");
  }
}

/** The result of work whose changes are rolled back. */
async function runAndRollBack<T>(transact: OpenTransaction, work: (handle: Handle) => Promise<T>): Promise<T> {
  try {
    return await transact(async (handle) => {
      throw new RollbackSignal(await work(handle));
    });
  } catch (error) {
    if (error instanceof RollbackSignal) return (error as RollbackSignal<T>).result;
    throw constraintRefusalOf(error) ?? error;
  }
}

/** The id of a request; workers have names instead, and traces only if they are recorded. */
const toTraceId = (traceId: string): string | null => (/^[0-9a-f]{32}$/.test(traceId) ? traceId : currentTraceId());

/** Opens a transaction, or a savepoint in the one that is open. */
type OpenTransaction = Database["transaction"];

function createContext(
  transact: OpenTransaction,
  read: Repositories,
  { clock: realClock, vault, address, webhookSettings }: ContextDependencies,
  { vendor, traceId, caller }: Pick<GatewayContext, "vendor" | "traceId" | "caller">,
  replicaReads?: { replica: Replica; repositories: Repositories },
): GatewayContext {
  let aheadMs = vendor.clockAheadMs;
  let writes = 0;
  let isSensitive = false;
  const clock: Clock = { now: () => clockAhead(realClock, aheadMs).now() };
  const readWith = (repositories: Repositories) =>
    createReadAbilities(repositories, { vault, address, vendor, now: () => clock.now() });
  const abilities = readWith(read);
  const writeWith = async <T>(create: typeof createServices, work: (services: Services) => Promise<T>): Promise<T> => {
    try {
      const result = await transact((handle) =>
        work(
          create(handle, clock.now(), {
            ...{ vault, webhookSettings, realNow: realClock.now(), publicAddress: address },
            author: caller.author,
            traceId: toTraceId(traceId),
          }),
        ),
      );
      writes++;
      return result;
    } catch (error) {
      throw constraintRefusalOf(error) ?? error;
    } finally {
      abilities.loaders.clear();
    }
  };
  return {
    vendor,
    traceId,
    caller,
    clock,
    ...abilities,
    ...(replicaReads && {
      replica: {
        hasCaughtUp: () => replicaReads.replica.hasCaughtUp(),
        noteFailure: (error) => {
          replicaReads.replica.noteFailure(error);
        },
        abilities: () => readWith(replicaReads.repositories),
      },
    }),
    write: (work) => writeWith(createServices, work),
    writeBatch: (work) => writeWith(createBatchServices, work),
    dryRun: (work) => runAndRollBack(transact, (handle) => work(createServices(handle, clock.now(), { vault }))),
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
