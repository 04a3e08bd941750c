import { CustomerRepository } from "./customer.repository.ts";
import { CustomerService } from "./customer.service.ts";

/** The customers services of a transaction, by the names under which services depend on each other. */
export const customersModule = {
  repositories: {
    customerRepository: CustomerRepository,
  },
  services: {
    customers: CustomerService,
  },
};
