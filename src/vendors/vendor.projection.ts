import type { PgColumn } from "drizzle-orm/pg-core";
import { managers, vendors, vendorSettings } from "../../schema/tables/index.ts";
import {
  columnOfRow,
  pickColumns,
  type RowAlias,
  type ProjectedEdge,
  type ProjectedValue,
  type Projection,
} from "../database/projection.ts";

/** An edge from a vendor's row to rows that belong to the vendor. A vendor's row has no `vendor_id` column. */
const vendorOwnedEdge = (projection: () => Projection, order?: ProjectedEdge["orderBy"]): ProjectedEdge => ({
  projection,
  crossesVendors: true,
  joinCondition: (row, vendor) => `${row}."vendor_id" = ${vendor}."id"`,
  ...(order && { orderBy: order }),
});

/** A column of the vendor's settings as a field of the vendor. */
const settingValue =
  (column: PgColumn): ProjectedValue =>
  (vendor) =>
    `(select ${columnOfRow("s", column)} from "vendor_settings" s where s."vendor_id" = ${vendor}."id")`;

/** A column of the vendor's first manager as a field of the vendor. */
const firstManagerValue =
  (column: PgColumn): ProjectedValue =>
  (vendor) =>
    `(select ${columnOfRow("m", column)} from "managers" m where m."vendor_id" = ${vendor}."id" order by m."id" limit 1)`;

const managerProjection: Projection = {
  table: managers,
  fields: {
    databaseId: managers.id,
    ...pickColumns(managers, "uuid", "username", "nickname", "enabled", "emailVerified", "createdAt", "phone"),
    choo: () => "''",
  },
};

const deliveryChargeProjection: Projection = {
  table: vendorSettings,
  fields: pickColumns(
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

const timeOfDaySql = (row: RowAlias): string => {
  const seconds = columnOfRow(row, vendorSettings.notiBeforePaymentTime);
  return `json_build_object('hour', ${seconds} / 3600, 'minute', ${seconds} / 60 % 60, 'second', ${seconds} % 60, 'nano', 0)`;
};

const settingsProjection: Projection = {
  table: vendorSettings,
  fields: {
    ...pickColumns(
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
      "recoveryShadowMode",
      "recoveryPooling",
    ),
    notiBeforePaymentTime: timeOfDaySql,
  },
  objects: {
    customDomain: { fields: { status: vendorSettings.customDomainStatus, domain: vendorSettings.customDomain } },
    finishTimes: {
      fields: pickColumns(vendorSettings, "finishedAfterHours", "exchangeUntilHours", "returnUntilHours"),
    },
  },
};

const cmsIntegrationProjection: Projection = {
  table: vendorSettings,
  fields: {
    consumerKey: vendorSettings.consumerKey,
    hasConsumerSecret: (row) => `${columnOfRow(row, vendorSettings.consumerSecret)} is not null`,
  },
};

const termsProjection: Projection = {
  table: vendorSettings,
  fields: { useCheckBox: vendorSettings.termsUseCheckBox, termsAgree: vendorSettings.termsAgree },
};

/** The fields of a vendor for itself. Its keys are not stored; only the mutation that creates them returns them. */
export const vendorProjection: Projection = {
  table: vendors,
  fields: {
    ...pickColumns(vendors, "id", "uuid", "name", "zoneId", "currency", "country", "enabled", "sandbox", "createdAt"),
    parentUuid: (vendor) => `(select p."uuid" from "vendors" p where p."id" = ${vendor}."parent_id")`,
    firstManagerUuid: firstManagerValue(managers.uuid),
    description: settingValue(vendorSettings.description),
    email: settingValue(vendorSettings.email),
    contactUrl: settingValue(vendorSettings.contactUrl),
    featuredImageUrl: settingValue(vendorSettings.featuredImageUrl),
    checkFirstActivation: settingValue(vendorSettings.checkFirstActivation),
    surveyed: settingValue(vendorSettings.surveyed),
    useDormantCustomer: settingValue(vendorSettings.useDormantCustomer),
    useDormantNotification: settingValue(vendorSettings.useDormantNotification),
    useAuth: settingValue(vendorSettings.useAuth),
    useStore: settingValue(vendorSettings.useStore),
    usePayout: settingValue(vendorSettings.usePayout),
    currencyLock: settingValue(vendorSettings.currencyLock),
    realmEmailAsUsername: settingValue(vendorSettings.realmEmailAsUsername),
    realmIdentityProviderId: settingValue(vendorSettings.realmIdentityProviderId),
    realmName: settingValue(vendorSettings.realmName),
    checkFailBuilder: settingValue(vendorSettings.checkFailBuilder),
    apps: settingValue(vendorSettings.apps),
  },
  one: {
    manager: vendorOwnedEdge(
      () => managerProjection,
      (manager) => `${manager}."id"`,
    ),
    deliveryCharge: vendorOwnedEdge(() => deliveryChargeProjection),
    vendorSettings: vendorOwnedEdge(() => settingsProjection),
    cmsIntegration: vendorOwnedEdge(() => cmsIntegrationProjection),
    vendorTerms: vendorOwnedEdge(() => termsProjection),
  },
};

/** The fields of a child vendor for its parent. */
export const childVendorProjection: Projection = {
  table: vendors,
  fields: {
    ...pickColumns(vendors, "id", "uuid", "name", "enabled", "createdAt"),
    surveyed: settingValue(vendorSettings.surveyed),
    realmIdentityProviderId: settingValue(vendorSettings.realmIdentityProviderId),
    realmName: settingValue(vendorSettings.realmName),
    managerUsername: firstManagerValue(managers.username),
    managerPhone: firstManagerValue(managers.phone),
  },
};
