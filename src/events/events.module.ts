import { EventRepository } from "./event.repository.ts";
import { EventService } from "./event.service.ts";

/** The events services of a transaction, by the names under which services depend on each other. */
export const eventsModule = {
  repositories: {
    eventRepository: EventRepository,
  },
  services: {
    events: EventService,
  },
};
