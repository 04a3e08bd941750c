import type { Handle } from "../database/client.ts";
import { EventService } from "../events/event.service.ts";
import { CustomerService } from "../customers/customer.service.ts";
import { InvoiceService } from "../invoices/invoice.service.ts";
import { CardTryRepository } from "../payments/card-attempt.repository.ts";
import { CardTryService } from "../payments/card-attempt.service.ts";
import { GatewayAccountService } from "../payments/gateways/gateway-account.service.ts";
import { PaymentClaimService } from "../payments/payment-claim.service.ts";
import { PaymentService } from "../payments/payment.service.ts";
import { RefundRepository } from "../payments/refunds/refund.repository.ts";
import { RefundService } from "../payments/refunds/refund.service.ts";
import { RestoreRepository } from "../payments/restores/backup-restore.repository.ts";
import { RestoreService } from "../payments/restores/backup-restore.service.ts";
import { StoredMethodService } from "../payments/stored-method.service.ts";
import { OrderPaymentService } from "../orders/order-payment.service.ts";
import { OrderItemService } from "../orders/order-item.service.ts";
import { OrderReckoningService } from "../orders/pricing/order-pricing.service.ts";
import { OrderRightsRepository } from "../orders/order-eligibility.repository.ts";
import { OrderRightsService } from "../orders/order-eligibility.service.ts";
import { ChildOrderService } from "../orders/child-order.service.ts";
import { OrderRecordService } from "../orders/order-writer.service.ts";
import { OrderService } from "../orders/order.service.ts";
import { CatalogService } from "../products/catalog.service.ts";
import { OfferService } from "../products/offer.service.ts";
import { StockService } from "../products/stock.service.ts";
import { SubscriptionOrderService } from "../subscriptions/subscription-payment.service.ts";
import { UpcomingChargeService } from "../subscriptions/renewal-orders/upcoming-charge.service.ts";
import { RenewalOrderService } from "../subscriptions/renewal-orders/renewal-order.service.ts";
import { SubscriptionCaseService } from "../subscriptions/changes/change-context.service.ts";
import { SubscriptionChangePreviewService } from "../subscriptions/changes/change-preview.service.ts";
import { SubscriptionPlanChangeService } from "../subscriptions/changes/plan-change.service.ts";
import { SubscriptionPreviewService } from "../subscriptions/renewal-orders/charge-preview.service.ts";
import { SettlementOrderService } from "../subscriptions/renewal-orders/proration-order.service.ts";
import { SubscriptionAdditionService } from "../subscriptions/changes/item-addition.service.ts";
import { SubscriptionChangeService } from "../subscriptions/changes/item-change.service.ts";
import { SubscriptionEndingService } from "../subscriptions/changes/subscription-stop.service.ts";
import { SubscriptionChangesService } from "../subscriptions/changes/subscription-item-writer.service.ts";
import { SubscriptionIntervalService } from "../subscriptions/changes/subscription-interval.service.ts";
import { SubscriptionUnitsService } from "../subscriptions/subscription-units.service.ts";
import { SubscriptionContentsService } from "../subscriptions/subscription-item-reader.service.ts";
import { SubscriptionBirthService } from "../subscriptions/subscription-activation.service.ts";
import { SubscriptionMovesService } from "../subscriptions/subscription-transitions.service.ts";
import { SubscriptionQuotasService } from "../subscriptions/subscription-quotas.service.ts";
import { SubscriptionRenewalsService } from "../subscriptions/subscription-renewals.service.ts";
import { SubscriptionService } from "../subscriptions/subscription.service.ts";
import { PricePlanService } from "../products/price-plans/price-plan.service.ts";
import { PriceWriteRepository } from "../products/price-plans/price-write.repository.ts";
import { ProductApprovalService } from "../products/product-approval.service.ts";
import { ProductOptionsRepository } from "../products/product-options.repository.ts";
import { ProductOptionsService } from "../products/product-options.service.ts";
import { ProductPlacesRepository } from "../products/product-relations.repository.ts";
import { CoverCourseService } from "../recovery/covers/cover-lifecycle.service.ts";
import { CoverCustomerService } from "../recovery/registry/cover-customer.service.ts";
import { CoverDecisionService } from "../recovery/decisions/cover-decision.service.ts";
import { CoverOrderMovesService } from "../recovery/registry/cover-order-transitions.service.ts";
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
import { TimelineService } from "../recovery/covers/cover-timeline.service.ts";
import { IdempotencyRepository } from "../idempotency/idempotency.repository.ts";
import { IdempotencyService } from "../idempotency/idempotency.service.ts";
import { Vault } from "../kernel/secret-vault.ts";
import { ChildVendorService } from "../vendors/child-vendor.service.ts";
import { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import { ApiKeyService } from "../vendors/api-key.service.ts";
import { VendorSettingsService } from "../vendors/vendor-settings.service.ts";
import { VendorService } from "../vendors/vendor.service.ts";
import { repositoriesOn, type Repositories } from "./repositories.ts";

/** The services that keep products and price plans. */
function catalogOn(
  handle: Handle,
  { products, offers, productSubmissions }: Repositories,
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
  { subscriptions: repository, subscriptionOrders }: Repositories,
  lower: {
    subscriptions: SubscriptionService;
    records: OrderRecordService;
    rights: OrderRightsService;
    childOrders: ChildOrderService;
    orderItems: OrderItemService;
    vendors: VendorService;
    customers: CustomerService;
    offers: OfferService;
    events: EventService;
  },
  now: Date,
) {
  const { subscriptions, records, rights, childOrders, orderItems, vendors, customers, offers, events } = lower;
  const births = new SubscriptionBirthService(repository, vendors, events, now);
  const quotas = new SubscriptionQuotasService(repository, offers, now);
  const renewals = new SubscriptionRenewalsService(repository, subscriptions, vendors, quotas, offers, now);
  const moves = new SubscriptionMovesService(repository, subscriptions, vendors, quotas, now);
  const contents = new SubscriptionContentsService(repository);
  const changes = new SubscriptionChangesService(repository, subscriptions, now);
  const units = new SubscriptionUnitsService(repository, subscriptions, changes, contents, vendors, offers, now);
  const settlements = new SettlementOrderService(
    subscriptionOrders,
    records,
    childOrders,
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
    subscriptionOrders,
    records,
    childOrders,
    orderItems,
    contents,
    renewals,
    vendors,
    customers,
    offers,
    now,
  );
  const cases = new SubscriptionCaseService(subscriptionOrders, changes, contents, settlements, vendors, offers, now);
  const subscriptionChanges = new SubscriptionChangeService(
    cases,
    changes,
    new SubscriptionAdditionService(subscriptionOrders, rights, changes, offers),
    units,
    now,
  );
  const planChanges = new SubscriptionPlanChangeService(cases, subscriptionOrders, changes, orderItems, offers, now);
  const intervals = new SubscriptionIntervalService(subscriptions, changes, contents, vendors, offers);
  const previews = new SubscriptionPreviewService(subscriptions, renewalOrders);
  const ofOrders = new SubscriptionOrderService(records, subscriptionOrders, offers, births, renewals, settlements);
  return {
    subscriptions,
    subscriptionRenewals: renewals,
    subscriptionUnits: units,
    subscriptionIntervals: intervals,
    subscriptionPlanChanges: planChanges,
    subscriptionOrders: ofOrders,
    upcomingCharges: new UpcomingChargeService(records, ofOrders, vendors, now),
    renewalOrders,
    subscriptionPreviews: previews,
    changePreviews: new SubscriptionChangePreviewService(
      records,
      subscriptions,
      contents,
      subscriptionChanges,
      planChanges,
      intervals,
      settlements,
      previews,
    ),
    settlementOrders: settlements,
    subscriptionEnding: new SubscriptionEndingService(
      subscriptionOrders,
      orderItems,
      subscriptions,
      moves,
      renewalOrders,
      now,
    ),
    subscriptionChanges,
  };
}

/** The services that keep payments and refunds, and bill by themselves. */
function paymentsOn(
  handle: Handle,
  { orders, payments, ledger, gatewayAccounts: accounts, covers }: Repositories,
  parts: PaymentParts,
  vault: Vault,
  now: Date,
  realNow: Date,
) {
  const { orderItems, childOrders, reckonings, rights, invoices, subscriptionOrders, events, stock } = parts;
  const gatewayAccounts = new GatewayAccountService(accounts, vault, now);
  const storedMethods = new StoredMethodService(payments, vault, now);
  const cards = new CardTryService(new CardTryRepository(handle), now);
  const paidOrders = new OrderPaymentService(orders, orderItems, childOrders, stock, rights, now);
  const restores = new RestoreService(new RestoreRepository(handle), realNow);
  const refundRows = new RefundRepository(handle);
  const refunds = new RefundService(
    refundRows,
    payments,
    ledger,
    paidOrders,
    orderItems,
    childOrders,
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
      parts.subscriptionEnding,
      paidOrders,
      cards,
      events,
      now,
    ),
    gatewayAccounts,
    storedMethods,
    paidOrders,
    restores,
    refunds,
    paymentClaims: new PaymentClaimService(
      payments,
      gatewayAccounts,
      storedMethods,
      cards,
      paidOrders,
      reckonings,
      rights,
      restores,
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
  childOrders: ChildOrderService;
  reckonings: OrderReckoningService;
  rights: OrderRightsService;
  invoices: InvoiceService;
  events: EventService;
  stock: StockService;
  course: CoverCourseService;
}

/**
 * Every service, on one transaction and at one instant. Without a vault no secret can be stored. `realNow` differs from
 * `now` in a sandbox whose clock was moved.
 */
export function servicesOn(handle: Handle, now: Date, vault = new Vault([]), realNow = now) {
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
  const vendors = new VendorService(repositories.vendors, now, realNow);
  const customers = new CustomerService(repositories.customers, events, now);
  const offers = new OfferService(repositories.offers, now);
  const stock = new StockService(repositories.offers);
  const subscriptions = new SubscriptionService(repositories.subscriptions, vendors, events, now);
  const orderItems = new OrderItemService(repositories.orders, stock, vendors, events, now);
  const records = new OrderRecordService(repositories.orders, customers, stock, events, now);
  const childOrders = new ChildOrderService(repositories.orders, orderItems, records, vendors, customers, offers);
  const rights = new OrderRightsService(repositories.orders, new OrderRightsRepository(handle));
  const orders = new OrderService(repositories.orders, vendors, customers, offers, records, childOrders, rights);
  const telling = new TimelineService(timeline, now);
  const decisions = new CoverDecisionService(covers, recoveryPolicies, now);
  const counts = new RecoveryCountService(repositories.recoveryCounts, covers, now);
  const course = new CoverCourseService(covers, decisions, counts, now);
  const recovery = new CoverService(covers, coverOrders, coverSubscriptions, coverCustomers, telling, course, now);
  const apiKeys = new ApiKeyService(new ApiKeyRepository(handle), now);
  const reckonings = new OrderReckoningService(repositories.orders, vendors, offers, stock, rights, now);
  const invoices = new InvoiceService(repositories.invoices, vendors, customers, offers, orders, events, now);
  const lower = { subscriptions, records, rights, childOrders, orderItems, vendors, customers, offers, events };
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
      { orderItems, childOrders, reckonings, rights, invoices, events, stock, course, ...ofSubscriptions },
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
      recovery,
      telling,
      now,
    ),
    orderMoves: new CoverOrderMovesService(coverOrders, recovery, telling, now),
    coverSubscriptions: new CoverSubscriptionService(coverSubscriptions, coverOrders, covers, recovery, telling, now),
    covers: recovery,
    coverCourse: course,
    recoveryPolicies: new RecoveryPolicyService(recoveryPolicies, now),
    keyedRequests: new IdempotencyService(new IdempotencyRepository(handle), vault, realNow),
  };
}
export type Services = ReturnType<typeof servicesOn>;
