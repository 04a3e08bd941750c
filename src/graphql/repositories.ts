import type { Handle } from "../database/client.ts";
import { BusinessCountRepository } from "../events/business-count.repository.ts";
import { EventRepository } from "../events/event.repository.ts";
import { CheckoutRepository } from "../checkout/checkout.repository.ts";
import { CustomerRepository } from "../customers/customer.repository.ts";
import { InvoiceRepository } from "../invoices/invoice.repository.ts";
import { GatewayAccountRepository } from "../payments/gateways/gateway-account.repository.ts";
import { LedgerRepository } from "../payments/ledger/ledger.repository.ts";
import { PaymentRepository } from "../payments/payment.repository.ts";
import { OfferRepository } from "../products/offer.repository.ts";
import { OrderRepository } from "../orders/order.repository.ts";
import { SubscriptionOrderRepository } from "../subscriptions/subscription-order.repository.ts";
import { PricePlanRepository } from "../products/price-plans/price-plan.repository.ts";
import { ProductRepository } from "../products/product.repository.ts";
import { ProductSubmissionRepository } from "../products/product-submission.repository.ts";
import { SubscriptionRepository } from "../subscriptions/subscription.repository.ts";
import { CoverCustomerRepository } from "../recovery/registry/cover-customer.repository.ts";
import { CoverOrderRepository } from "../recovery/registry/cover-order.repository.ts";
import { CoverPriceRepository } from "../recovery/registry/cover-price.repository.ts";
import { CoverProductRepository } from "../recovery/registry/cover-product.repository.ts";
import { CoverRepository } from "../recovery/covers/cover.repository.ts";
import { CoverSubscriptionRepository } from "../recovery/registry/cover-subscription.repository.ts";
import { RecoveryCountRepository } from "../recovery/analytics/recovery-count.repository.ts";
import { RecoveryPolicyRepository } from "../recovery/policies/recovery-policy.repository.ts";
import { CoverTimelineRepository } from "../recovery/covers/cover-timeline.repository.ts";
import { ChildVendorRepository } from "../vendors/child-vendor.repository.ts";
import { VendorSettingsRepository } from "../vendors/vendor-settings.repository.ts";
import { VendorRepository } from "../vendors/vendor.repository.ts";

/** Every repository, on the pool or on an open transaction. */
export function createRepositories(handle: Handle) {
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
    subscriptionOrders: new SubscriptionOrderRepository(handle),
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
    timeline: new CoverTimelineRepository(handle),
    recoveryPolicies: new RecoveryPolicyRepository(handle),
    businessCounts: new BusinessCountRepository(handle),
    recoveryCounts: new RecoveryCountRepository(handle),
  };
}
export type Repositories = ReturnType<typeof createRepositories>;
