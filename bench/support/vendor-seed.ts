import type { Database } from "../../src/database/client.ts";
import { createServices } from "../../src/graphql/services.ts";

/** Adds so many live vendors. */
export function addVendors(database: Database, count: number): Promise<number[]> {
  return database.transaction(async (handle) => {
    const { vendors } = createServices(handle, new Date());
    const ids: number[] = [];
    for (let index = 0; index < count; index++) {
      ids.push(
        await vendors.createVendor({
          name: "Bench",
          zoneId: "Asia/Seoul",
          currency: "KRW",
          country: "KR",
          sandbox: false,
        }),
      );
    }
    return ids;
  });
}

/** A new token of a vendor. */
export function createToken(database: Database, vendorId: number): Promise<string> {
  return database.transaction(async (handle) => {
    return (await createServices(handle, new Date()).apiKeys.create(vendorId, "bench", false)).token;
  });
}
