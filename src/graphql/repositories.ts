import type { Handle } from "../database/client.ts";
import { BusinessCountRepository } from "../events/business-count.repository.ts";
import { EventFeedRepository } from "../events/event-feed.repository.ts";
import { EventRepository } from "../events/event.repository.ts";
import { CheckoutRepository } from "../checkout/checkout.repository.ts";
import { PaymentMethodPageRepository } from "../checkout/payment-method/payment-method-page.repository.ts";
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
import { RecoveryModelRepository } from "../recovery/models/recovery-model.repository.ts";
import { RecoveryTrainingRepository } from "../recovery/models/recovery-training.repository.ts";
import { RecordedCaseRepository } from "../recovery/models/recorded-case.repository.ts";
import { ModelTrustRepository } from "../recovery/model-trust/model-trust.repository.ts";
import { MessageArmRepository } from "../recovery/message-arms/message-arm.repository.ts";
import { ExperimentCountRepository } from "../recovery/experiments/experiment-count.repository.ts";
import { RecoveryExperimentRepository } from "../recovery/experiments/recovery-experiment.repository.ts";
import { RecoveryPoolingRepository } from "../recovery/pooling/recovery-pooling.repository.ts";
import { RecoveryPolicyRepository } from "../recovery/policies/recovery-policy.repository.ts";
import { CoverTimelineRepository } from "../recovery/covers/cover-timeline.repository.ts";
import { ApiKeyRepository } from "../vendors/keys/api-key.repository.ts";
import { PasswordLinkRepository } from "../vendors/people/password-link.repository.ts";
import { SecondFactorRepository } from "../vendors/people/second-factor.repository.ts";
import { PersonRepository } from "../vendors/people/person.repository.ts";
import { ChildVendorRepository } from "../vendors/child-vendor.repository.ts";
import { VendorSettingsRepository } from "../vendors/vendor-settings.repository.ts";
import { MessageSettingsRepository } from "../notifications/settings/message-settings.repository.ts";
import { MessageRepository } from "../notifications/message.repository.ts";
import { PersonalDataRepository } from "../privacy/personal-data.repository.ts";
import { VendorRepository } from "../vendors/vendor.repository.ts";
import { WebhookDeliveryRepository } from "../webhooks/webhook-delivery.repository.ts";
import { WebhookEndpointRepository } from "../webhooks/webhook-endpoint.repository.ts";
import { defineLazyMembers, type InstancesOf } from "../kernel/scheduling/lazy.ts";

const repositories = {
  events: EventRepository,
  eventFeed: EventFeedRepository,
  vendors: VendorRepository,
  apiKeys: ApiKeyRepository,
  people: PersonRepository,
  passwordLinks: PasswordLinkRepository,
  secondFactors: SecondFactorRepository,
  vendorSettings: VendorSettingsRepository,
  childVendors: ChildVendorRepository,
  customers: CustomerRepository,
  products: ProductRepository,
  productSubmissions: ProductSubmissionRepository,
  pricePlans: PricePlanRepository,
  offers: OfferRepository,
  invoices: InvoiceRepository,
  subscriptions: SubscriptionRepository,
  orders: OrderRepository,
  subscriptionOrders: SubscriptionOrderRepository,
  checkouts: CheckoutRepository,
  paymentMethodPages: PaymentMethodPageRepository,
  payments: PaymentRepository,
  ledger: LedgerRepository,
  gatewayAccounts: GatewayAccountRepository,
  coverCustomers: CoverCustomerRepository,
  coverProducts: CoverProductRepository,
  coverPrices: CoverPriceRepository,
  coverOrders: CoverOrderRepository,
  coverSubscriptions: CoverSubscriptionRepository,
  covers: CoverRepository,
  timeline: CoverTimelineRepository,
  recoveryPolicies: RecoveryPolicyRepository,
  modelTrust: ModelTrustRepository,
  recordedCases: RecordedCaseRepository,
  recoveryModels: RecoveryModelRepository,
  recoveryExperiments: RecoveryExperimentRepository,
  experimentCounts: ExperimentCountRepository,
  messageArms: MessageArmRepository,
  recoveryTrainings: RecoveryTrainingRepository,
  recoveryPoolings: RecoveryPoolingRepository,
  businessCounts: BusinessCountRepository,
  recoveryCounts: RecoveryCountRepository,
  webhookEndpoints: WebhookEndpointRepository,
  webhookDeliveries: WebhookDeliveryRepository,
  messages: MessageRepository,
  messageSettings: MessageSettingsRepository,
  personalData: PersonalDataRepository,
};

/** The repositories that requests read from, by their names. */
export type Repositories = InstancesOf<typeof repositories>;

class Reading {
  constructor(readonly handle: Handle) {}
}
defineLazyMembers<Reading, Handle>(Reading.prototype, repositories, ({ handle }) => handle);

/** The repositories on the pool or on an open transaction. Each is constructed when it is first read. */
export const createRepositories = (handle: Handle): Repositories => new Reading(handle) as Reading & Repositories;
