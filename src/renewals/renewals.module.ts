import { RenewalRepository } from "./renewal.repository.ts";
import { RenewalService } from "./renewal.service.ts";

/** What a transaction offers of renewals, by the names under which services ask for each other. */
export const renewalsModule = {
  repositories: {
    renewalRepository: RenewalRepository,
  },
  services: {
    renewals: RenewalService,
  },
};
