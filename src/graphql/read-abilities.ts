import { CheckoutLinkService, type CheckoutAddress } from "../checkout/checkout-link.service.ts";
import { PaymentMethodLinkService } from "../checkout/payment-method/payment-method-link.service.ts";
import type { Replica } from "../database/replica/replica.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { BacktestService } from "../recovery/backtests/backtest.service.ts";
import { CodeSuggestionService } from "../recovery/code-suggestions/code-suggestion.service.ts";
import { ShadowReportService } from "../recovery/shadow-mode/shadow-report.service.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import { Loaders } from "./loaders.ts";
import type { Repositories } from "./repositories.ts";

/** What a request reads with: of the primary, or of a replica. */
export interface ReadAbilities {
  readonly read: Repositories;
  readonly loaders: Loaders;
  /** Estimates what other recovery policies would have recovered, outside of a transaction of its own. */
  readonly recoveryBacktests: () => BacktestService;
  /** Estimates what the advice of shadow mode would have recovered, as backtests do. */
  readonly shadowReports: () => ShadowReportService;
  /** Says what unmapped decline codes behave like. */
  readonly codeSuggestions: () => CodeSuggestionService;
  /** Makes links to the checkout. */
  readonly checkoutLinks: () => CheckoutLinkService;
  /** Makes links to the page on which a payer stores another payment method. */
  readonly paymentMethodLinks: () => PaymentMethodLinkService;
}

/** The replica of a request's database. */
export interface ReplicaAccess extends Pick<Replica, "hasCaughtUp" | "noteFailure"> {
  /** What a query reads the replica with. */
  abilities(): ReadAbilities;
}

interface ReadDependencies {
  vault: SecretVault;
  address: CheckoutAddress;
  vendor: VendorRecord;
  now: () => Date;
}

/** What a request of a vendor reads with, on the repositories of one side. */
export function createReadAbilities(
  read: Repositories,
  { vault, address, vendor, now }: ReadDependencies,
): ReadAbilities {
  return {
    read,
    loaders: new Loaders(vendor.id, read),
    recoveryBacktests: () =>
      new BacktestService({
        recordedCaseRepository: read.recordedCases,
        recoveryPolicyRepository: read.recoveryPolicies,
        recoveryModelRepository: read.recoveryModels,
        vendor,
        now: now(),
      }),
    shadowReports: () => new ShadowReportService({ recordedCaseRepository: read.recordedCases, vendor, now: now() }),
    codeSuggestions: () =>
      new CodeSuggestionService({
        recordedCaseRepository: read.recordedCases,
        recoveryModelRepository: read.recoveryModels,
        vendor,
        now: now(),
      }),
    checkoutLinks: () => new CheckoutLinkService({ checkoutRepository: read.checkouts, vault, address, now: now() }),
    paymentMethodLinks: () =>
      new PaymentMethodLinkService({
        paymentMethodPageRepository: read.paymentMethodPages,
        vault,
        address,
        now: now(),
      }),
  };
}
