import { CustomerRepository } from "./customer.repository.ts";
import { CustomerService } from "./customer.service.ts";

/** What a transaction offers of customers, by the names under which services ask for each other. */
export const customersModule = {
  repositories: {
    customerRepository: CustomerRepository,
  },
  services: {
    customers: CustomerService,
  },
};
