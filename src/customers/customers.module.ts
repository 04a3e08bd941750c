import { CustomerBatchRepository } from "./batches/customer-batch.repository.ts";
import { CustomerRepository } from "./customer.repository.ts";
import { CustomerService } from "./customer.service.ts";

/** The customers services of a transaction, by the names under which services depend on each other. */
export const customersModule = {
  repositories: {
    customerRepository: CustomerRepository,
  },
  /** Those of work that runs many times at once in one transaction. */
  batchRepositories: {
    customerRepository: CustomerBatchRepository,
  },
  services: {
    customers: CustomerService,
  },
};
