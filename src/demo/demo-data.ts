import { sql } from "drizzle-orm";
import type { Database, Handle } from "../database/client.ts";
import { repositoriesOn } from "../graphql/repositories.ts";
import { servicesOn } from "../graphql/services.ts";
import type { SandboxFill } from "../http/sandbox-page.ts";
import type { Clock } from "../kernel/clock.ts";
import { invariant } from "../kernel/refusals.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import { ApiKeyService, hashToken } from "../vendors/api-key.service.ts";
import { BillingHistory } from "./billing-history.ts";
import { Calendar } from "./calendar.ts";
import { stockShelves } from "./catalogue/catalogue-seed.ts";
import { openChildren } from "./catalogue/child-vendors.ts";
import { CoverHistory, OPEN_ORDER } from "./cover-history.ts";
import { furnish } from "./catalogue/vendor-setup.ts";

/** Any number will do, as long as every version of the gateway uses the same one. */
const DEMO_LOCK = 7_264_587_402;

const PLACE = { zoneId: "Asia/Seoul", currency: "KRW", country: "KR" };
const OPENED_DAYS_AGO = 540;

/** The token of the demo vendor's child, which shows how a child sees its products and its orders. */
export const childToken = (token: string): string => `${token}-child`;

/** How the demo vendor is made. */
export interface DemoTools {
  clock: Clock;
  token: string;
  /** Encrypts the vendor's secret; without a key it has none. */
  vault: Vault;
}

/**
 * Fills a database with a sandbox vendor whose history is always the same, counted back from the present hour.
 * Where the demo token is known already, it only finds the vendor again.
 */
export async function seedDemo(database: Database, tools: DemoTools): Promise<SandboxFill> {
  return database.transaction(async (handle) => {
    // Two gateways may start at once on a new database: one tells the history, the other waits and finds it.
    await handle.execute(sql`set local statement_timeout = '2min'`);
    await handle.execute(sql`select pg_advisory_xact_lock(${DEMO_LOCK}::bigint)`);
    const known = await new ApiKeyRepository(handle).live(hashToken(tools.token));
    const vendorId = known?.vendor.id ?? (await tell(handle, tools));
    const order = await repositoriesOn(handle).coverOrders.byPartnerId(vendorId, OPEN_ORDER);
    invariant(order?.subscriptionId, "the demo vendor has its open renewal");
    return { token: tools.token, open: { subscriptionId: order.subscriptionId, orderId: order.id } };
  });
}

/** A coffee club: what it recovers, and what it bills. */
async function tell(handle: Handle, { clock, token, vault }: DemoTools): Promise<number> {
  const calendar = new Calendar(clock.now());
  const opened = calendar.ago(OPENED_DAYS_AGO);
  const services = servicesOn(handle, opened, vault);
  const id = await services.vendors.open({ name: "Seoul Coffee Club (demo)", ...PLACE, sandbox: true });
  await new ApiKeyService(new ApiKeyRepository(handle), opened).adopt(id, "demo", token);
  await new CoverHistory(handle, calendar).tell({ id, ...PLACE });
  const vendor = await furnish(handle, services, id, calendar, vault.canSeal);
  await stockShelves(handle, calendar, vendor);
  const child = await openChildren(handle, calendar, vendor);
  await new ApiKeyService(new ApiKeyRepository(handle), opened).adopt(child.id, "demo", childToken(token));
  await BillingHistory.keep(handle, calendar, { id, ...PLACE }, child, vault);
  const { businessCounts } = repositoriesOn(handle);
  for (const vendorId of [id, child.id]) await businessCounts.countHistory(vendorId);
  return id;
}
