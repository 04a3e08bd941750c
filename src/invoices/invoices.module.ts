import { InvoiceBatchRepository } from "./batches/invoice-batch.repository.ts";
import { InvoiceRepository } from "./invoice.repository.ts";
import { InvoiceService } from "./invoice.service.ts";

/** The invoices services of a transaction, by the names under which services depend on each other. */
export const invoicesModule = {
  repositories: {
    invoiceRepository: InvoiceRepository,
  },
  /** Those of work that runs many times at once in one transaction. */
  batchRepositories: {
    invoiceRepository: InvoiceBatchRepository,
  },
  services: {
    invoices: InvoiceService,
  },
};
