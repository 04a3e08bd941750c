import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { EventNumbering } from "../../src/jobs/event-numbering.ts";
import type { TestGateway } from "./test-gateway.ts";

/** The sequencer beside a gateway of a test; it runs when the test says so. */
export const createEventNumbering = ({ gateway, database }: TestGateway): EventNumbering =>
  new EventNumbering({
    write: gateway.contexts.writeForInstallation,
    dueVendors: new DueVendorRepository(database.handle),
    logger: gateway.server.log,
  });

/** Numbers all events that are committed, as a worker does a moment later. */
export async function numberEvents(gateway: TestGateway): Promise<void> {
  const numbering = createEventNumbering(gateway);
  while ((await numbering.runTurn()) > 0);
}
