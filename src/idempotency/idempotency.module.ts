import { IdempotencyRepository } from "./idempotency.repository.ts";
import { IdempotencyService } from "./idempotency.service.ts";

/** What a transaction offers of idempotency, by the names under which services ask for each other. */
export const idempotencyModule = {
  repositories: {
    idempotencyRepository: IdempotencyRepository,
  },
  services: {
    idempotency: IdempotencyService,
  },
};
