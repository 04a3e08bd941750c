import type { InferSelectModel } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { RegisteredRepository, Values } from "../../database/registered.repository.ts";
import { invalid, invariant } from "../../kernel/refusals.ts";

type RegisteredTable = PgTable & { vendorId: PgColumn; id: PgColumn };

/** A record after its registration. */
export interface Registered<Row> {
  record: Row;
  /** What it was before, where it was there already and was replaced. */
  before: Row | undefined;
}

/** What registering one record takes. */
export interface Registration<Table extends RegisteredTable> {
  noun: string;
  partnerId: string;
  replaceIfExists: boolean;
  /** The whole of a new record. */
  fresh: () => Values<Table>;
  /** What changes of an existing one: the fields that were sent. */
  replacing: (existing: InferSelectModel<Table>) => Partial<Values<Table>> | Promise<Partial<Values<Table>>>;
}

/**
 * Registers a record under the merchant's own id: adds it, or, where the id is taken, replaces or refuses it.
 * The unique constraint judges, so two rivals cannot both add. What may be replaced is looked for first, because the
 * fields that were sent need not make a whole record.
 */
export async function register<Table extends RegisteredTable>(
  repository: RegisteredRepository<Table>,
  vendorId: number,
  { noun, partnerId, replaceIfExists, fresh, replacing }: Registration<Table>,
): Promise<Registered<InferSelectModel<Table>>> {
  type Known = { id: number } & InferSelectModel<Table>;
  const known = () => repository.lockByPartnerId(vendorId, partnerId) as Promise<Known | undefined>;
  let before = replaceIfExists ? await known() : undefined;
  if (!before) {
    const added = await repository.add(vendorId, fresh());
    if (added) return { record: added, before: undefined };
    before = await known();
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
  return { record: await repository.change(vendorId, before.id, await replacing(before)), before };
}
