import { InvoiceRepository } from "./invoice.repository.ts";
import { InvoiceService } from "./invoice.service.ts";

/** The invoices services of a transaction, by the names under which services depend on each other. */
export const invoicesModule = {
  repositories: {
    invoiceRepository: InvoiceRepository,
  },
  services: {
    invoices: InvoiceService,
  },
};
