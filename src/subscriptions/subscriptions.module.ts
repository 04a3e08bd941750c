import { SubscriptionOrderBatchRepository } from "./batches/subscription-order-batch.repository.ts";
import { SubscriptionBatchRepository } from "./batches/subscription-batch.repository.ts";
import { SubscriptionItemAdditionService } from "./changes/item-addition.service.ts";
import { ChangeContextService } from "./changes/change-context.service.ts";
import { SubscriptionChangePreviewService } from "./changes/change-preview.service.ts";
import { SubscriptionItemChangeService } from "./changes/item-change.service.ts";
import { SubscriptionItemWriterService } from "./changes/subscription-item-writer.service.ts";
import { SubscriptionStopService } from "./changes/subscription-stop.service.ts";
import { SubscriptionIntervalService } from "./changes/subscription-interval.service.ts";
import { SubscriptionPlanChangeService } from "./changes/plan-change.service.ts";
import { SubscriptionNoticeRepository } from "./notices/subscription-notice.repository.ts";
import { SubscriptionNoticeService } from "./notices/subscription-notice.service.ts";
import { RenewalClaimService } from "./renewal-orders/renewal-claim.service.ts";
import { RenewalOrderService } from "./renewal-orders/renewal-order.service.ts";
import { ProrationOrderService } from "./renewal-orders/proration-order.service.ts";
import { SubscriptionChargePreviewService } from "./renewal-orders/charge-preview.service.ts";
import { UpcomingChargeService } from "./renewal-orders/upcoming-charge.service.ts";
import { SubscriptionActivationService } from "./subscription-activation.service.ts";
import { SubscriptionImportService } from "./subscription-import.service.ts";
import { SubscriptionItemReaderService } from "./subscription-item-reader.service.ts";
import { SubscriptionTransitionsService } from "./subscription-transitions.service.ts";
import { SubscriptionOrderRepository } from "./subscription-order.repository.ts";
import { SubscriptionPaymentService } from "./subscription-payment.service.ts";
import { SubscriptionQuotasService } from "./subscription-quotas.service.ts";
import { SubscriptionRenewalsService } from "./subscription-renewals.service.ts";
import { SubscriptionUnitsService } from "./subscription-units.service.ts";
import { SubscriptionRepository } from "./subscription.repository.ts";
import { SubscriptionService } from "./subscription.service.ts";

/** The subscriptions services of a transaction, by the names under which services depend on each other. */
export const subscriptionsModule = {
  repositories: {
    subscriptionOrderRepository: SubscriptionOrderRepository,
    subscriptionRepository: SubscriptionRepository,
    subscriptionNoticeRepository: SubscriptionNoticeRepository,
  },
  /** Those of work that runs many times at once in one transaction. */
  batchRepositories: {
    subscriptionOrderRepository: SubscriptionOrderBatchRepository,
    subscriptionRepository: SubscriptionBatchRepository,
  },
  services: {
    subscriptions: SubscriptionService,
    subscriptionActivation: SubscriptionActivationService,
    subscriptionImports: SubscriptionImportService,
    subscriptionQuotas: SubscriptionQuotasService,
    subscriptionRenewals: SubscriptionRenewalsService,
    subscriptionTransitions: SubscriptionTransitionsService,
    subscriptionItemReader: SubscriptionItemReaderService,
    subscriptionItemWriter: SubscriptionItemWriterService,
    subscriptionUnits: SubscriptionUnitsService,
    prorationOrders: ProrationOrderService,
    renewalOrders: RenewalOrderService,
    renewalClaims: RenewalClaimService,
    changeContexts: ChangeContextService,
    subscriptionItemChanges: SubscriptionItemChangeService,
    subscriptionItemAdditions: SubscriptionItemAdditionService,
    subscriptionPlanChanges: SubscriptionPlanChangeService,
    subscriptionIntervals: SubscriptionIntervalService,
    subscriptionPreviews: SubscriptionChargePreviewService,
    subscriptionPayments: SubscriptionPaymentService,
    upcomingCharges: UpcomingChargeService,
    changePreviews: SubscriptionChangePreviewService,
    subscriptionStop: SubscriptionStopService,
    subscriptionNotices: SubscriptionNoticeService,
  },
};
