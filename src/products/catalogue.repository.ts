import { randomUUID } from "node:crypto";
import { catalogueVersions } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

/**
 * Repositories that write what a vendor's catalogue consists of: products, plans, and all that belongs to them. Each write
 * moves the version of the catalogue in its own transaction, so that gateways do not show what they kept of it.
 */
export abstract class CatalogueRepository {
  constructor(protected readonly db: Handle) {}

  /** The result of a write, once the version has moved. The caller's transaction holds the version until it ends. */
  protected async write<Result>(vendorId: number, statement: PromiseLike<Result>): Promise<Result> {
    const result = await statement;
    const version = randomUUID();
    await this.db
      .insert(catalogueVersions)
      .values({ vendorId, version })
      .onConflictDoUpdate({ target: catalogueVersions.vendorId, set: { version } });
    return result;
  }
}
