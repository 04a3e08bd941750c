import type { InferSelectModel } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { RegisteredRepository, RegisteredValues } from "../../database/registered.repository.ts";
import { invalid, invariant } from "../../kernel/refusals.ts";

type RegisteredTable = PgTable & { vendorId: PgColumn; id: PgColumn };

/** A record after its registration. */
export interface RegistrationResult<Row> {
  record: Row;
  /** The row before the replacement; undefined for a new one. */
  before: Row | undefined;
}

/** The input for registering one record. */
export interface Registration<Table extends RegisteredTable> {
  noun: string;
  partnerId: string;
  replaceIfExists: boolean;
  /** The whole of a new record. */
  newValues: () => RegisteredValues<Table>;
  /** The new values of an existing record: the fields that were sent. */
  replacementValues: (
    existing: InferSelectModel<Table>,
  ) => Partial<RegisteredValues<Table>> | Promise<Partial<RegisteredValues<Table>>>;
}

/**
 * Registers a record under the merchant's own id: adds it, or, if the id is taken, replaces or refuses it. The unique
 * constraint decides, so two concurrent requests cannot both add it. A record to replace is looked up first, because
 * the sent fields may not make a whole record.
 */
export async function registerRecord<Table extends RegisteredTable>(
  repository: RegisteredRepository<Table>,
  vendorId: number,
  { noun, partnerId, replaceIfExists, newValues, replacementValues }: Registration<Table>,
): Promise<RegistrationResult<InferSelectModel<Table>>> {
  type Known = { id: number } & InferSelectModel<Table>;
  const findExisting = () => repository.lockByPartnerId(vendorId, partnerId) as Promise<Known | undefined>;
  let before = replaceIfExists ? await findExisting() : undefined;
  if (!before) {
    const added = await repository.add(vendorId, newValues());
    if (added) return { record: added, before: undefined };
    before = await findExisting();
  }
  invariant(before, "a partner id that is taken belongs to a record, and records are never deleted");
  if (!replaceIfExists) {
    throw invalid(
      "DUPLICATE_PARTNER_ID",
      `The partner id belongs to a registered ${noun} already; send replaceIfExists to update it.`,
      {
        id: before.id,
      },
    );
  }
  return { record: await repository.update(vendorId, before.id, await replacementValues(before)), before };
}
