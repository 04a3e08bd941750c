import { describe, expect, test } from "vitest";
import { SecretVault } from "../../../src/kernel/secrets/secret-vault.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { startGateway, SECRETS_KEY, type RequestOptions } from "../../support/test-gateway.ts";
import { refusalCodeOf, errorPathsOf, readVendor, updateVendorSettings } from "../../support/vendor-queries.ts";

const gateway = await startGateway();

const read = (options?: RequestOptions) => readVendor(gateway, options);

const updateSettings = (input: object, options?: RequestOptions) => updateVendorSettings(gateway, input, options);

const everything = {
  zoneId: "America/New_York",
  vatIncluded: false,
  vatRate: "8.875",
  paymentAmountScale: 1,
  notiBeforePayment: false,
  notiBeforePaymentDays: 3,
  notiBeforePaymentTime: { hour: 23, minute: 59, second: 58 },
  usageAutoRefund: true,
  workspace: "beans",
  customDomain: "Pay.Example.com",
  returnOrigins: ["https://shop.example.com/", "http://localhost:3000", "https://SHOP.example.com"],
  draftInvoicesByDefault: true,
  recoveryShadowMode: true,
  recoveryPooling: true,
  deliveryCharge: {
    useDefaultCourier: true,
    useDeliveryCharge: true,
    useLocalShipCharge: true,
    jejuShipAmount: 3000,
    islandAndMountainShipAmount: "5000.5",
    defaultCourierId: "post",
    deliveryChargeType: "FREE_OVER_AMOUNT",
    defaultDeliveryCharge: 2500,
    freeShipOverAmount: 30000,
  },
  vendorTerms: {
    useCheckBox: true,
    termsAgree: [{ field: true, title: "Privacy", order: 1, content: "We keep your address." }],
  },
  cmsIntegration: { consumerKey: "ck_1", consumerSecret: "cs_very_secret" },
  checkFirstActivation: true,
  surveyed: true,
  useDormantCustomer: true,
  useDormantNotification: true,
  useAuth: true,
  useStore: true,
  usePayout: true,
  currencyLock: true,
  realmEmailAsUsername: false,
  realmIdentityProviderId: "1f0c8c3e-0000-4000-8000-000000000000",
  realmName: "beans",
  checkFailBuilder: "plain",
};

describe("updateVendorSettings", () => {
  test("sets what is sent and leaves the rest", async () => {
    const vendor = await gateway.openVendor();
    const { data } = await updateSettings(everything, vendor);
    const { deliveryCharge, vendorTerms, zoneId, ...flat } = everything;
    const changed = {
      zoneId,
      deliveryCharge: {
        ...deliveryCharge,
        jejuShipAmount: "3000",
        defaultDeliveryCharge: "2500",
        freeShipOverAmount: "30000",
      },
      vendorTerms,
      vendorSettings: {
        vatIncluded: false,
        vatRate: "8.875",
        notiBeforePayment: false,
        notiBeforePaymentDays: 3,
        notiBeforePaymentTime: { hour: 23, minute: 59, second: 58, nano: 0 },
        usageAutoRefund: true,
        paymentAmountScale: 1,
        workspace: "beans",
        customDomain: { status: "PENDING", domain: "pay.example.com" },
        returnOrigins: ["https://shop.example.com", "http://localhost:3000"],
        draftInvoicesByDefault: true,
        recoveryShadowMode: true,
        recoveryPooling: true,
      },
      cmsIntegration: { consumerKey: "ck_1", consumerSecret: null, hasConsumerSecret: true },
      checkFirstActivation: flat.checkFirstActivation,
      realmIdentityProviderId: flat.realmIdentityProviderId,
    };
    expect(data!.updateVendorSettings.vendor).toMatchObject(changed);
    expect(await read(vendor)).toEqual(data!.updateVendorSettings.vendor);

    // Null removes an optional value, and is refused for the others.
    const refused = await updateSettings({ vatRate: null }, vendor);
    expect(errorSummaries(refused as never)).toEqual(["INVALID_ARGUMENT: input.vatRate REQUIRED"]);
    const cleared = await updateSettings(
      {
        paymentAmountScale: null,
        customDomain: null,
        realmIdentityProviderId: null,
        deliveryCharge: { defaultCourierId: null },
        cmsIntegration: { consumerSecret: null },
        returnOrigins: [],
      },
      vendor,
    );
    expect(cleared.data!.updateVendorSettings.vendor).toEqual({
      ...data!.updateVendorSettings.vendor,
      realmIdentityProviderId: null,
      deliveryCharge: { ...changed.deliveryCharge, defaultCourierId: null },
      cmsIntegration: { consumerKey: "ck_1", consumerSecret: null, hasConsumerSecret: false },
      vendorSettings: {
        ...changed.vendorSettings,
        paymentAmountScale: null,
        customDomain: { status: "NONE", domain: null },
        returnOrigins: [],
      },
    });
  });

  test("names every wrong value at once, and changes nothing", async () => {
    const vendor = await gateway.openVendor();
    const before = await read(vendor);
    const answer = await updateSettings(
      {
        vatIncluded: false,
        vatRate: "100.000001",
        paymentAmountScale: 7,
        notiBeforePaymentDays: 366,
        notiBeforePaymentTime: { hour: 24, minute: 60, second: -1 },
        returnOrigins: ["https://fine.example.com", "https://shop.example.com/path", "javascript:alert(1)", "*"],
        customDomain: "no domain",
        vendorTerms: { termsAgree: Array.from({ length: 51 }, () => everything.vendorTerms.termsAgree[0]) },
      },
      vendor,
    );
    expect([refusalCodeOf(answer), errorPathsOf(answer)]).toEqual([
      "INVALID_ARGUMENT",
      [
        "input.vatRate",
        "input.paymentAmountScale",
        "input.notiBeforePaymentDays",
        "input.notiBeforePaymentTime.hour",
        "input.notiBeforePaymentTime.minute",
        "input.notiBeforePaymentTime.second",
        "input.returnOrigins[1]",
        "input.returnOrigins[2]",
        "input.returnOrigins[3]",
        "input.customDomain",
        "input.vendorTerms.termsAgree",
      ],
    ]);
    expect(await read(vendor)).toEqual(before);
  });

  test.each([
    "https://user@shop.example.com",
    "https://shop.example.com?a=1",
    "https://shop.example.com#top",
    "ftp://shop.example.com",
    "shop.example.com",
    "",
  ])("refuses the return origin %j", async (origin) => {
    expect(errorPathsOf(await updateSettings({ returnOrigins: [origin] }))).toEqual(["input.returnOrigins[0]"]);
  });

  test.each(["127.0.0.1", "localhost", "-a.example.com", "a..com", `${"a".repeat(64)}.com`, ""])(
    "refuses the domain %j",
    async (customDomain) => {
      expect(errorPathsOf(await updateSettings({ customDomain }))).toEqual(["input.customDomain"]);
    },
  );

  test("refuses too many origins, and an unknown zone", async () => {
    const many = Array.from({ length: 21 }, (_, index) => `https://shop${index}.example.com`);
    expect(errorPathsOf(await updateSettings({ returnOrigins: many }))).toEqual(["input.returnOrigins"]);
    expect(errorPathsOf(await updateSettings({ zoneId: "Mars/Olympus" }))).toEqual(["input.zoneId"]);
  });
});

