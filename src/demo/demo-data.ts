import { sql } from "drizzle-orm";
import type { Database, Handle } from "../database/client.ts";
import { createRepositories } from "../graphql/repositories.ts";
import { createServices } from "../graphql/services.ts";
import type { ApolloSandboxDefaults } from "../http/pages/apollo-sandbox.ts";
import type { Clock } from "../kernel/clock.ts";
import { invariant } from "../kernel/refusals.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { ApiKeyRepository } from "../vendors/keys/api-key.repository.ts";
import { hashToken } from "../vendors/keys/api-key.service.ts";
import { BillingHistory } from "./billing-history.ts";
import { DemoCalendar } from "./calendar.ts";
import { seedCatalogue } from "./catalogue/catalogue-seed.ts";
import { createChildVendors } from "./catalogue/child-vendors.ts";
import { CoverHistory, OPEN_RENEWAL_ID } from "./cover-history.ts";
import { queueInvoiceMail } from "./outbox-message.ts";
import { configureVendor } from "./catalogue/vendor-setup.ts";

/** An arbitrary number. Every version of the gateway must use the same one. */
const DEMO_LOCK_ID = 7_264_587_402;

/** Events that one statement numbers. */
const NUMBERING_BATCH_SIZE = 5_000;

const VENDOR_LOCATION = { zoneId: "Asia/Seoul", currency: "KRW", country: "KR" };
const OPENED_DAYS_AGO = 540;

/** The token of the demo vendor's child. It shows the child's view of its products and orders. */
export const childTokenOf = (token: string): string => `${token}-child`;

/** What {@link seedDemo} needs. */
export interface DemoDependencies {
  clock: Clock;
  token: string;
  /** Encrypts the vendor's secrets. Without a key they are not saved. */
  vault: SecretVault;
}

/**
 * Creates a sandbox vendor whose history is the same each time, with dates relative to the current hour. If the demo
 * token exists already, its vendor is returned and nothing is created.
 */
export async function seedDemo(database: Database, tools: DemoDependencies): Promise<ApolloSandboxDefaults> {
  return database.transaction(async (handle) => {
    // Two gateways may start on a new database at once. One creates the demo data, and the other waits and finds it.
    await handle.execute(sql`set local statement_timeout = '2min'`);
    await handle.execute(sql`select pg_advisory_xact_lock(${DEMO_LOCK_ID}::bigint)`);
    const existing = await new ApiKeyRepository(handle).findActive(hashToken(tools.token));
    const vendorId = existing?.vendor.id ?? (await createDemoVendor(handle, tools));
    const order = await createRepositories(handle).coverOrders.byPartnerId(vendorId, OPEN_RENEWAL_ID);
    invariant(order?.subscriptionId, "the demo vendor has its open renewal");
    return { token: tools.token, examples: { subscriptionId: order.subscriptionId, orderId: order.id } };
  });
}

/** Creates the vendor with its covers, catalogue, child vendors and billing history. */
async function createDemoVendor(handle: Handle, { clock, token, vault }: DemoDependencies): Promise<number> {
  const calendar = new DemoCalendar(clock.now());
  const openedAt = calendar.daysAgo(OPENED_DAYS_AGO);
  const services = createServices(handle, openedAt, { vault });
  const id = await services.vendors.createVendor({
    name: "Seoul Coffee Club (demo)",
    ...VENDOR_LOCATION,
    sandbox: true,
  });
  await services.apiKeys.createWithToken(id, "demo", token);
  await new CoverHistory(handle, calendar).create({ id, ...VENDOR_LOCATION });
  const vendor = await configureVendor(handle, services, id, calendar, vault.hasKey);
  await seedCatalogue(handle, calendar, vendor);
  const child = await createChildVendors(handle, calendar, vendor);
  await services.apiKeys.createWithToken(child.id, "demo", childTokenOf(token));
  await BillingHistory.createAndSave(handle, calendar, { id, ...VENDOR_LOCATION }, child, vault);
  const { businessCounts } = createRepositories(handle);
  const { eventSequences } = createServices(handle, clock.now());
  for (const vendorId of [id, child.id]) {
    await businessCounts.recountHistory(vendorId);
    // Numbered at once: to a webhook endpoint that is created right after the start, the history would be new.
    while ((await eventSequences.numberEvents(vendorId, NUMBERING_BATCH_SIZE)).length > 0);
  }
  await queueInvoiceMail(handle, id, clock.now(), vault);
  return id;
}
