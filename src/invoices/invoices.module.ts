import { InvoiceRepository } from "./invoice.repository.ts";
import { InvoiceService } from "./invoice.service.ts";

/** What a transaction offers of invoices, by the names under which services ask for each other. */
export const invoicesModule = {
  repositories: {
    invoiceRepository: InvoiceRepository,
  },
  services: {
    invoices: InvoiceService,
  },
};
