import { describe, expect, test } from "vitest";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import { registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";
import {
  refusalCodeOf,
  errorPathsOf,
  readVendor,
  setExchangeRate,
  updateVendorSettings,
  vendorFragment,
} from "../../support/vendor-queries.ts";

const gateway = await startGateway();

const read = (options?: RequestOptions) => readVendor(gateway, options);

const update = (input: object, options?: RequestOptions) =>
  gateway.sendGraphQL(
    `mutation ($input: UpdateVendorInput!) { updateVendor(input: $input) { vendor { ...Whole } } } ${vendorFragment}`,
    { input },
    options,
  );

describe("a vendor", () => {
  test("has settings from the start", async () => {
    expect(await read(await gateway.openVendor())).toEqual({
      name: "Test vendor",
      enabled: true,
      sandbox: false,
      zoneId: "Asia/Seoul",
      currency: "KRW",
      country: "KR",
      parentUuid: null,
      firstManagerUuid: null,
      manager: null,
      description: "",
      email: "",
      contactUrl: "",
      featuredImageUrl: "",
      secretKey: null,
      paymentKey: null,
      deliveryCharge: {
        useDefaultCourier: false,
        useDeliveryCharge: false,
        useLocalShipCharge: false,
        jejuShipAmount: "0",
        islandAndMountainShipAmount: "0",
        defaultCourierId: null,
        deliveryChargeType: "FREE",
        defaultDeliveryCharge: "0",
        freeShipOverAmount: "0",
      },
      vendorSettings: {
        vatIncluded: true,
        vatRate: "10",
        notiBeforePayment: true,
        notiBeforePaymentDays: 7,
        notiBeforePaymentTime: { hour: 10, minute: 0, second: 0, nano: 0 },
        usageAutoRefund: false,
        paymentAmountScale: null,
        workspace: "",
        customDomain: { status: "NONE", domain: null },
        returnOrigins: [],
        draftInvoicesByDefault: false,
        recoveryShadowMode: null,
        recoveryPooling: false,
      },
      vendorTerms: { useCheckBox: false, termsAgree: [] },
      cmsIntegration: { consumerKey: null, consumerSecret: null, hasConsumerSecret: false },
      apps: [],
      checkFirstActivation: false,
      surveyed: false,
      useDormantCustomer: false,
      useDormantNotification: false,
      useAuth: false,
      useStore: false,
      usePayout: false,
      currencyLock: false,
      realmEmailAsUsername: true,
      realmIdentityProviderId: null,
      realmName: "",
      checkFailBuilder: "",
    });
  });

  test("costs no statement for the fields that its token gives, and one for all others", async () => {
    const cost = async (selection: string) => {
      gateway.statements.length = 0;
      await gateway.queryRawData(selection);
      return gateway.statements.filter(({ text }) => !text.includes(`"api_keys"`)).length;
    };
    expect(
      await cost("{ vendor { id databaseId uuid name zoneId currency country sandbox enabled createdAt now } }"),
    ).toBe(0);
    expect(await cost(`{ vendor { ...Whole } } ${vendorFragment}`)).toBe(1);
    expect(await cost("{ vendor { surveyed } }")).toBe(1);
  });

  test("is found by its global id with all its fields", async () => {
    const vendor = await gateway.openVendor();
    const { vendor: own } = await gateway.queryData("{ vendor { id } }", {}, vendor);
    const { node } = await gateway.queryData(
      `query ($id: ID!) { node(id: $id) { ... on Vendor { id vendorSettings { vatRate } } } }`,
      { id: own.id },
      vendor,
    );
    expect(node).toEqual({ id: own.id, vendorSettings: { vatRate: "10" } });
  });
});

describe("updateVendor", () => {
  test("sets what is sent and leaves the rest", async () => {
    const vendor = await gateway.openVendor();
    const before = await read(vendor);
    const told = {
      name: "Bean Club",
      description: "Coffee, monthly.",
      email: "hello@example.com",
      contactUrl: "https://example.com/help",
      featuredImageUrl: "https://example.com/bean.png",
      country: "US",
      currency: "USD",
    };
    const { data } = await update(told, vendor);
    expect(data!.updateVendor.vendor).toEqual({ ...before, ...told });
    const refused = await update({ email: null }, vendor);
    expect(refused.errors).toMatchObject([{ extensions: { details: { fields: [{ path: "input.email" }] } } }]);
    const renamed = await update({ name: "Bean Society" }, vendor);
    expect(renamed.data!.updateVendor.vendor).toEqual({ ...before, ...told, name: "Bean Society" });
    expect(await read(vendor)).toEqual({ ...before, ...told, name: "Bean Society" });
  });

  test("refuses another base currency once the vendor has priced records, or when it is locked", async () => {
    const [priced, rated, locked] = [
      await gateway.openVendor(),
      await gateway.openVendor(),
      await gateway.openVendor(),
    ];
    await registerCoverFixture(gateway, priced);
    await setExchangeRate(gateway, "USD", "0.00072", rated);
    await updateVendorSettings(gateway, { currencyLock: true }, locked);
    for (const vendor of [priced, rated, locked]) {
      expect(refusalCodeOf(await update({ name: "Other", currency: "USD" }, vendor))).toBe("CURRENCY_LOCKED");
      expect(await read(vendor)).toMatchObject({ name: "Test vendor", currency: "KRW" });
      expect(refusalCodeOf(await update({ currency: "KRW" }, vendor))).toBeUndefined();
    }
  });

  test.each([
    [{ currency: "XAU" }, "input.currency"],
    [{ currency: "krw" }, "input.currency"],
    [{ country: "kr" }, "input.country"],
    [{ email: "nobody" }, "input.email"],
    [{ name: " " }, "input.name"],
  ])("refuses %j", async (input, path) => {
    const answer = await update(input);
    expect([refusalCodeOf(answer), errorPathsOf(answer)]).toEqual(["INVALID_ARGUMENT", [path]]);
  });
});
