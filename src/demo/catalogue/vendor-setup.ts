import { eq } from "drizzle-orm";
import { managers, vendorSettings } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { createRepositories } from "../../graphql/repositories.ts";
import type { Services } from "../../graphql/services.ts";
import { toAmount } from "../../kernel/amounts.ts";
import { NO_PASSWORD } from "../../kernel/secrets/password-hash.ts";
import { invariant } from "../../kernel/refusals.ts";
import { firstOf } from "../../kernel/required-values.ts";
import type { VendorRecord } from "../../vendors/vendor.repository.ts";
import type { DemoCalendar } from "../calendar.ts";
import { SeededRandom } from "../seeded-random.ts";
import { insertRowsAsJson, drawIds } from "../rows/bulk-rows.ts";

const VENDOR_EMAIL = "hello@seoulcoffee.example.com";

/** Exchange rates from KRW. */
const exchangeRates = { USD: "0.00072", JPY: "0.108", EUR: "0.00063", KWD: "0.000221" };

/**
 * Configures the demo vendor's billing, delivery and presentation. Secrets are saved only if the gateway has a key to
 * encrypt them.
 */
export async function configureVendor(
  handle: Handle,
  { vendorSettings: settings, gatewayAccounts }: Services,
  vendorId: number,
  calendar: DemoCalendar,
  canEncrypt: boolean,
): Promise<VendorRecord> {
  const vendor = await createRepositories(handle).vendors.byId(vendorId);
  invariant(vendor, "the demo vendor was created just now");
  await settings.updateVendor(vendor, {
    description: "Beans, brewing gear and software for cafés. All of it is made up.",
    email: VENDOR_EMAIL,
    contactUrl: "https://seoulcoffee.example.com/help",
    featuredImageUrl: "https://images.example.com/seoul-coffee-club.jpg",
  });
  await settings.updateSettings(vendorId, {
    vatIncluded: true,
    vatRate: toAmount(10),
    notiBeforePayment: true,
    notiBeforePaymentDays: 7,
    notiBeforePaymentTime: { hour: 9, minute: 30, second: 15 },
    usageAutoRefund: true,
    workspace: "seoul-coffee",
    customDomain: "pay.seoulcoffee.example.com",
    deliveryCharge: {
      useDefaultCourier: true,
      useDeliveryCharge: true,
      useLocalShipCharge: true,
      jejuShipAmount: toAmount(3_000),
      islandAndMountainShipAmount: toAmount(5_000),
      defaultCourierId: "courier-01",
      deliveryChargeType: "FREE_OVER_AMOUNT",
      defaultDeliveryCharge: toAmount(3_000),
      freeShipOverAmount: toAmount(30_000),
    },
    vendorTerms: {
      useCheckBox: true,
      termsAgree: [
        { field: true, title: "Terms of sale", order: 1, content: "Orders are binding once they are paid." },
        { field: true, title: "Renewals", order: 2, content: "Subscriptions renew until they are cancelled." },
        { field: false, title: "News", order: 3, content: "We may write to you about new beans." },
      ],
    },
    cmsIntegration: {
      consumerKey: "shop-system-key",
      ...(canEncrypt && { consumerSecret: "shop-system-secret" }),
    },
    surveyed: true,
    checkFirstActivation: true,
    useDormantCustomer: true,
    useDormantNotification: true,
    useAuth: true,
    useStore: true,
    usePayout: true,
    currencyLock: true,
    realmEmailAsUsername: true,
    realmIdentityProviderId: "5b2c7d10-7a34-4c55-9d21-3f0f6f5c8a11",
    realmName: "seoul-coffee",
    checkFailBuilder: "standard",
  });
  for (const [currency, rate] of Object.entries(exchangeRates))
    await settings.setExchangeRate(vendor, currency, toAmount(rate));
  // A gateway account contains secrets. Without an encryption key it is not saved, and the vendor can charge nothing.
  if (canEncrypt) {
    await gatewayAccounts.configure(vendor, { gateway: "HOUSE" });
    await gatewayAccounts.configure(vendor, {
      gateway: "PROVIDER_01",
      priority: 1,
      methods: ["CARD", "SIMPLE_PAY"],
      currencies: ["USD", "EUR"],
      credentials: "demo-credentials",
    });
  }
  await saveUnmanagedRows(handle, vendorId, calendar);
  return vendor;
}

/** Saves data that no service writes: the manager, the installed apps, and the status of the custom domain. */
async function saveUnmanagedRows(handle: Handle, vendorId: number, calendar: DemoCalendar): Promise<void> {
  const id = firstOf(await drawIds(handle, managers, 1));
  await insertRowsAsJson(handle, managers, [
    {
      vendorId,
      id: id,
      uuid: new SeededRandom(vendorId).uuid(),
      username: VENDOR_EMAIL,
      nickname: "Barista",
      passwordHash: NO_PASSWORD,
      phone: "01023456789",
      enabled: true,
      emailVerified: true,
      createdAt: calendar.daysAgo(540),
    },
  ]);
  await handle
    .update(vendorSettings)
    .set({
      customDomainStatus: "CONNECTED",
      apps: [
        {
          productCode: "product_RoastLogs",
          priceCode: "price_RoastLog1",
          status: "ACTIVE",
          installed: true,
          subscriptionId: 1,
          settings: { locale: "ko-KR", lowStockAlert: 20 },
        },
        {
          productCode: "product_CafeSeats",
          priceCode: "price_CafeSeat1",
          status: "INACTIVE",
          installed: false,
          subscriptionId: null,
          settings: {},
        },
      ],
    })
    .where(eq(vendorSettings.vendorId, vendorId));
}
