import { RecoveryCountRepository } from "./analytics/recovery-count.repository.ts";
import { RecoveryCountService } from "./analytics/recovery-count.service.ts";
import { CoverBatchRepository } from "./batches/cover-batch.repository.ts";
import { MessageArmBatchRepository } from "./batches/message-arm-batch.repository.ts";
import { RecoveryCountBatchRepository } from "./batches/recovery-count-batch.repository.ts";
import { RecoveryExperimentBatchRepository } from "./batches/recovery-experiment-batch.repository.ts";
import { RenewalCoverBatchRepository } from "./batches/renewal-cover-batch.repository.ts";
import { CoverLifecycleService } from "./covers/cover-lifecycle.service.ts";
import { CoverRepository } from "./covers/cover.repository.ts";
import { CoverService } from "./covers/cover.service.ts";
import { CoverRetryAnnouncementService } from "./covers/cover-retry-announcement.service.ts";
import { CoverTimelineRepository } from "./covers/cover-timeline.repository.ts";
import { CoverTimelineService } from "./covers/cover-timeline.service.ts";
import { CoverDecisionService } from "./decisions/cover-decision.service.ts";
import { MessageArmRepository } from "./message-arms/message-arm.repository.ts";
import { MessageArmService } from "./message-arms/message-arm.service.ts";
import { RecoveryModelRepository } from "./models/recovery-model.repository.ts";
import { ModelTrustRepository } from "./model-trust/model-trust.repository.ts";
import { ModelTrustService } from "./model-trust/model-trust.service.ts";
import { RecordedCaseRepository } from "./models/recorded-case.repository.ts";
import { ExperimentAssignmentService } from "./experiments/experiment-assignment.service.ts";
import { ExperimentCountRepository } from "./experiments/experiment-count.repository.ts";
import { ExperimentCountService } from "./experiments/experiment-count.service.ts";
import { RecoveryExperimentRepository } from "./experiments/recovery-experiment.repository.ts";
import { RecoveryExperimentService } from "./experiments/recovery-experiment.service.ts";
import { RecoveryTrainingRepository } from "./models/recovery-training.repository.ts";
import { RecoveryTrainingService } from "./models/recovery-training.service.ts";
import { PastPaymentRepository } from "./past-payments/past-payment.repository.ts";
import { PastPaymentService } from "./past-payments/past-payment.service.ts";
import { RecoveryPolicyRepository } from "./policies/recovery-policy.repository.ts";
import { RecoveryPolicyService } from "./policies/recovery-policy.service.ts";
import { RecoveryPoolingRepository } from "./pooling/recovery-pooling.repository.ts";
import { RecoveryPoolingService } from "./pooling/recovery-pooling.service.ts";
import { SharingFamiliesRepository } from "./pooling/sharing-families.repository.ts";
import { CoverCustomerRepository } from "./registry/cover-customer.repository.ts";
import { CoverCustomerService } from "./registry/cover-customer.service.ts";
import { CoverOrderTransitionsService } from "./registry/cover-order-transitions.service.ts";
import { CoverOrderRepository } from "./registry/cover-order.repository.ts";
import { CoverOrderService } from "./registry/cover-order.service.ts";
import { CoverPriceRepository } from "./registry/cover-price.repository.ts";
import { CoverPriceService } from "./registry/cover-price.service.ts";
import { CoverProductRepository } from "./registry/cover-product.repository.ts";
import { CoverProductService } from "./registry/cover-product.service.ts";
import { CoverSubscriptionRepository } from "./registry/cover-subscription.repository.ts";
import { CoverSubscriptionService } from "./registry/cover-subscription.service.ts";
import { RenewalCoverRepository } from "./renewal-covers/renewal-cover.repository.ts";
import { RenewalRecoveryService } from "./renewal-covers/renewal-recovery.service.ts";
import { RenewalCoverService } from "./renewal-covers/renewal-cover.service.ts";

/** The recovery services of a transaction, by the names under which services depend on each other. */
export const recoveryModule = {
  repositories: {
    recoveryCountRepository: RecoveryCountRepository,
    coverRepository: CoverRepository,
    coverTimelineRepository: CoverTimelineRepository,
    recoveryPolicyRepository: RecoveryPolicyRepository,
    recoveryModelRepository: RecoveryModelRepository,
    recordedCaseRepository: RecordedCaseRepository,
    modelTrustRepository: ModelTrustRepository,
    recoveryExperimentRepository: RecoveryExperimentRepository,
    experimentCountRepository: ExperimentCountRepository,
    messageArmRepository: MessageArmRepository,
    recoveryTrainingRepository: RecoveryTrainingRepository,
    pastPaymentRepository: PastPaymentRepository,
    recoveryPoolingRepository: RecoveryPoolingRepository,
    sharingFamiliesRepository: SharingFamiliesRepository,
    coverCustomerRepository: CoverCustomerRepository,
    coverOrderRepository: CoverOrderRepository,
    coverPriceRepository: CoverPriceRepository,
    coverProductRepository: CoverProductRepository,
    coverSubscriptionRepository: CoverSubscriptionRepository,
    renewalCoverRepository: RenewalCoverRepository,
  },
  batchRepositories: {
    coverRepository: CoverBatchRepository,
    renewalCoverRepository: RenewalCoverBatchRepository,
    messageArmRepository: MessageArmBatchRepository,
    recoveryExperimentRepository: RecoveryExperimentBatchRepository,
    recoveryCountRepository: RecoveryCountBatchRepository,
  },
  services: {
    coverTimeline: CoverTimelineService,
    coverRetryAnnouncements: CoverRetryAnnouncementService,
    coverDecisions: CoverDecisionService,
    experimentAssignments: ExperimentAssignmentService,
    experimentCounts: ExperimentCountService,
    messageArms: MessageArmService,
    recoveryExperiments: RecoveryExperimentService,
    recoveryCounts: RecoveryCountService,
    coverLifecycle: CoverLifecycleService,
    covers: CoverService,
    coverCustomers: CoverCustomerService,
    coverProducts: CoverProductService,
    coverPrices: CoverPriceService,
    coverOrders: CoverOrderService,
    coverOrderTransitions: CoverOrderTransitionsService,
    coverSubscriptions: CoverSubscriptionService,
    recoveryPolicies: RecoveryPolicyService,
    modelTrust: ModelTrustService,
    recoveryTrainings: RecoveryTrainingService,
    pastPayments: PastPaymentService,
    recoveryPoolings: RecoveryPoolingService,
    renewalRecovery: RenewalRecoveryService,
    renewalCovers: RenewalCoverService,
  },
};
