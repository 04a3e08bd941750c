import { and, eq, sql } from "drizzle-orm";
import { managers, vendors } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";

/** A person who may be the one who signs in. */
export interface SignInCandidate {
  id: number;
  passwordHash: string;
  vendor: { id: number; uuid: string; name: string };
}

/** Queries of a sign-in, which names an e-mail address and no vendor: one of the exceptions to the vendor fence. */
export class SignInRepository {
  constructor(private readonly db: Handle) {}

  /** Finds the enabled people with an e-mail address, at all enabled vendors or at one of them, by age. */
  candidates(email: string, vendorUuid: string | undefined, limit: number): Promise<SignInCandidate[]> {
    return this.db
      .select({
        id: managers.id,
        passwordHash: managers.passwordHash,
        vendor: { id: vendors.id, uuid: vendors.uuid, name: vendors.name },
      })
      .from(managers)
      .innerJoin(vendors, eq(vendors.id, managers.vendorId))
      .where(
        and(
          sql`lower(${managers.username}) = lower(${email})`,
          eq(managers.enabled, true),
          eq(vendors.enabled, true),
          vendorUuid === undefined ? undefined : eq(vendors.uuid, vendorUuid),
        ),
      )
      .orderBy(managers.id)
      .limit(limit);
  }
}
