import { VendorBatchRepository } from "./batches/vendor-batch.repository.ts";
import { ApiKeyRepository } from "./keys/api-key.repository.ts";
import { ApiKeyService } from "./keys/api-key.service.ts";
import { ChildVendorRepository } from "./child-vendor.repository.ts";
import { ChildVendorService } from "./child-vendor.service.ts";
import { PasswordLinkRepository } from "./people/password-link.repository.ts";
import { PasswordLinkService } from "./people/password-link.service.ts";
import { PersonRepository } from "./people/person.repository.ts";
import { PersonService } from "./people/person.service.ts";
import { SecondFactorRepository } from "./people/second-factor.repository.ts";
import { SecondFactorService } from "./people/second-factor.service.ts";
import { SessionRepository } from "./people/session.repository.ts";
import { SessionService } from "./people/session.service.ts";
import { SessionTokenService } from "./keys/session-token.service.ts";
import { SignInRepository } from "./people/sign-in.repository.ts";
import { SignInService } from "./people/sign-in.service.ts";
import { TestClockService } from "./test-clock.service.ts";
import { VendorSettingsRepository } from "./vendor-settings.repository.ts";
import { VendorSettingsService } from "./vendor-settings.service.ts";
import { VendorRepository } from "./vendor.repository.ts";
import { VendorService } from "./vendor.service.ts";

/** The vendors services of a transaction, by the names under which services depend on each other. */
export const vendorsModule = {
  repositories: {
    apiKeyRepository: ApiKeyRepository,
    childVendorRepository: ChildVendorRepository,
    passwordLinkRepository: PasswordLinkRepository,
    personRepository: PersonRepository,
    secondFactorRepository: SecondFactorRepository,
    sessionRepository: SessionRepository,
    signInRepository: SignInRepository,
    vendorSettingsRepository: VendorSettingsRepository,
    vendorRepository: VendorRepository,
  },
  /** Those of work that runs many times at once in one transaction. */
  batchRepositories: {
    vendorRepository: VendorBatchRepository,
  },
  services: {
    vendors: VendorService,
    testClocks: TestClockService,
    vendorSettings: VendorSettingsService,
    childVendors: ChildVendorService,
    apiKeys: ApiKeyService,
    passwordLinks: PasswordLinkService,
    people: PersonService,
    secondFactors: SecondFactorService,
    sessions: SessionService,
    sessionTokens: SessionTokenService,
    signIns: SignInService,
  },
};
