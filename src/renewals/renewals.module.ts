import { RenewalRepository } from "./renewal.repository.ts";
import { RenewalService } from "./renewal.service.ts";

/** The renewals services of a transaction, by the names under which services depend on each other. */
export const renewalsModule = {
  repositories: {
    renewalRepository: RenewalRepository,
  },
  services: {
    renewals: RenewalService,
  },
};
