import { EventBatchRepository } from "./batches/event-batch.repository.ts";
import { EventRepository } from "./event.repository.ts";
import { EventPartitionRepository } from "./event-partition.repository.ts";
import { EventPartitionService } from "./event-partition.service.ts";
import { EventSequenceRepository } from "./event-sequence.repository.ts";
import { EventSequenceService } from "./event-sequence.service.ts";
import { EventService } from "./event.service.ts";

/** The events services of a transaction, by the names under which services depend on each other. */
export const eventsModule = {
  repositories: {
    eventRepository: EventRepository,
    eventSequenceRepository: EventSequenceRepository,
    eventPartitionRepository: EventPartitionRepository,
  },
  /** Those of work that runs many times at once in one transaction. */
  batchRepositories: {
    eventRepository: EventBatchRepository,
  },
  services: {
    events: EventService,
    eventSequences: EventSequenceService,
    eventPartitions: EventPartitionService,
  },
};
