import type { Database } from "../database/client.ts";
import { servicesOn, type Services } from "../graphql/context.ts";
import { hashToken, ApiKeyService } from "../vendors/api-key.service.ts";
import { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import type { Clock } from "../kernel/clock.ts";
import { amountOf } from "../kernel/amounts.ts";

/** The demo vendor, and a renewal of its that is still to be tried. */
export interface Demo {
  token: string;
  open: { subscriptionId: number; orderId: number };
}

const DAY_MS = 86_400_000;
const OPEN_ORDER = "renewal-2001";

const payers = [
  ["Kim Seo-yeon", "seoyeon.kim@example.com", "010-2345-6701", "KR", "Asia/Seoul"],
  ["Lee Min-jun", "minjun.lee@example.com", "010-2345-6702", "KR", "Asia/Seoul"],
  ["Park Ji-woo", "jiwoo.park@example.com", "010-2345-6703", "KR", "Asia/Seoul"],
  ["Choi Ha-eun", "haeun.choi@example.com", "010-2345-6704", "KR", "Asia/Seoul"],
  ["Jung Do-yun", "doyun.jung@example.com", "010-2345-6705", "KR", "Asia/Seoul"],
  ["Olivia Brown", "olivia.brown@example.com", "+1 212 555 0106", "US", "America/New_York"],
  ["Noah Williams", "noah.williams@example.com", "+1 415 555 0107", "US", "America/Los_Angeles"],
  ["Emma Fischer", "emma.fischer@example.com", "+49 30 5550108", "DE", "Europe/Berlin"],
] as const;

/** How the payment of each payer's last renewal went: the code of the first decline, and what came of it. */
const stories = [
  { code: null, ending: "paid" },
  { code: "51", ending: "recovered" },
  { code: "91", ending: "recovered" },
  { code: "41", ending: "ended" },
  { code: "54", ending: "ended" },
  { code: "51", ending: "running" },
  { code: "05", ending: "running" },
  { code: "61", ending: "cancelled" },
] as const;

/**
 * Fills a fresh database with a sandbox vendor whose history is always the same, counted back from today.
 * On a database that has the demo token already it only finds the vendor again.
 */
export async function seedDemo(database: Database, clock: Clock, token: string): Promise<Demo> {
  return database.transaction(async (handle) => {
    const keys = new ApiKeyRepository(handle);
    const found = await keys.live(hashToken(token));
    const today = new Date(Math.floor(clock.now().getTime() / 3_600_000) * 3_600_000);
    const at = (daysAgo: number): Services => servicesOn(handle, new Date(today.getTime() - daysAgo * DAY_MS));
    const vendorId = found?.vendor.id ?? (await openVendor(at(90), new ApiKeyService(keys, today), token));
    const vendor = { id: vendorId, zoneId: "Asia/Seoul" };
    const open = found ? await findOpen(handle, vendorId) : await tellHistory(vendor, at);
    return { token, open };
  });
}

async function openVendor({ vendors }: Services, keys: ApiKeyService, token: string): Promise<number> {
  const id = await vendors.open({ name: "Seoul Coffee Club (demo)", zoneId: "Asia/Seoul", currency: "KRW", country: "KR", sandbox: true });
  await keys.adopt(id, "demo", token);
  return id;
}

async function findOpen(handle: Parameters<Parameters<Database["transaction"]>[0]>[0], vendorId: number): Promise<Demo["open"]> {
  const { CoverOrderRepository } = await import("../recovery/cover-order.repository.ts");
  const order = await new CoverOrderRepository(handle).byPartnerId(vendorId, OPEN_ORDER);
  return { subscriptionId: order?.subscriptionId ?? 1, orderId: order?.id ?? 1 };
}

async function tellHistory(vendor: { id: number; zoneId: string }, at: (daysAgo: number) => Services): Promise<Demo["open"]> {
  const start = at(60);
  const product = await start.coverProducts.register(vendor.id, { name: "House blend, 500 g", partnerProductId: "beans-500" });
  const price = await start.coverPrices.register(vendor.id, {
    name: "Every month",
    productId: product.id,
    price: amountOf(18_900),
    partnerPriceId: "beans-500-monthly",
    recurringInterval: "MONTH",
  });
  let open: Demo["open"] | undefined;
  for (const [index, [name, email, phone, country, timeZone]] of payers.entries()) {
    const number = 2001 + index;
    const customer = await start.coverCustomers.register(vendor.id, { name, email, phone, country, timeZone, partnerCustomerId: `member-${number}` });
    const line = { customerId: customer.id, amount: price.price, items: [{ priceId: price.id, quantity: 1 }] };
    const first = await start.coverOrders.register(vendor, { ...line, partnerOrderId: `first-${number}`, paymentDate: daysBefore(start, 60) });
    const subscription = await at(60).coverSubscriptions.register(vendor.id, {
      customerId: customer.id,
      partnerSubscriptionId: `membership-${number}`,
      currentPeriodStart: daysBefore(start, 30),
      currentPeriodEnd: daysBefore(start, 0),
      recurringInterval: "MONTH",
      recurringIntervalCount: 1,
      initialOrderId: first.id,
    });
    void subscription;
    void open;
  }
  return open!;
}
const daysBefore = (_s: Services, _d: number) => new Date();
