import { and, eq } from "drizzle-orm";
import { managers } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";

/** Queries for the people of a vendor. */
export class PersonRepository {
  constructor(private readonly db: Handle) {}

  /** Saves a new password. The address counts as verified: the link to set the password was sent there. */
  async setPassword(vendorId: number, id: number, passwordHash: string): Promise<void> {
    await this.db
      .update(managers)
      .set({ passwordHash, emailVerified: true })
      .where(and(eq(managers.vendorId, vendorId), eq(managers.id, id)));
  }
}
