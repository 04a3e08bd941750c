import { CustomerDataService } from "./customer-data.service.ts";
import { PersonalDataRepository } from "./personal-data.repository.ts";

/** The privacy services of a transaction, by the names under which services depend on each other. */
export const privacyModule = {
  repositories: {
    personalDataRepository: PersonalDataRepository,
  },
  services: {
    customerData: CustomerDataService,
  },
};
