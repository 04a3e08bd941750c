import { EventRepository } from "./event.repository.ts";
import { EventService } from "./event.service.ts";

/** What a transaction offers of events, by the names under which services ask for each other. */
export const eventsModule = {
  repositories: {
    eventRepository: EventRepository,
  },
  services: {
    events: EventService,
  },
};
