import type { Handle } from "../database/client.ts";
import { EventService } from "../events/event.service.ts";
import { CustomerService } from "../customers/customer.service.ts";
import { InvoiceService } from "../invoices/invoice.service.ts";
import { CardAttemptRepository } from "../payments/card-attempt.repository.ts";
import { CardAttemptService } from "../payments/card-attempt.service.ts";
import { GatewayAccountService } from "../payments/gateways/gateway-account.service.ts";
import { PaymentClaimService } from "../payments/payment-claim.service.ts";
import { PaymentService } from "../payments/payment.service.ts";
import { RefundRepository } from "../payments/refunds/refund.repository.ts";
import { RefundService } from "../payments/refunds/refund.service.ts";
import { BackupRestoreRepository } from "../payments/restores/backup-restore.repository.ts";
import { BackupRestoreService } from "../payments/restores/backup-restore.service.ts";
import { StoredMethodService } from "../payments/stored-method.service.ts";
import { OrderPaymentService } from "../orders/order-payment.service.ts";
import { OrderItemService } from "../orders/order-item.service.ts";
import { OrderPricingService } from "../orders/pricing/order-pricing.service.ts";
import { OrderEligibilityRepository } from "../orders/order-eligibility.repository.ts";
import { OrderEligibilityService } from "../orders/order-eligibility.service.ts";
import { ChildOrderService } from "../orders/child-order.service.ts";
import { OrderWriterService } from "../orders/order-writer.service.ts";
import { OrderService } from "../orders/order.service.ts";
import { CatalogService } from "../products/catalog.service.ts";
import { OfferService } from "../products/offer.service.ts";
import { StockService } from "../products/stock.service.ts";
import { SubscriptionPaymentService } from "../subscriptions/subscription-payment.service.ts";
import { UpcomingChargeService } from "../subscriptions/renewal-orders/upcoming-charge.service.ts";
import { RenewalClaimService } from "../subscriptions/renewal-orders/renewal-claim.service.ts";
import { RenewalOrderService } from "../subscriptions/renewal-orders/renewal-order.service.ts";
import { ChangeContextService } from "../subscriptions/changes/change-context.service.ts";
import { SubscriptionChangePreviewService } from "../subscriptions/changes/change-preview.service.ts";
import { SubscriptionPlanChangeService } from "../subscriptions/changes/plan-change.service.ts";
import { SubscriptionChargePreviewService } from "../subscriptions/renewal-orders/charge-preview.service.ts";
import { ProrationOrderService } from "../subscriptions/renewal-orders/proration-order.service.ts";
import { SubscriptionItemAdditionService } from "../subscriptions/changes/item-addition.service.ts";
import { SubscriptionItemChangeService } from "../subscriptions/changes/item-change.service.ts";
import { SubscriptionStopService } from "../subscriptions/changes/subscription-stop.service.ts";
import { SubscriptionItemWriterService } from "../subscriptions/changes/subscription-item-writer.service.ts";
import { SubscriptionIntervalService } from "../subscriptions/changes/subscription-interval.service.ts";
import { SubscriptionUnitsService } from "../subscriptions/subscription-units.service.ts";
import { SubscriptionItemReaderService } from "../subscriptions/subscription-item-reader.service.ts";
import { SubscriptionActivationService } from "../subscriptions/subscription-activation.service.ts";
import { SubscriptionTransitionsService } from "../subscriptions/subscription-transitions.service.ts";
import { SubscriptionQuotasService } from "../subscriptions/subscription-quotas.service.ts";
import { SubscriptionRenewalsService } from "../subscriptions/subscription-renewals.service.ts";
import { SubscriptionService } from "../subscriptions/subscription.service.ts";
import { PricePlanService } from "../products/price-plans/price-plan.service.ts";
import { PriceWriteRepository } from "../products/price-plans/price-write.repository.ts";
import { ProductApprovalService } from "../products/product-approval.service.ts";
import { ProductOptionsRepository } from "../products/product-options.repository.ts";
import { ProductOptionsService } from "../products/product-options.service.ts";
import { ProductRelationsRepository } from "../products/product-relations.repository.ts";
import { CoverLifecycleService } from "../recovery/covers/cover-lifecycle.service.ts";
import { CoverCustomerService } from "../recovery/registry/cover-customer.service.ts";
import { CoverDecisionService } from "../recovery/decisions/cover-decision.service.ts";
import { CoverOrderTransitionsService } from "../recovery/registry/cover-order-transitions.service.ts";
import { CoverOrderService } from "../recovery/registry/cover-order.service.ts";
import { CoverPriceService } from "../recovery/registry/cover-price.service.ts";
import { CoverProductService } from "../recovery/registry/cover-product.service.ts";
import { CoverService } from "../recovery/covers/cover.service.ts";
import { CoverSubscriptionService } from "../recovery/registry/cover-subscription.service.ts";
import { RecoveryCountService } from "../recovery/analytics/recovery-count.service.ts";
import { RecoveryPolicyService } from "../recovery/policies/recovery-policy.service.ts";
import { RenewalCoverRepository } from "../recovery/renewal-covers/renewal-cover.repository.ts";
import { RenewalCoverService } from "../recovery/renewal-covers/renewal-cover.service.ts";
import { RenewalRepository } from "../renewals/renewal.repository.ts";
import { RenewalService } from "../renewals/renewal.service.ts";
import { CoverTimelineService } from "../recovery/covers/cover-timeline.service.ts";
import { IdempotencyRepository } from "../idempotency/idempotency.repository.ts";
import { IdempotencyService } from "../idempotency/idempotency.service.ts";
import { SecretVault } from "../kernel/secret-vault.ts";
import { ChildVendorService } from "../vendors/child-vendor.service.ts";
import { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import { ApiKeyService } from "../vendors/api-key.service.ts";
import { VendorSettingsService } from "../vendors/vendor-settings.service.ts";
import { VendorService } from "../vendors/vendor.service.ts";
import { createRepositories, type Repositories } from "./repositories.ts";

/** The services for products and price plans. */
function createCatalogServices(
  handle: Handle,
  { products, offers, productSubmissions }: Repositories,
  stock: StockService,
  vendors: VendorService,
  now: Date,
) {
  const options = new ProductOptionsRepository(handle);
  const productPlaces = new ProductRelationsRepository(handle);
  const plans = new PriceWriteRepository(handle);
  const catalog = new CatalogService(products, productPlaces, new ProductOptionsService(options, offers), stock, now);
  return {
    catalog,
    pricePlans: new PricePlanService(plans, offers, productPlaces, catalog, now),
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
function createSubscriptionServices(
  { subscriptions: repository, subscriptionOrders }: Repositories,
  dependencies: {
    subscriptions: SubscriptionService;
    records: OrderWriterService;
    rights: OrderEligibilityService;
    childOrders: ChildOrderService;
    orderItems: OrderItemService;
    vendors: VendorService;
    customers: CustomerService;
    offers: OfferService;
    events: EventService;
  },
  now: Date,
) {
  const {
    subscriptions,
    records: orderWriter,
    rights,
    childOrders,
    orderItems,
    vendors,
    customers,
    offers,
    events,
  } = dependencies;
  const activations = new SubscriptionActivationService(repository, vendors, events, now);
  const quotas = new SubscriptionQuotasService(repository, offers, now);
  const renewals = new SubscriptionRenewalsService(repository, subscriptions, vendors, quotas, offers, now);
  const transitions = new SubscriptionTransitionsService(repository, subscriptions, vendors, quotas, now);
  const itemReader = new SubscriptionItemReaderService(repository);
  const itemWriter = new SubscriptionItemWriterService(repository, subscriptions, now);
  const units = new SubscriptionUnitsService(repository, subscriptions, itemWriter, itemReader, vendors, offers, now);
  const prorationOrders = new ProrationOrderService(
    subscriptionOrders,
    orderWriter,
    childOrders,
    orderItems,
    subscriptions,
    itemReader,
    itemWriter,
    vendors,
    customers,
    offers,
    now,
  );
  const renewalOrders = new RenewalOrderService(
    subscriptionOrders,
    orderWriter,
    childOrders,
    orderItems,
    itemReader,
    renewals,
    vendors,
    customers,
    offers,
    now,
  );
  const changeContexts = new ChangeContextService(
    subscriptionOrders,
    itemWriter,
    itemReader,
    prorationOrders,
    vendors,
    offers,
    now,
  );
  const subscriptionChanges = new SubscriptionItemChangeService(
    changeContexts,
    itemWriter,
    new SubscriptionItemAdditionService(subscriptionOrders, rights, itemWriter, offers),
    units,
    now,
  );
  const planChanges = new SubscriptionPlanChangeService(
    changeContexts,
    subscriptionOrders,
    itemWriter,
    orderItems,
    offers,
    now,
  );
  const intervals = new SubscriptionIntervalService(subscriptions, itemWriter, itemReader, vendors, offers);
  const previews = new SubscriptionChargePreviewService(subscriptions, renewalOrders);
  const subscriptionPayments = new SubscriptionPaymentService(
    orderWriter,
    subscriptionOrders,
    offers,
    activations,
    renewals,
    prorationOrders,
  );
  return {
    subscriptions,
    subscriptionRenewals: renewals,
    subscriptionUnits: units,
    subscriptionIntervals: intervals,
    subscriptionPlanChanges: planChanges,
    subscriptionPayments: subscriptionPayments,
    upcomingCharges: new UpcomingChargeService(orderWriter, subscriptionPayments, vendors, now),
    renewalOrders,
    renewalClaims: new RenewalClaimService(subscriptionOrders, renewals, renewalOrders, now),
    subscriptionPreviews: previews,
    changePreviews: new SubscriptionChangePreviewService(
      orderWriter,
      subscriptions,
      itemReader,
      subscriptionChanges,
      planChanges,
      intervals,
      prorationOrders,
      previews,
    ),
    prorationOrders: prorationOrders,
    subscriptionStop: new SubscriptionStopService(
      subscriptionOrders,
      orderItems,
      subscriptions,
      transitions,
      renewalOrders,
      now,
    ),
    subscriptionItemChanges: subscriptionChanges,
  };
}

/** The services for payments, refunds and unattended billing. */
function createPaymentServices(
  handle: Handle,
  { orders, payments, ledger, gatewayAccounts: accounts, covers }: Repositories,
  dependencies: PaymentDependencies,
  vault: SecretVault,
  now: Date,
  realNow: Date,
) {
  const { orderItems, childOrders, orderPricing, orderEligibility, invoices, subscriptionPayments, events, stock } =
    dependencies;
  const gatewayAccounts = new GatewayAccountService(accounts, vault, now);
  const storedMethods = new StoredMethodService(payments, vault, now);
  const cardAttempts = new CardAttemptService(new CardAttemptRepository(handle), now);
  const paidOrders = new OrderPaymentService(orders, orderItems, childOrders, stock, orderEligibility, now);
  const backupRestores = new BackupRestoreService(new BackupRestoreRepository(handle), realNow);
  const refundRows = new RefundRepository(handle);
  const refunds = new RefundService(
    refundRows,
    payments,
    ledger,
    paidOrders,
    orderItems,
    childOrders,
    dependencies.subscriptionStop,
    events,
    now,
  );
  return {
    renewals: new RenewalService(new RenewalRepository(handle), dependencies.subscriptionRenewals, now),
    renewalCovers: new RenewalCoverService(
      covers,
      new RenewalCoverRepository(handle),
      dependencies.coverLifecycle,
      dependencies.counts,
      dependencies.subscriptionRenewals,
      dependencies.subscriptionStop,
      paidOrders,
      cardAttempts,
      events,
      now,
    ),
    gatewayAccounts,
    storedMethods,
    paidOrders,
    backupRestores,
    refunds,
    paymentClaims: new PaymentClaimService(
      payments,
      gatewayAccounts,
      storedMethods,
      cardAttempts,
      paidOrders,
      orderPricing,
      orderEligibility,
      backupRestores,
      events,
      now,
    ),
    payments: new PaymentService(
      payments,
      ledger,
      storedMethods,
      paidOrders,
      orderItems,
      invoices,
      subscriptionPayments,
      refunds,
      events,
      now,
    ),
  };
}

/** The services that payments and renewals apply to orders, invoices and subscriptions. */
interface PaymentDependencies extends Pick<
  ReturnType<typeof createSubscriptionServices>,
  "subscriptionPayments" | "subscriptionRenewals" | "subscriptionStop"
> {
  orderItems: OrderItemService;
  childOrders: ChildOrderService;
  orderPricing: OrderPricingService;
  orderEligibility: OrderEligibilityService;
  invoices: InvoiceService;
  events: EventService;
  stock: StockService;
  coverLifecycle: CoverLifecycleService;
  counts: RecoveryCountService;
}

/**
 * Every service, on one transaction and at one instant. Without a vault no secret can be stored. `realNow` differs from
 * `now` in a sandbox whose clock was moved.
 */
export function createServices(handle: Handle, now: Date, vault = new SecretVault([]), realNow = now) {
  const repositories = createRepositories(handle);
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
  const vendors = new VendorService(repositories.vendors, now, realNow);
  const customers = new CustomerService(repositories.customers, events, now);
  const offers = new OfferService(repositories.offers, now);
  const stock = new StockService(repositories.offers);
  const subscriptions = new SubscriptionService(repositories.subscriptions, vendors, events, now);
  const orderItems = new OrderItemService(repositories.orders, stock, vendors, events, now);
  const orderWriter = new OrderWriterService(repositories.orders, customers, stock, events, now);
  const childOrders = new ChildOrderService(repositories.orders, orderItems, orderWriter, vendors, customers, offers);
  const orderEligibility = new OrderEligibilityService(repositories.orders, new OrderEligibilityRepository(handle));
  const orders = new OrderService(
    repositories.orders,
    vendors,
    customers,
    offers,
    orderWriter,
    childOrders,
    orderEligibility,
  );
  const coverTimeline = new CoverTimelineService(timeline, now);
  const decisions = new CoverDecisionService(covers, recoveryPolicies, now);
  const recoveryCounts = new RecoveryCountService(repositories.recoveryCounts, covers, now);
  const coverLifecycle = new CoverLifecycleService(covers, decisions, now);
  const coverService = new CoverService(
    covers,
    coverOrders,
    coverSubscriptions,
    coverCustomers,
    coverTimeline,
    coverLifecycle,
    recoveryCounts,
    now,
  );
  const apiKeys = new ApiKeyService(new ApiKeyRepository(handle), now);
  const orderPricing = new OrderPricingService(repositories.orders, vendors, offers, stock, orderEligibility, now);
  const invoices = new InvoiceService(repositories.invoices, vendors, customers, offers, orders, events, now);
  const dependencies = {
    subscriptions,
    records: orderWriter,
    rights: orderEligibility,
    childOrders,
    orderItems,
    vendors,
    customers,
    offers,
    events,
  };
  const subscriptionServices = createSubscriptionServices(repositories, dependencies, now);
  return {
    vendors,
    vendorSettings: new VendorSettingsService(repositories.vendorSettings, repositories.vendors, vault, now),
    childVendors: new ChildVendorService(repositories.childVendors, repositories.vendorSettings, vendors, apiKeys, now),
    customers,
    orders,
    ...subscriptionServices,
    ...createCatalogServices(handle, repositories, stock, vendors, now),
    orderItems,
    invoices,
    orderPricing,
    ...createPaymentServices(
      handle,
      repositories,
      {
        orderItems,
        childOrders,
        orderPricing,
        orderEligibility,
        invoices,
        events,
        stock,
        coverLifecycle,
        counts: recoveryCounts,
        ...subscriptionServices,
      },
      vault,
      now,
      realNow,
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
      coverService,
      coverTimeline,
      now,
    ),
    coverOrderTransitions: new CoverOrderTransitionsService(coverOrders, coverService, coverTimeline, now),
    coverSubscriptions: new CoverSubscriptionService(
      coverSubscriptions,
      coverOrders,
      covers,
      coverService,
      coverTimeline,
      now,
    ),
    covers: coverService,
    coverLifecycle: coverLifecycle,
    recoveryCounts,
    recoveryPolicies: new RecoveryPolicyService(recoveryPolicies, now),
    idempotency: new IdempotencyService(new IdempotencyRepository(handle), vault, realNow),
  };
}
export type Services = ReturnType<typeof createServices>;
