import { and, eq } from "drizzle-orm";
import { managers } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { firstRow } from "../../database/rows.ts";

type ManagerRow = typeof managers.$inferSelect;

/** A person of a vendor. The hash of the password says whether there is one. */
export type PersonRecord = Pick<
  ManagerRow,
  "id" | "username" | "role" | "enabled" | "emailVerified" | "createdAt" | "passwordHash"
>;

const personColumns = {
  id: managers.id,
  username: managers.username,
  role: managers.role,
  enabled: managers.enabled,
  emailVerified: managers.emailVerified,
  createdAt: managers.createdAt,
  passwordHash: managers.passwordHash,
};

/** Queries for the people of a vendor. */
export class PersonRepository {
  /** The people who are not removed. */
  readonly list: RecordList<PersonRecord, object, "CREATED_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: managers,
      sorts: { CREATED_AT: managers.createdAt },
      parentConditions: {},
      filterCondition: () => eq(managers.enabled, true),
    });
  }

  all(vendorId: number): Promise<PersonRecord[]> {
    return this.db.select(personColumns).from(managers).where(eq(managers.vendorId, vendorId)).orderBy(managers.id);
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<PersonRecord[]> {
    return this.db
      .select(personColumns)
      .from(managers)
      .where(and(eq(managers.vendorId, vendorId), idIsOneOf(managers.id, ids)));
  }

  /** All people of a vendor, locked in the order of their ids until the transaction ends. */
  lockAll(vendorId: number): Promise<PersonRecord[]> {
    return this.db
      .select(personColumns)
      .from(managers)
      .where(eq(managers.vendorId, vendorId))
      .orderBy(managers.id)
      .for("no key update");
  }

  /** Adds a person. Undefined if the vendor has one with this e-mail address. */
  async add(
    vendorId: number,
    values: Omit<typeof managers.$inferInsert, "id" | "vendorId">,
  ): Promise<PersonRecord | undefined> {
    const [added] = await this.db
      .insert(managers)
      .values({ vendorId, ...values })
      .onConflictDoNothing()
      .returning(personColumns);
    return added;
  }

  async change(
    vendorId: number,
    id: number,
    values: Partial<Pick<ManagerRow, "role" | "enabled" | "passwordHash" | "emailVerified">>,
  ): Promise<PersonRecord> {
    return firstRow(
      await this.db
        .update(managers)
        .set(values)
        .where(and(eq(managers.vendorId, vendorId), eq(managers.id, id)))
        .returning(personColumns),
    );
  }
}
