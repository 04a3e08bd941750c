import { IdempotencyRepository } from "./idempotency.repository.ts";
import { IdempotencyService } from "./idempotency.service.ts";

/** The idempotency services of a transaction, by the names under which services depend on each other. */
export const idempotencyModule = {
  repositories: {
    idempotencyRepository: IdempotencyRepository,
  },
  services: {
    idempotency: IdempotencyService,
  },
};
