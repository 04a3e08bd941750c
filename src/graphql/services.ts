import type { Handle } from "../database/client.ts";
import type { CheckoutAddress } from "../checkout/checkout-link.service.ts";
import type { EventAuthor } from "../events/authors/event-author.ts";
import { customersModule } from "../customers/customers.module.ts";
import { eventsModule } from "../events/events.module.ts";
import { idempotencyModule } from "../idempotency/idempotency.module.ts";
import { importModule } from "../import/import.module.ts";
import { invoicesModule } from "../invoices/invoices.module.ts";
import { defineLazyMembers, mergeMembers, type InstancesOf } from "../kernel/scheduling/lazy.ts";
import { currentTraceId } from "../kernel/tracing.ts";
import { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { notificationsModule } from "../notifications/notifications.module.ts";
import { ordersModule } from "../orders/orders.module.ts";
import { paymentsModule } from "../payments/payments.module.ts";
import { privacyModule } from "../privacy/privacy.module.ts";
import { productsModule } from "../products/products.module.ts";
import { recoveryModule } from "../recovery/recovery.module.ts";
import { renewalsModule } from "../renewals/renewals.module.ts";
import { subscriptionsModule } from "../subscriptions/subscriptions.module.ts";
import { webhooksModule } from "../webhooks/webhooks.module.ts";
import type { WebhookSettings } from "../webhooks/webhook-endpoint.service.ts";
import { vendorsModule } from "../vendors/vendors.module.ts";

const repositories = mergeMembers(
  eventsModule.repositories,
  vendorsModule.repositories,
  customersModule.repositories,
  productsModule.repositories,
  ordersModule.repositories,
  subscriptionsModule.repositories,
  invoicesModule.repositories,
  paymentsModule.repositories,
  recoveryModule.repositories,
  renewalsModule.repositories,
  webhooksModule.repositories,
  notificationsModule.repositories,
  idempotencyModule.repositories,
  importModule.repositories,
  privacyModule.repositories,
);

/** Repositories of work that runs many times at once in one transaction, in the place of those with the same name. */
const batchRepositories = mergeMembers(
  eventsModule.batchRepositories,
  vendorsModule.batchRepositories,
  customersModule.batchRepositories,
  productsModule.batchRepositories,
  ordersModule.batchRepositories,
  subscriptionsModule.batchRepositories,
  invoicesModule.batchRepositories,
  paymentsModule.batchRepositories,
  recoveryModule.batchRepositories,
) satisfies Partial<typeof repositories>;

const services = mergeMembers(
  eventsModule.services,
  vendorsModule.services,
  customersModule.services,
  productsModule.services,
  ordersModule.services,
  subscriptionsModule.services,
  invoicesModule.services,
  paymentsModule.services,
  recoveryModule.services,
  renewalsModule.services,
  webhooksModule.services,
  notificationsModule.services,
  idempotencyModule.services,
  importModule.services,
  privacyModule.services,
);

/** The services of one transaction, by their names. */
export type Services = InstancesOf<typeof services>;

/** The dependencies that every service can declare by name. */
type Offered = Transaction & InstancesOf<typeof repositories> & Services;

/** What the services of a transaction need besides the database and the time. */
export interface TransactionTools {
  /** Without a vault no secret can be stored. */
  vault?: SecretVault;
  /** The real time. It differs from `now` in a sandbox whose clock was moved. Defaults to `now`. */
  realNow?: Date;
  webhookSettings?: WebhookSettings;
  /** The base address of links to the checkout; empty if it is unknown. */
  publicAddress?: CheckoutAddress;
  /** Who causes the events of the transaction. */
  author?: EventAuthor | undefined;
  /** The id of the request, or of the trace of a worker's step, in W3C form. Defaults to the current trace. */
  traceId?: string | null;
}

/** One transaction: what repositories and services are constructed from. */
class Transaction implements TransactionTools {
  readonly vault: SecretVault;
  readonly realNow: Date;
  readonly webhookSettings: WebhookSettings;
  readonly publicAddress: CheckoutAddress;
  readonly author: EventAuthor | undefined;
  readonly traceId: string | null;

  constructor(
    readonly handle: Handle,
    /** The instant of the transaction, by the vendor's clock. */
    readonly now: Date,
    tools: TransactionTools,
  ) {
    this.vault = tools.vault ?? new SecretVault([]);
    this.realNow = tools.realNow ?? now;
    this.webhookSettings = tools.webhookSettings ?? { allowPrivate: false };
    this.publicAddress = tools.publicAddress ?? (() => "");
    this.author = tools.author;
    this.traceId = tools.traceId ?? currentTraceId();
  }
}
defineLazyMembers<Transaction, Handle>(Transaction.prototype, repositories, ({ handle }) => handle);
// A service whose dependency no module offers is a type error here.
defineLazyMembers<Transaction, Offered>(Transaction.prototype, services, (transaction) => transaction as Offered);

/** The services of one transaction, at one instant. Each is constructed when it is first read. */
export const createServices = (handle: Handle, now: Date, tools: TransactionTools = {}): Services =>
  new Transaction(handle, now, tools) as Offered;

/** A transaction whose repositories put calls that are made at the same time into one statement. */
class BatchTransaction extends Transaction {}
defineLazyMembers<BatchTransaction, Handle>(BatchTransaction.prototype, batchRepositories, ({ handle }) => handle);

/** The services of one transaction for work that runs many times at once: the statements of all of it are put together. */
export const createBatchServices = (handle: Handle, now: Date, tools: TransactionTools = {}): Services =>
  new BatchTransaction(handle, now, tools) as Offered;
