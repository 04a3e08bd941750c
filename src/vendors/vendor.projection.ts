import type { PgColumn } from "drizzle-orm/pg-core";
import { managers, vendors, vendorSettings } from "../../schema/tables/index.ts";
import { at, columnsOf, type Alias, type Edge, type Leaf, type Shape } from "../database/projection.ts";

/** Rows that belong to a vendor, seen from the vendor's own row, which has no vendor above it. */
const own = (shape: () => Shape, order?: Edge["order"]): Edge => ({
  shape,
  crosses: true,
  on: (row, vendor) => `${row}."vendor_id" = ${vendor}."id"`,
  ...(order && { order }),
});

/** A value of the vendor's settings. */
const setting =
  (column: PgColumn): Leaf =>
  (vendor) =>
    `(select ${at("s", column)} from "vendor_settings" s where s."vendor_id" = ${vendor}."id")`;

/** A value of the manager who came with the vendor. */
const ofFirstManager =
  (column: PgColumn): Leaf =>
  (vendor) =>
    `(select ${at("m", column)} from "managers" m where m."vendor_id" = ${vendor}."id" order by m."id" limit 1)`;

const managerShape: Shape = {
  table: managers,
  fields: {
    databaseId: managers.id,
    ...columnsOf(managers, "uuid", "username", "nickname", "enabled", "emailVerified", "createdAt", "phone"),
    choo: () => "''",
  },
};

const deliveryChargeShape: Shape = {
  table: vendorSettings,
  fields: columnsOf(
    vendorSettings,
    "useDefaultCourier",
    "useDeliveryCharge",
    "useLocalShipCharge",
    "jejuShipAmount",
    "islandAndMountainShipAmount",
    "defaultCourierId",
    "deliveryChargeType",
    "defaultDeliveryCharge",
    "freeShipOverAmount",
  ),
};

const timeOfDay = (row: Alias): string => {
  const seconds = at(row, vendorSettings.notiBeforePaymentTime);
  return `json_build_object('hour', ${seconds} / 3600, 'minute', ${seconds} / 60 % 60, 'second', ${seconds} % 60, 'nano', 0)`;
};

const settingsShape: Shape = {
  table: vendorSettings,
  fields: {
    ...columnsOf(
      vendorSettings,
      "vatIncluded",
      "vatRate",
      "notiBeforePayment",
      "notiBeforePaymentDays",
      "usageAutoRefund",
      "paymentAmountScale",
      "workspace",
      "returnOrigins",
      "draftInvoicesByDefault",
    ),
    notiBeforePaymentTime: timeOfDay,
  },
  parts: {
    customDomain: { fields: { status: vendorSettings.customDomainStatus, domain: vendorSettings.customDomain } },
    finishTimes: {
      fields: columnsOf(vendorSettings, "finishedAfterHours", "exchangeUntilHours", "returnUntilHours"),
    },
  },
};

const cmsIntegrationShape: Shape = {
  table: vendorSettings,
  fields: {
    consumerKey: vendorSettings.consumerKey,
    hasConsumerSecret: (row) => `${at(row, vendorSettings.consumerSecret)} is not null`,
  },
};

const termsShape: Shape = {
  table: vendorSettings,
  fields: { useCheckBox: vendorSettings.termsUseCheckBox, termsAgree: vendorSettings.termsAgree },
};

/** A vendor as it sees itself. Its keys are shown by what creates them, and nowhere else. */
export const vendorShape: Shape = {
  table: vendors,
  fields: {
    ...columnsOf(vendors, "id", "uuid", "name", "zoneId", "currency", "country", "enabled", "sandbox", "createdAt"),
    parentUuid: (vendor) => `(select p."uuid" from "vendors" p where p."id" = ${vendor}."parent_id")`,
    firstManagerUuid: ofFirstManager(managers.uuid),
    description: setting(vendorSettings.description),
    email: setting(vendorSettings.email),
    contactUrl: setting(vendorSettings.contactUrl),
    featuredImageUrl: setting(vendorSettings.featuredImageUrl),
    checkFirstActivation: setting(vendorSettings.checkFirstActivation),
    surveyed: setting(vendorSettings.surveyed),
    useDormantCustomer: setting(vendorSettings.useDormantCustomer),
    useDormantNotification: setting(vendorSettings.useDormantNotification),
    useAuth: setting(vendorSettings.useAuth),
    useStore: setting(vendorSettings.useStore),
    usePayout: setting(vendorSettings.usePayout),
    currencyLock: setting(vendorSettings.currencyLock),
    realmEmailAsUsername: setting(vendorSettings.realmEmailAsUsername),
    realmIdentityProviderId: setting(vendorSettings.realmIdentityProviderId),
    realmName: setting(vendorSettings.realmName),
    checkFailBuilder: setting(vendorSettings.checkFailBuilder),
    apps: setting(vendorSettings.apps),
  },
  one: {
    manager: own(
      () => managerShape,
      (manager) => `${manager}."id"`,
    ),
    deliveryCharge: own(() => deliveryChargeShape),
    vendorSettings: own(() => settingsShape),
    cmsIntegration: own(() => cmsIntegrationShape),
    vendorTerms: own(() => termsShape),
  },
};

/** A child vendor as its parent sees it. */
export const childVendorShape: Shape = {
  table: vendors,
  fields: {
    ...columnsOf(vendors, "id", "uuid", "name", "enabled", "createdAt"),
    surveyed: setting(vendorSettings.surveyed),
    realmIdentityProviderId: setting(vendorSettings.realmIdentityProviderId),
    realmName: setting(vendorSettings.realmName),
    managerUsername: ofFirstManager(managers.username),
    managerPhone: ofFirstManager(managers.phone),
  },
};
