import { ImportService } from "./import.service.ts";
import { ImportedRecordRepository } from "./imported-record.repository.ts";

/** The import services of a transaction, by the names under which services depend on each other. */
export const importModule = {
  repositories: {
    importedRecordRepository: ImportedRecordRepository,
  },
  services: {
    imports: ImportService,
  },
};
