import "reflect-metadata";
import type { GraphQLSchema } from "graphql";
import { buildSchemaSync } from "type-graphql";
import { CheckoutLinkResolver } from "../checkout/checkout-link.resolver.ts";
import { PaymentMethodLinkResolver } from "../checkout/payment-method/payment-method-link.resolver.ts";
import { CustomerResolver } from "../customers/customer.resolver.ts";
import { RegionResolver } from "../customers/region.resolver.ts";
import { InvoiceResolver } from "../invoices/invoice.resolver.ts";
import { OrderItemResolver } from "../orders/order-item.resolver.ts";
import { OrderWriteResolver } from "../orders/order-write.resolver.ts";
import { CustomerOrdersResolver, OrderResolver, SubscriptionOrdersResolver } from "../orders/order.resolver.ts";
import {
  PricePlanResolver,
  PriceRangeResolver,
  PriceVolumeResolver,
} from "../products/price-plans/price-plan.resolver.ts";
import { PricePlanWriteResolver } from "../products/price-plans/price-plan-write.resolver.ts";
import { ProductResolver } from "../products/product.resolver.ts";
import { ProductSubmissionResolver } from "../products/product-submission.resolver.ts";
import { ProductWriteResolver } from "../products/product-write.resolver.ts";
import { CustomerSubscriptionsResolver, SubscriptionResolver } from "../subscriptions/subscription.resolver.ts";
import { CoverCustomerResolver } from "../recovery/registry/cover-customer.resolver.ts";
import { CoverOrderItemResolver, CoverOrderResolver } from "../recovery/registry/cover-order.resolver.ts";
import { CoverPriceResolver } from "../recovery/registry/cover-price.resolver.ts";
import { CoverProductResolver } from "../recovery/registry/cover-product.resolver.ts";
import { CoverAttemptResolver, CoverResolver } from "../recovery/covers/cover.resolver.ts";
import { BusinessAnalyticsResolver } from "../recovery/analytics/business-analytics.resolver.ts";
import {
  RecoveryAnalyticsResolver,
  UnmappedDeclineResolver,
} from "../recovery/analytics/recovery-analytics.resolver.ts";
import {
  RecoveryModelEventResolver,
  RecoveryModelStatusResolver,
} from "../recovery/model-trust/recovery-model-status.resolver.ts";
import {
  BacktestOfActivationResolver,
  BacktestOfPolicyResolver,
  BacktestResolver,
} from "../recovery/backtests/backtest.resolver.ts";
import { ShadowReportResolver } from "../recovery/shadow-mode/shadow-report.resolver.ts";
import { MessageEffectResolver } from "../recovery/message-arms/message-effect.resolver.ts";
import { PolicyEffectResolver, PolicyInForceResolver } from "../recovery/experiments/policy-effect.resolver.ts";
import {
  RecoveryExperimentArmResolver,
  RecoveryExperimentResolver,
} from "../recovery/experiments/recovery-experiment.resolver.ts";
import { RecoveryPolicyResolver } from "../recovery/policies/recovery-policy.resolver.ts";
import { RecoveryModelResolver, RecoveryTrainingResolver } from "../recovery/models/recovery-training.resolver.ts";
import { RecoveryPreviewResolver } from "../recovery/decisions/recovery-preview.resolver.ts";
import { RetryDecisionResolver } from "../recovery/decisions/retry-decision.resolver.ts";
import {
  CoveredRenewalResolver,
  OrderCoversResolver,
  SubscriptionCoversResolver,
} from "../recovery/renewal-covers/renewal-cover.resolver.ts";
import { CoverEventResolver } from "../recovery/covers/cover-timeline.resolver.ts";
import { CoverSubscriptionResolver } from "../recovery/registry/cover-subscription.resolver.ts";
import {
  CustomerTimelineResolver,
  OrderTimelineResolver,
  ProductTimelineResolver,
  SubscriptionTimelineResolver,
  TimelineEventResolver,
} from "../events/event.resolver.ts";
import {
  CoverEventAuthorResolver,
  EventAuthorResolver,
  FeedEventAuthorResolver,
  TimelineEventAuthorResolver,
} from "../events/authors/event-author.resolver.ts";
import { FeedEventResolver } from "../events/event-feed.resolver.ts";
import { required } from "../kernel/required-values.ts";
import { SubscriptionWriteResolver } from "../subscriptions/changes/subscription-write.resolver.ts";
import "../customers/enums.ts";
import "../events/enums.ts";
import "../invoices/enums.ts";
import "../orders/enums.ts";
import { GatewayAccountResolver } from "../payments/gateways/gateway-account.resolver.ts";
import { PaymentResolver } from "../payments/payment.resolver.ts";
import { PaymentWriteResolver } from "../payments/payment-write.resolver.ts";
import "../payments/enums.ts";
import "../products/enums.ts";
import "../recovery/enums.ts";
import "../subscriptions/enums.ts";
import "../vendors/enums.ts";
import { PersonResolver } from "../vendors/people/person.resolver.ts";
import { ApiKeyResolver } from "../vendors/keys/api-key.resolver.ts";
import { SessionTokenResolver } from "../vendors/keys/session-token.resolver.ts";
import { ChildVendorResolver } from "../vendors/child-vendor.resolver.ts";
import { VendorResolver } from "../vendors/vendor.resolver.ts";
import "../webhooks/enums.ts";
import "../notifications/enums.ts";
import { MessageResolver } from "../notifications/message.resolver.ts";
import { MessageSettingsResolver } from "../notifications/settings/message-settings.resolver.ts";
import { CustomerDataResolver } from "../privacy/customer-data.resolver.ts";
import { WebhookDeliveryResolver } from "../webhooks/webhook-delivery.resolver.ts";
import { WebhookEndpointResolver } from "../webhooks/webhook-endpoint.resolver.ts";
import { withEventStream } from "./event-stream-root.ts";
import { ErrorCodesResolver } from "./errors/error-codes.resolver.ts";
import { reuseEffects } from "./execution/mutation-effects.ts";
import { addGlobalIdFields } from "./global-id-fields.ts";
import { CHARGING_MUTATIONS } from "./charging-mutations.ts";
import { NodesResolver } from "./node.ts";
import { requirePermissions } from "./permission-checks.ts";
import { mutationAreas } from "../vendors/people/mutation.permissions.ts";

