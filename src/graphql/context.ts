import type { Database, Handle } from "../database/client.ts";
import { refusalOf } from "../database/violations.ts";
import { EventRepository } from "../events/event.repository.ts";
import { EventService } from "../events/event.service.ts";
import { CheckoutLinkService, type CheckoutAddress } from "../checkout/checkout-link.service.ts";
import { CheckoutRepository } from "../checkout/checkout.repository.ts";
import { CustomerRepository } from "../customers/customer.repository.ts";
import { CustomerService } from "../customers/customer.service.ts";
import { IdempotencyRepository } from "../idempotency/idempotency.repository.ts";
import { IdempotencyService } from "../idempotency/idempotency.service.ts";
import { ahead, type Clock } from "../kernel/clock.ts";
import { InvoiceRepository } from "../invoices/invoice.repository.ts";
import { InvoiceService } from "../invoices/invoice.service.ts";
import { CashierService, type Gateways } from "../payments/cashier.service.ts";
import { GatewayAccountRepository } from "../payments/gateway-account.repository.ts";
import { GatewayAccountService } from "../payments/gateway-account.service.ts";
import { LedgerRepository } from "../payments/ledger.repository.ts";
import { PaymentRepository } from "../payments/payment.repository.ts";
import { PaymentService } from "../payments/payment.service.ts";
import { RefundRepository } from "../payments/refund.repository.ts";
import { RefundService } from "../payments/refund.service.ts";
import { StoredMethodService } from "../payments/stored-method.service.ts";
import { OrderPaymentService } from "../orders/order-payment.service.ts";
import { OrderItemService } from "../orders/order-item.service.ts";
import { OrderReckoningService } from "../orders/order-reckoning.service.ts";
import { OrderRecordService } from "../orders/order-record.service.ts";
import { OrderService } from "../orders/order.service.ts";
import { CatalogService } from "../products/catalog.service.ts";
import { OfferRepository } from "../products/offer.repository.ts";
import { OfferService } from "../products/offer.service.ts";
import { StockService } from "../products/stock.service.ts";
import { SubscriptionOrderService } from "../orders/subscription-order.service.ts";
import { RenewalOrderService } from "../orders/renewal-order.service.ts";
import { SubscriptionPreviewService } from "../orders/subscription-preview.service.ts";
import { SettlementOrderService } from "../orders/settlement-order.service.ts";
import { SubscriptionChangeService } from "../orders/subscription-change.service.ts";
import { SubscriptionEndingService } from "../orders/subscription-ending.service.ts";
import { SubscriptionChangesService } from "../subscriptions/subscription-changes.service.ts";
import { SubscriptionIntervalService } from "../subscriptions/subscription-interval.service.ts";
import { SubscriptionUnitsService } from "../subscriptions/subscription-units.service.ts";
import { SubscriptionContentsService } from "../subscriptions/subscription-contents.service.ts";
import { SubscriptionBirthService } from "../subscriptions/subscription-birth.service.ts";
import { SubscriptionMovesService } from "../subscriptions/subscription-moves.service.ts";
import { SubscriptionRenewalsService } from "../subscriptions/subscription-renewals.service.ts";
import { SubscriptionService } from "../subscriptions/subscription.service.ts";
import { OrderRepository } from "../orders/order.repository.ts";
import { PricePlanRepository } from "../products/price-plan.repository.ts";
import { PricePlanService } from "../products/price-plan.service.ts";
import { PriceWriteRepository } from "../products/price-write.repository.ts";
import { ProductApprovalService } from "../products/product-approval.service.ts";
import { ProductOptionsRepository } from "../products/product-options.repository.ts";
import { ProductOptionsService } from "../products/product-options.service.ts";
import { ProductPlacesRepository } from "../products/product-places.repository.ts";
import { ProductRepository } from "../products/product.repository.ts";
import { ProductSubmissionRepository } from "../products/product-submission.repository.ts";
import { SubscriptionRepository } from "../subscriptions/subscription.repository.ts";
import { CoverCourseService } from "../recovery/cover-course.service.ts";
import { CoverCustomerRepository } from "../recovery/cover-customer.repository.ts";
import { CoverCustomerService } from "../recovery/cover-customer.service.ts";
import { CoverDecisionService } from "../recovery/cover-decision.service.ts";
import { CoverOrderMovesService } from "../recovery/cover-order-moves.service.ts";
import { CoverOrderRepository } from "../recovery/cover-order.repository.ts";
import { CoverOrderService } from "../recovery/cover-order.service.ts";
import { CoverPriceRepository } from "../recovery/cover-price.repository.ts";
import { CoverPriceService } from "../recovery/cover-price.service.ts";
import { CoverProductRepository } from "../recovery/cover-product.repository.ts";
import { CoverProductService } from "../recovery/cover-product.service.ts";
import { CoverRepository } from "../recovery/cover.repository.ts";
import { CoverService } from "../recovery/cover.service.ts";
import { CoverSubscriptionRepository } from "../recovery/cover-subscription.repository.ts";
import { CoverSubscriptionService } from "../recovery/cover-subscription.service.ts";
import { RecoveryCountRepository } from "../recovery/recovery-count.repository.ts";
import { RecoveryCountService } from "../recovery/recovery-count.service.ts";
import { RecoveryPolicyRepository } from "../recovery/recovery-policy.repository.ts";
import { RecoveryPolicyService } from "../recovery/recovery-policy.service.ts";
import { BillerService } from "../recovery/biller.service.ts";
import { RenewalCoverRepository } from "../recovery/renewal-cover.repository.ts";
import { RenewalCoverService } from "../recovery/renewal-cover.service.ts";
import { RenewalRepository } from "../recovery/renewal.repository.ts";
import { RenewalService } from "../recovery/renewal.service.ts";
import { TimelineRepository } from "../recovery/timeline.repository.ts";
import { TimelineService } from "../recovery/timeline.service.ts";
import { Vault } from "../kernel/vault.ts";
import { ChildVendorRepository } from "../vendors/child-vendor.repository.ts";
import { ChildVendorService } from "../vendors/child-vendor.service.ts";
import { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import { ApiKeyService } from "../vendors/api-key.service.ts";
import { VendorSettingsRepository } from "../vendors/vendor-settings.repository.ts";
import { VendorSettingsService } from "../vendors/vendor-settings.service.ts";
import { VendorRepository, type VendorRecord } from "../vendors/vendor.repository.ts";
import { VendorService } from "../vendors/vendor.service.ts";
import { Loaders } from "./loaders.ts";

/** What one request may do: ask (`read`), change (`write`, one transaction), batch (`loaders`). */
export interface GatewayContext {
  readonly vendor: VendorRecord;
  readonly traceId: string;
  /** The time that holds for the vendor: a sandbox may be ahead. */
  readonly clock: Clock;
  readonly read: Repositories;
  /** Runs work on the services in one transaction, at one instant: all of it is kept, or none. */
  readonly write: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  /** Runs work on the services that only asks what would be; nothing of it is kept. */
  readonly reckon: <T>(work: (services: Services) => Promise<T>) => Promise<T>;
  readonly loaders: Loaders;
  /** Makes links to the checkout. */
  readonly checkoutLinks: () => CheckoutLinkService;
  /** Moves money, in transactions of its own; not in a request that is one transaction as a whole. */
  readonly cashier: CashierService | undefined;
  /** Charges what is due, where the cashier does. */
  readonly biller: BillerService | undefined;
  /** The key of a request that moves money, if it has one: the same key moves it once. */
  readonly requestKey: string | undefined;
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

/** Every repository, on the pool or on an open transaction. */
export function repositoriesOn(handle: Handle) {
  return {
    events: new EventRepository(handle),
    vendors: new VendorRepository(handle),
    vendorSettings: new VendorSettingsRepository(handle),
    childVendors: new ChildVendorRepository(handle),
    customers: new CustomerRepository(handle),
    products: new ProductRepository(handle),
    productSubmissions: new ProductSubmissionRepository(handle),
    pricePlans: new PricePlanRepository(handle),
    offers: new OfferRepository(handle),
    invoices: new InvoiceRepository(handle),
    subscriptions: new SubscriptionRepository(handle),
    orders: new OrderRepository(handle),
    checkouts: new CheckoutRepository(handle),
    payments: new PaymentRepository(handle),
    ledger: new LedgerRepository(handle),
    gatewayAccounts: new GatewayAccountRepository(handle),
    coverCustomers: new CoverCustomerRepository(handle),
    coverProducts: new CoverProductRepository(handle),
    coverPrices: new CoverPriceRepository(handle),
    coverOrders: new CoverOrderRepository(handle),
    coverSubscriptions: new CoverSubscriptionRepository(handle),
    covers: new CoverRepository(handle),
    timeline: new TimelineRepository(handle),
    recoveryPolicies: new RecoveryPolicyRepository(handle),
    recoveryCounts: new RecoveryCountRepository(handle),
  };
}
export type Repositories = ReturnType<typeof repositoriesOn>;

/** The services that keep products and price plans. */
function catalogOn(
  handle: Handle,
  { products, offers, productSubmissions }: ReturnType<typeof repositoriesOn>,
  stock: StockService,
  vendors: VendorService,
  now: Date,
) {
  const options = new ProductOptionsRepository(handle);
  const places = new ProductPlacesRepository(handle);
  const plans = new PriceWriteRepository(handle);
  const catalog = new CatalogService(products, places, new ProductOptionsService(options, offers), stock, now);
  return {
    catalog,
    pricePlans: new PricePlanService(plans, offers, places, catalog, now),
    productApprovals: new ProductApprovalService(
      products,
      options,
      plans,
      offers,
      productSubmissions,
      stock,
      vendors,
      now,
    ),
  };
}

/** The services of subscriptions, and of the orders that come of them. */
function subscriptionsOn(
  { subscriptions: repository, orders }: Repositories,
  lower: {
    subscriptions: SubscriptionService;
    records: OrderRecordService;
    orderItems: OrderItemService;
    vendors: VendorService;
    customers: CustomerService;
    offers: OfferService;
    events: EventService;
  },
  now: Date,
) {
  const { subscriptions, records, orderItems, vendors, customers, offers, events } = lower;
  const births = new SubscriptionBirthService(repository, vendors, events, now);
  const renewals = new SubscriptionRenewalsService(repository, subscriptions, vendors, offers, now);
  const moves = new SubscriptionMovesService(repository, subscriptions, vendors, now);
  const contents = new SubscriptionContentsService(repository);
  const changes = new SubscriptionChangesService(repository, subscriptions, now);
  const units = new SubscriptionUnitsService(repository, subscriptions, changes, contents, vendors, offers, now);
  const settlements = new SettlementOrderService(
    orders,
    records,
    orderItems,
    subscriptions,
    contents,
    changes,
    vendors,
    customers,
    offers,
    now,
  );
  const renewalOrders = new RenewalOrderService(
    orders,
    records,
    orderItems,
    contents,
    renewals,
    vendors,
    customers,
    offers,
    now,
  );
  return {
    subscriptions,
    subscriptionRenewals: renewals,
    subscriptionUnits: units,
    subscriptionIntervals: new SubscriptionIntervalService(subscriptions, changes, contents, vendors, offers),
    subscriptionOrders: new SubscriptionOrderService(orders, offers, births, renewals, settlements),
    renewalOrders,
    subscriptionPreviews: new SubscriptionPreviewService(subscriptions, renewalOrders),
    settlementOrders: settlements,
    subscriptionEnding: new SubscriptionEndingService(subscriptions, moves, renewalOrders, now),
    subscriptionChanges: new SubscriptionChangeService(
      orders,
      subscriptions,
      changes,
      contents,
      units,
      settlements,
      vendors,
      offers,
      now,
    ),
  };
}

/** The services that keep payments and refunds, and bill by themselves. */
function paymentsOn(
  handle: Handle,
  { orders, payments, ledger, gatewayAccounts: accounts, covers }: ReturnType<typeof repositoriesOn>,
  parts: PaymentParts,
  vault: Vault,
  now: Date,
) {
  const { orderItems, reckonings, invoices, subscriptionOrders, events, stock } = parts;
  const gatewayAccounts = new GatewayAccountService(accounts, vault, now);
  const storedMethods = new StoredMethodService(payments, vault, now);
  const paidOrders = new OrderPaymentService(orders, orderItems, stock, now);
  const refundRows = new RefundRepository(handle);
  const refunds = new RefundService(
    refundRows,
    payments,
    ledger,
    paidOrders,
    orderItems,
    parts.subscriptionEnding,
    events,
    now,
  );
  return {
    renewals: new RenewalService(new RenewalRepository(handle), parts.subscriptionRenewals, parts.renewalOrders, now),
    renewalCovers: new RenewalCoverService(
      covers,
      new RenewalCoverRepository(handle),
      parts.course,
      parts.subscriptionRenewals,
      paidOrders,
      events,
      now,
    ),
    gatewayAccounts,
    storedMethods,
    paidOrders,
    refunds,
    payments: new PaymentService(
      payments,
      ledger,
      gatewayAccounts,
      storedMethods,
      paidOrders,
      reckonings,
      orderItems,
      invoices,
      subscriptionOrders,
      refunds,
      events,
      now,
    ),
  };
}

/** What payments and renewals do to orders, invoices and subscriptions. */
interface PaymentParts extends Pick<
  ReturnType<typeof subscriptionsOn>,
  "subscriptionOrders" | "subscriptionRenewals" | "subscriptionEnding" | "renewalOrders"
> {
  orderItems: OrderItemService;
  reckonings: OrderReckoningService;
  invoices: InvoiceService;
  events: EventService;
  stock: StockService;
  course: CoverCourseService;
}

/** Every service, on one transaction and at one instant. Without a vault no secret can be stored. */
export function servicesOn(handle: Handle, now: Date, vault = new Vault([])) {
  const repositories = repositoriesOn(handle);
  const {
    coverCustomers,
    coverProducts,
    coverPrices,
    coverOrders,
    coverSubscriptions,
    covers,
    timeline,
    recoveryPolicies,
  } = repositories;
  const events = new EventService(repositories.events, now);
  const vendors = new VendorService(repositories.vendors, now);
  const customers = new CustomerService(repositories.customers, events, now);
  const offers = new OfferService(repositories.offers, now);
  const stock = new StockService(repositories.offers);
  const subscriptions = new SubscriptionService(repositories.subscriptions, vendors, events, now);
  const orderItems = new OrderItemService(repositories.orders, stock, events, now);
  const records = new OrderRecordService(repositories.orders, customers, stock, events, now);
  const orders = new OrderService(repositories.orders, vendors, customers, offers, records, subscriptions);
  const telling = new TimelineService(timeline, now);
  const decisions = new CoverDecisionService(covers, recoveryPolicies, now);
  const counts = new RecoveryCountService(repositories.recoveryCounts, covers, now);
  const course = new CoverCourseService(covers, decisions, counts, now);
  const recovery = new CoverService(covers, coverOrders, coverSubscriptions, coverCustomers, telling, course, now);
  const apiKeys = new ApiKeyService(new ApiKeyRepository(handle), now);
  const reckonings = new OrderReckoningService(repositories.orders, vendors, offers, stock, now);
  const invoices = new InvoiceService(repositories.invoices, vendors, customers, offers, orders, events, now);
  const lower = { subscriptions, records, orderItems, vendors, customers, offers, events };
  const ofSubscriptions = subscriptionsOn(repositories, lower, now);
  return {
    vendors,
    vendorSettings: new VendorSettingsService(repositories.vendorSettings, repositories.vendors, vault, now),
    childVendors: new ChildVendorService(repositories.childVendors, repositories.vendorSettings, vendors, apiKeys, now),
    customers,
    orders,
    ...ofSubscriptions,
    ...catalogOn(handle, repositories, stock, vendors, now),
    orderItems,
    invoices,
    reckonings,
    ...paymentsOn(
      handle,
      repositories,
      { orderItems, reckonings, invoices, events, stock, course, ...ofSubscriptions },
      vault,
      now,
    ),
    coverCustomers: new CoverCustomerService(coverCustomers, now),
    coverProducts: new CoverProductService(coverProducts, now),
    coverPrices: new CoverPriceService(coverPrices, now),
    coverOrders: new CoverOrderService(
      coverOrders,
      coverCustomers,
      coverPrices,
      coverSubscriptions,
      covers,
      recovery,
      telling,
      now,
    ),
    orderMoves: new CoverOrderMovesService(coverOrders, recovery, telling, now),
    coverSubscriptions: new CoverSubscriptionService(coverSubscriptions, coverOrders, covers, recovery, telling, now),
    covers: recovery,
    recoveryPolicies: new RecoveryPolicyService(recoveryPolicies, now),
  };
}
export type Services = ReturnType<typeof servicesOn>;

/** Makes the contexts of a gateway's requests. */
export interface Contexts {
  /** The context of a request in which each write is a transaction of its own; only such a request can move money. */
  of(vendor: VendorRecord, traceId: string, requestKey?: string): GatewayContext;
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
    of: (vendor, traceId, requestKey) => {
      const context = contextOn(database.transaction, onPool, tools, vendor, traceId);
      let done = false;
      const cashier = new CashierService(
        context.write,
        tools.gateways,
        () => context.clock.now(),
        () => (done = true),
      );
      const biller = new BillerService(context.write, cashier, vendor, () => context.clock.now());
      return { ...context, requestKey, cashier, biller, moneyMoved: () => done };
    },
    whole: (vendor, traceId, work) =>
      database.transaction((handle) => {
        const within: Transact = (inner) => handle.transaction((savepoint) => inner(savepoint as unknown as Handle));
        const context = contextOn(within, repositoriesOn(handle), tools, vendor, traceId);
        return work(
          context,
          new IdempotencyService(new IdempotencyRepository(handle), tools.vault, context.clock.now()),
        );
      }),
  };
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
    requestKey: undefined,
    moneyMoved: () => false,
    read,
    loaders,
    checkoutLinks: () => new CheckoutLinkService(read.checkouts, vault, address, clock.now()),
    write: async (work) => {
      try {
        const done = await transact((handle) => work(servicesOn(handle, clock.now(), vault)));
        writes++;
        return done;
      } catch (error) {
        throw refusalOf(error) ?? error;
      } finally {
        loaders.clear();
      }
    },
    reckon: (work) => transact((handle) => work(servicesOn(handle, clock.now(), vault))),
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