describe("the secret of an integration", () => {
  const stored = async (vendorId: number) => {
    const [row] = await queryRows<{ secret: Buffer }>(
      gateway,
      `select consumer_secret as secret from vendor_settings where vendor_id = ${vendorId}`,
    );
    return row!.secret;
  };

  test("is stored encrypted for its vendor only", async () => {
    const [one, other] = [await gateway.openVendor(), await gateway.openVendor()];
    for (const vendor of [one, other]) await updateSettings({ cmsIntegration: { consumerSecret: "cs_beans" } }, vendor);
    const sealed = await stored(one.id);
    expect(sealed.includes("cs_beans")).toBe(false);
    expect(sealed).not.toEqual(await stored(other.id));
    const vault = new SecretVault([SECRETS_KEY]);
    expect(vault.decrypt(sealed, `vendor_settings.consumer_secret ${one.id}`)).toBe("cs_beans");
    expect(() => vault.decrypt(sealed, `vendor_settings.consumer_secret ${other.id}`)).toThrow();
  });

  test("is unchanged when other settings change, and no read shows it", async () => {
    const vendor = await gateway.openVendor();
    await updateSettings({ cmsIntegration: { consumerKey: "ck", consumerSecret: "cs_beans" } }, vendor);
    const { data } = await updateSettings({ cmsIntegration: { consumerKey: "ck2" }, surveyed: true }, vendor);
    expect(data!.updateVendorSettings.vendor.cmsIntegration).toEqual({
      consumerKey: "ck2",
      consumerSecret: null,
      hasConsumerSecret: true,
    });
    expect(JSON.stringify(await read(vendor))).not.toContain("cs_beans");
  });
});

describe("without SECRETS_KEY", async () => {
  const keyless = await startGateway({ secretsKeys: [] });
  const send = (input: object) =>
    keyless.sendGraphQL(
      "mutation ($input: UpdateVendorSettingsInput!) { updateVendorSettings(input: $input) { vendor { surveyed cmsIntegration { consumerKey hasConsumerSecret } } } }",
      { input },
    );

  test("a secret is refused, with the whole input; any other input is accepted", async () => {
    const refused = await send({ surveyed: true, cmsIntegration: { consumerKey: "ck", consumerSecret: "cs" } });
    expect([refused.status, refusalCodeOf(refused)]).toEqual([200, "SECRETS_KEY_MISSING"]);
    expect((await keyless.queryData("{ vendor { surveyed } }")).vendor.surveyed).toBe(false);
    const taken = await send({ cmsIntegration: { consumerKey: "ck", consumerSecret: null } });
    expect(taken.data!.updateVendorSettings.vendor.cmsIntegration).toEqual({
      consumerKey: "ck",
      hasConsumerSecret: false,
    });
  });
});