/** The root types consist of many resolvers, none of which can describe them as a whole. */
function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  // A schema with a description is printed with its roots: without them, tools would take the type `Subscription` for one.
  schema.description =
    "The API of one vendor. Queries read data, mutations change it, subscriptions stream events. The root of subscriptions is `EventStream`; `Subscription` is the billing type.";
  required(schema.getQueryType(), "Query").description =
    "All queries. They return data of the vendor whose token is sent.";
  required(schema.getMutationType(), "Mutation").description =
    `All mutations. The mutations of a document run one after the other, each in its own transaction. The header \`Idempotency-Key\` (1 to 255 characters) makes the whole request one unit: for 24 hours the same request with the same key has one effect and one answer, and all its mutations are one transaction. A mutation that calls a payment gateway must be the only mutation of a request with a key: ${[...CHARGING_MUTATIONS].map((name) => `\`${name}\``).join(", ")}.`;
  return schema;
}

/** The queries and mutations, module by module. */
const resolvers = [
  NodesResolver,
  ErrorCodesResolver,
  VendorResolver,
  ChildVendorResolver,
  ApiKeyResolver,
  SessionTokenResolver,
  PersonResolver,
  CustomerResolver,
  RegionResolver,
  ProductResolver,
  ProductWriteResolver,
  ProductSubmissionResolver,
  PricePlanResolver,
  PricePlanWriteResolver,
  PriceVolumeResolver,
  PriceRangeResolver,
  SubscriptionResolver,
  CustomerSubscriptionsResolver,
  SubscriptionWriteResolver,
  CustomerTimelineResolver,
  OrderTimelineResolver,
  ProductTimelineResolver,
  SubscriptionTimelineResolver,
  FeedEventResolver,
  TimelineEventResolver,
  EventAuthorResolver,
  TimelineEventAuthorResolver,
  CoverEventAuthorResolver,
  FeedEventAuthorResolver,
  OrderResolver,
  OrderWriteResolver,
  OrderItemResolver,
  InvoiceResolver,
  GatewayAccountResolver,
  PaymentResolver,
  PaymentWriteResolver,
  CustomerOrdersResolver,
  SubscriptionOrdersResolver,
  CheckoutLinkResolver,
  PaymentMethodLinkResolver,
  CoverCustomerResolver,
  CoverProductResolver,
  CoverPriceResolver,
  CoverOrderResolver,
  CoverOrderItemResolver,
  CoverSubscriptionResolver,
  CoverResolver,
  CoverAttemptResolver,
  CoverEventResolver,
  CoveredRenewalResolver,
  OrderCoversResolver,
  SubscriptionCoversResolver,
  RetryDecisionResolver,
  RecoveryPolicyResolver,
  RecoveryModelStatusResolver,
  RecoveryModelEventResolver,
  BacktestResolver,
  BacktestOfPolicyResolver,
  BacktestOfActivationResolver,
  ShadowReportResolver,
  RecoveryExperimentResolver,
  RecoveryExperimentArmResolver,
  PolicyEffectResolver,
  MessageEffectResolver,
  PolicyInForceResolver,
  RecoveryModelResolver,
  RecoveryTrainingResolver,
  RecoveryPreviewResolver,
  RecoveryAnalyticsResolver,
  UnmappedDeclineResolver,
  BusinessAnalyticsResolver,
  WebhookEndpointResolver,
  WebhookDeliveryResolver,
  MessageResolver,
  MessageSettingsResolver,
  CustomerDataResolver,
] as const;

let built: GraphQLSchema | undefined;

/** Builds the schema, once per process: everything that the gateway can do. Nobody may change what is returned. */
export const buildGatewaySchema = (): GraphQLSchema =>
  (built ??= reuseEffects(
    requirePermissions(
      withEventStream(
        addGlobalIdFields(describeRoots(buildSchemaSync({ resolvers, validate: false, orphanedTypes: [] }))),
      ),
      mutationAreas,
    ),
  ));
