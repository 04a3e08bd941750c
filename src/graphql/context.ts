import type { Database, Handle } from "../database/client.ts";
import { refusalOf } from "../database/database-errors.ts";
import { CheckoutLinkService, type CheckoutAddress } from "../checkout/checkout-link.service.ts";
import { IdempotencyRepository } from "../idempotency/idempotency.repository.ts";
import { IdempotencyService, type KeyedRequest, type MoneyRequest } from "../idempotency/idempotency.service.ts";
import { ahead, type Clock } from "../kernel/clock.ts";
import type { Refusal } from "../kernel/refusals.ts";
import { CashierService, type Gateways } from "../payments/payment-processor.service.ts";
import { BillerService } from "../renewals/renewal-runner.service.ts";
import { ChargedChangeService } from "../renewals/charged-change.service.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import { Loaders } from "./loaders.ts";
import { repositoriesOn, type Repositories } from "./repositories.ts";
import { servicesOn, type Services } from "./services.ts";

/** What one request may do: ask (`read`), change (`write`, one transaction), batch (`loaders`). */
export interface GatewayContext {
  readonly vendor: VendorRecord;
  readonly traceId: string;
  /** The time that holds for the vendor: a sandbox may be ahead. */
  readonly clock: Clock;
  readonly read: Repositories;
  /** Runs work on the services in one transaction, at one instant: all of it is kept, or none. */
  readonly write: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  /** Runs work on the services in a transaction that is rolled back: it may change what it likes, and nothing is saved. */
  readonly reckon: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  readonly loaders: Loaders;
  /** Makes links to the checkout. */
  readonly checkoutLinks: () => CheckoutLinkService;
  /** Moves money, in transactions of its own; not in a request that is one transaction as a whole. */
  readonly cashier: CashierService | undefined;
  /** Charges what is due, where the cashier does. */
  readonly biller: BillerService | undefined;
  /** Makes changes of subscriptions and charges for them, where the cashier moves money. */
  readonly chargedChanges: ChargedChangeService<Services> | undefined;
  /** A request that moves money, if it has an idempotency key: the same key moves it once. */
  readonly moneyRequest: MoneyRequest | undefined;
  /** Why the key of a request that moves money did not let it run, if that is so. */
  readonly keyRefusal: () => Refusal | undefined;
  /** Whether the request has moved money, or seen that an earlier one with its key did. */
  readonly moneyMoved: () => boolean;
  /** Whether the request has changed anything so far. */
  readonly changed: () => boolean;
  /** Says that the request or its answer holds a secret: where the answer is kept for a repeat, it is encrypted. */
  readonly confide: () => void;
  /** Whether anything so far was confided. */
  readonly confided: () => boolean;
  /** Lets the rest of the request see the clock where a mutation moved it. */
  readonly clockMoved: (aheadMs: number) => void;
}

/** Makes the contexts of a gateway's requests. */
export interface Contexts {
  /** The context of a request in which each write is a transaction of its own; only such a request can move money. */
  of(vendor: VendorRecord, traceId: string, request?: KeyedRequest): GatewayContext;
  /** Runs a request that is one transaction as a whole, reads and all. */
  whole<T>(
    vendor: VendorRecord,
    traceId: string,
    work: (context: GatewayContext, idempotency: IdempotencyService) => Promise<T>,
  ): Promise<T>;
}

/** What contexts need besides a database. */
export interface ContextTools {
  clock: Clock;
  vault: Vault;
  /** Where links to the checkout begin. */
  address: CheckoutAddress;
  /** What moves money. */
  gateways: Gateways;
}

/** The contexts of requests to a database. */
export function contextsOn(database: Database, tools: ContextTools): Contexts {
  const onPool = repositoriesOn(database.handle);
  return {
    of: (vendor, traceId, request) => {
      const context = contextOn(database.transaction, onPool, tools, vendor, traceId);
      let done = false;
      let keyRefusal: Refusal | undefined;
      const cashier = new CashierService<Services>(context.write, tools.gateways, () => context.clock.now(), {
        done: () => (done = true),
        keyRefused: (refusal) => (keyRefusal = refusal),
      });
      const biller = new BillerService(context.write, cashier, vendor, () => context.clock.now());
      const moneyRequest = request && { ...request, holdsSecret: context.confided };
      return {
        ...context,
        moneyRequest,
        keyRefusal: () => keyRefusal,
        cashier,
        biller,
        chargedChanges: new ChargedChangeService(
          context.write,
          cashier,
          biller,
          vendor.id,
          () => context.clock.now(),
          moneyRequest,
        ),
        moneyMoved: () => done,
      };
    },
    whole: (vendor, traceId, work) =>
      database.transaction((handle) => {
        const within: Transact = (inner) => handle.transaction((savepoint) => inner(savepoint as unknown as Handle));
        const context = contextOn(within, repositoriesOn(handle), tools, vendor, traceId);
        return work(context, new IdempotencyService(new IdempotencyRepository(handle), tools.vault, tools.clock.now()));
      }),
  };
}

/** Ends a transaction whose work is done and not to be saved. */
class Undone extends Error {}

/** The result of work whose changes are rolled back. */
async function undone<T>(transact: Transact, work: (handle: Handle) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  try {
    await transact(async (handle) => {
      result = { value: await work(handle) };
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw refusalOf(error) ?? error;
  }
  return result!.value;
}

/** Opens a transaction, or a savepoint in the one that is open. */
type Transact = Database["transaction"];

function contextOn(
  transact: Transact,
  read: Repositories,
  { clock: realClock, vault, address }: ContextTools,
  vendor: VendorRecord,
  traceId: string,
): GatewayContext {
  const loaders = new Loaders(vendor.id, read);
  let aheadMs = vendor.clockAheadMs;
  let writes = 0;
  let confided = false;
  const clock: Clock = { now: () => ahead(realClock, aheadMs).now() };
  return {
    vendor,
    traceId,
    clock,
    cashier: undefined,
    biller: undefined,
    chargedChanges: undefined,
    moneyRequest: undefined,
    keyRefusal: () => undefined,
    moneyMoved: () => false,
    read,
    loaders,
    checkoutLinks: () => new CheckoutLinkService(read.checkouts, vault, address, clock.now()),
    write: async (work) => {
      try {
        const done = await transact((handle) => work(servicesOn(handle, clock.now(), vault, realClock.now())));
        writes++;
        return done;
      } catch (error) {
        throw refusalOf(error) ?? error;
      } finally {
        loaders.clear();
      }
    },
    reckon: (work) => undone(transact, (handle) => work(servicesOn(handle, clock.now(), vault))),
    changed: () => writes > 0,
    confide: () => {
      confided = true;
    },
    confided: () => confided,
    clockMoved: (milliseconds) => {
      aheadMs = milliseconds;
    },
  };
}
