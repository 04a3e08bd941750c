import { CardAttemptBatchRepository } from "./batches/card-attempt-batch.repository.ts";
import { GatewayAccountBatchRepository } from "./batches/gateway-account-batch.repository.ts";
import { LedgerBatchRepository } from "./batches/ledger-batch.repository.ts";
import { PaymentBatchRepository } from "./batches/payment-batch.repository.ts";
import { BackupRestoreBatchRepository } from "./batches/backup-restore-batch.repository.ts";
import { MethodExpiryRepository } from "./method-expiry/method-expiry.repository.ts";
import { MethodExpiryService } from "./method-expiry/method-expiry.service.ts";
import { CardAttemptRepository } from "./card-attempt.repository.ts";
import { CardAttemptService } from "./card-attempt.service.ts";
import { MethodDetachmentRepository } from "./detachments/method-detachment.repository.ts";
import { MethodDetachmentService } from "./detachments/method-detachment.service.ts";
import { DisputeRepository } from "./disputes/dispute.repository.ts";
import { DisputeService } from "./disputes/dispute.service.ts";
import { GatewayAccountRepository } from "./gateways/gateway-account.repository.ts";
import { GatewayAccountService } from "./gateways/gateway-account.service.ts";
import { LedgerCheckRepository } from "./ledger/ledger-check.repository.ts";
import { LedgerCheckService } from "./ledger/ledger-check.service.ts";
import { LedgerRepository } from "./ledger/ledger.repository.ts";
import { PaymentClaimService } from "./payment-claim.service.ts";
import { PaymentRepository } from "./payment.repository.ts";
import { PaymentService } from "./payment.service.ts";
import { RefundRepository } from "./refunds/refund.repository.ts";
import { RefundService } from "./refunds/refund.service.ts";
import { BackupRestoreRepository } from "./restores/backup-restore.repository.ts";
import { BackupRestoreService } from "./restores/backup-restore.service.ts";
import { StoredMethodService } from "./stored-method.service.ts";

/** The payments services of a transaction, by the names under which services depend on each other. */
export const paymentsModule = {
  repositories: {
    methodExpiryRepository: MethodExpiryRepository,
    methodDetachmentRepository: MethodDetachmentRepository,
    cardAttemptRepository: CardAttemptRepository,
    gatewayAccountRepository: GatewayAccountRepository,
    ledgerRepository: LedgerRepository,
    ledgerCheckRepository: LedgerCheckRepository,
    paymentRepository: PaymentRepository,
    refundRepository: RefundRepository,
    disputeRepository: DisputeRepository,
    backupRestoreRepository: BackupRestoreRepository,
  },
  /** Those of work that runs many times at once in one transaction. */
  batchRepositories: {
    cardAttemptRepository: CardAttemptBatchRepository,
    gatewayAccountRepository: GatewayAccountBatchRepository,
    ledgerRepository: LedgerBatchRepository,
    paymentRepository: PaymentBatchRepository,
    backupRestoreRepository: BackupRestoreBatchRepository,
  },
  services: {
    gatewayAccounts: GatewayAccountService,
    storedMethods: StoredMethodService,
    methodExpiry: MethodExpiryService,
    methodDetachments: MethodDetachmentService,
    cardAttempts: CardAttemptService,
    backupRestores: BackupRestoreService,
    refunds: RefundService,
    disputes: DisputeService,
    paymentClaims: PaymentClaimService,
    payments: PaymentService,
    ledgerChecks: LedgerCheckService,
  },
};
