import { describe, expect, test } from "vitest";
import { Vault } from "../../src/kernel/vault.ts";
import { rowsOf } from "../hostile/rows.ts";
import { startGateway, SECRETS_KEY, type RequestOptions } from "../support/gateway.ts";
import { registerShop } from "../support/shop.ts";

const gateway = await startGateway();

const whole = `fragment Whole on Vendor {
  name enabled sandbox zoneId currency country parentUuid firstManagerUuid manager { uuid } description email contactUrl
  featuredImageUrl secretKey paymentKey
  deliveryCharge { useDefaultCourier useDeliveryCharge useLocalShipCharge jejuShipAmount islandAndMountainShipAmount
    defaultCourierId deliveryChargeType defaultDeliveryCharge freeShipOverAmount }
  vendorSettings { vatIncluded vatRate notiBeforePayment notiBeforePaymentDays notiBeforePaymentTime { hour minute second nano }
    usageAutoRefund paymentAmountScale workspace customDomain { status domain } returnOrigins draftInvoicesByDefault }
  vendorTerms { useCheckBox termsAgree { field title order content } }
  cmsIntegration { consumerKey consumerSecret hasConsumerSecret }
  apps { productCode priceCode status installed subscriptionId settings }
  checkFirstActivation surveyed useDormantCustomer useDormantNotification useAuth useStore usePayout currencyLock
  realmEmailAsUsername realmIdentityProviderId realmName checkFailBuilder
}`;

const read = async (options?: RequestOptions) =>
  (await gateway.data(`{ vendor { ...Whole } } ${whole}`, {}, options)).vendor;

const update = (input: object, options?: RequestOptions) =>
  gateway.graphql(
    `mutation ($input: UpdateVendorInput!) { updateVendor(input: $input) { vendor { ...Whole } } } ${whole}`,
    { input },
    options,
  );

const updateSettings = (input: object, options?: RequestOptions) =>
  gateway.graphql(
    `mutation ($input: UpdateVendorSettingsInput!) { updateVendorSettings(input: $input) { vendor { ...Whole } } } ${whole}`,
    { input },
    options,
  );

const setRate = (currency: string, rate: unknown, options?: RequestOptions) =>
  gateway.graphql(
    `mutation ($input: SetExchangeRateInput!) { setExchangeRate(input: $input) { exchangeRates { currency rate modifiedAt } } }`,
    { input: { currency, rate } },
    options,
  );

const codeOf = ({ errors }: { errors: { extensions: Record<string, any> }[] | undefined }) =>
  errors?.[0]?.extensions["code"];
const faultsOf = ({ errors }: { errors: { extensions: Record<string, any> }[] | undefined }) =>
  errors?.[0]?.extensions["details"]?.fields.map(({ path }: { path: string }) => path);

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

  test("costs no statement where its token tells all, and one for whatever is selected besides", async () => {
    const cost = async (selection: string) => {
      gateway.statements.length = 0;
      await gateway.data(selection);
      return gateway.statements.filter(({ text }) => !text.includes(`"api_keys"`)).length;
    };
    expect(
      await cost("{ vendor { id databaseId uuid name zoneId currency country sandbox enabled createdAt now } }"),
    ).toBe(0);
    expect(await cost(`{ vendor { ...Whole } } ${whole}`)).toBe(1);
    expect(await cost("{ vendor { surveyed } }")).toBe(1);
  });

  test("is found by its global id with all that it has", async () => {
    const vendor = await gateway.openVendor();
    const { vendor: own } = await gateway.data("{ vendor { id } }", {}, vendor);
    const { node } = await gateway.data(
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
    expect(data.updateVendor.vendor).toEqual({ ...before, ...told });
    const renamed = await update({ name: "Bean Society", email: null }, vendor);
    expect(renamed.data.updateVendor.vendor).toEqual({ ...before, ...told, name: "Bean Society" });
    expect(await read(vendor)).toEqual({ ...before, ...told, name: "Bean Society" });
  });

  test("keeps the base currency once something is in it, or where it is locked", async () => {
    const [priced, rated, locked] = [
      await gateway.openVendor(),
      await gateway.openVendor(),
      await gateway.openVendor(),
    ];
    await registerShop(gateway, priced);
    await setRate("USD", "0.00072", rated);
    await updateSettings({ currencyLock: true }, locked);
    for (const vendor of [priced, rated, locked]) {
      expect(codeOf(await update({ name: "Other", currency: "USD" }, vendor))).toBe("CURRENCY_LOCKED");
      expect(await read(vendor)).toMatchObject({ name: "Test vendor", currency: "KRW" });
      expect(codeOf(await update({ currency: "KRW" }, vendor))).toBeUndefined();
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
    expect([codeOf(answer), faultsOf(answer)]).toEqual(["INVALID_ARGUMENT", [path]]);
  });
});

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
      },
      cmsIntegration: { consumerKey: "ck_1", consumerSecret: null, hasConsumerSecret: true },
      checkFirstActivation: flat.checkFirstActivation,
      realmIdentityProviderId: flat.realmIdentityProviderId,
    };
    expect(data.updateVendorSettings.vendor).toMatchObject(changed);
    expect(await read(vendor)).toEqual(data.updateVendorSettings.vendor);

    // Null takes away what may be absent, and says nothing of the rest.
    const cleared = await updateSettings(
      {
        paymentAmountScale: null,
        customDomain: null,
        realmIdentityProviderId: null,
        vatRate: null,
        deliveryCharge: { defaultCourierId: null, useDeliveryCharge: null },
        cmsIntegration: { consumerSecret: null },
        returnOrigins: [],
      },
      vendor,
    );
    expect(cleared.data.updateVendorSettings.vendor).toEqual({
      ...data.updateVendorSettings.vendor,
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
    expect([codeOf(answer), faultsOf(answer)]).toEqual([
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
    expect(faultsOf(await updateSettings({ returnOrigins: [origin] }))).toEqual(["input.returnOrigins[0]"]);
  });

  test.each(["127.0.0.1", "localhost", "-a.example.com", "a..com", `${"a".repeat(64)}.com`, ""])(
    "refuses the domain %j",
    async (customDomain) => {
      expect(faultsOf(await updateSettings({ customDomain }))).toEqual(["input.customDomain"]);
    },
  );

  test("refuses more origins than a vendor can need, and no known zone", async () => {
    const many = Array.from({ length: 21 }, (_, index) => `https://shop${index}.example.com`);
    expect(faultsOf(await updateSettings({ returnOrigins: many }))).toEqual(["input.returnOrigins"]);
    expect(faultsOf(await updateSettings({ zoneId: "Mars/Olympus" }))).toEqual(["input.zoneId"]);
  });
});

describe("the secret of an integration", () => {
  const stored = async (vendorId: number) => {
    const [row] = await rowsOf<{ secret: Buffer }>(
      gateway,
      `select consumer_secret as secret from vendor_settings where vendor_id = ${vendorId}`,
    );
    return row!.secret;
  };

  test("is stored encrypted for its vendor alone", async () => {
    const [one, other] = [await gateway.openVendor(), await gateway.openVendor()];
    for (const vendor of [one, other]) await updateSettings({ cmsIntegration: { consumerSecret: "cs_beans" } }, vendor);
    const sealed = await stored(one.id);
    expect(sealed.includes("cs_beans")).toBe(false);
    expect(sealed).not.toEqual(await stored(other.id));
    const vault = new Vault([SECRETS_KEY]);
    expect(vault.open(sealed, `vendor_settings.consumer_secret ${one.id}`)).toBe("cs_beans");
    expect(() => vault.open(sealed, `vendor_settings.consumer_secret ${other.id}`)).toThrow();
  });

  test("stays while other things change, and no read shows it", async () => {
    const vendor = await gateway.openVendor();
    await updateSettings({ cmsIntegration: { consumerKey: "ck", consumerSecret: "cs_beans" } }, vendor);
    const { data } = await updateSettings({ cmsIntegration: { consumerKey: "ck2" }, surveyed: true }, vendor);
    expect(data.updateVendorSettings.vendor.cmsIntegration).toEqual({
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
    keyless.graphql(
      "mutation ($input: UpdateVendorSettingsInput!) { updateVendorSettings(input: $input) { vendor { surveyed cmsIntegration { consumerKey hasConsumerSecret } } } }",
      { input },
    );

  test("a secret is refused, and with it all that was sent; anything else is taken", async () => {
    const refused = await send({ surveyed: true, cmsIntegration: { consumerKey: "ck", consumerSecret: "cs" } });
    expect([refused.status, codeOf(refused)]).toEqual([200, "SECRETS_KEY_MISSING"]);
    expect((await keyless.data("{ vendor { surveyed } }")).vendor.surveyed).toBe(false);
    const taken = await send({ cmsIntegration: { consumerKey: "ck", consumerSecret: null } });
    expect(taken.data.updateVendorSettings.vendor.cmsIntegration).toEqual({
      consumerKey: "ck",
      hasConsumerSecret: false,
    });
  });
});

describe("exchange rates", () => {
  test("are set one by one, and listed by currency", async () => {
    const vendor = await gateway.openVendor();
    const modifiedAt = "2026-03-01T09:30:00.000Z";
    await setRate("USD", "0.00072", vendor);
    await setRate("JPY", 0.11, vendor);
    const again = await setRate("USD", "0.000715", vendor);
    const rates = [
      { currency: "JPY", rate: "0.11", modifiedAt },
      { currency: "USD", rate: "0.000715", modifiedAt },
    ];
    expect(again.data.setExchangeRate.exchangeRates).toEqual(rates);
    const { exchangeRates } = await gateway.data("{ exchangeRates { currency rate modifiedAt } }", {}, vendor);
    expect(exchangeRates).toEqual(rates);
    const others = await gateway.data("{ exchangeRates { currency } }", {}, await gateway.openVendor());
    expect(others.exchangeRates).toEqual([]);
  });

  test("have decimals enough for a weak currency in a strong one", async () => {
    const vendor = await gateway.openVendor();
    const { data } = await setRate("KWD", "0.000222717149", vendor);
    expect(data.setExchangeRate.exchangeRates).toMatchObject([{ currency: "KWD", rate: "0.000222717149" }]);
  });

  test("are taken away, each once, and those of others stay", async () => {
    const [vendor, other] = [await gateway.openVendor(), await gateway.openVendor()];
    for (const { token } of [vendor, other]) await setRate("USD", "0.00072", { token });
    await setRate("JPY", "0.11", vendor);
    const remove = () =>
      gateway.data(
        'mutation { removeExchangeRate(input: { currency: "USD" }) { exchangeRates { currency } } }',
        {},
        vendor,
      );
    const left = { removeExchangeRate: { exchangeRates: [{ currency: "JPY" }] } };
    expect([await remove(), await remove()]).toEqual([left, left]);
    expect(await gateway.data("{ exchangeRates { currency } }", {}, other)).toEqual({
      exchangeRates: [{ currency: "USD" }],
    });
  });

  test.each([
    ["KRW", "1", "input.currency"],
    ["XAU", "1", "input.currency"],
    ["USD", "0", "input.rate"],
    ["USD", "-1", "input.rate"],
    ["USD", "0.0000000000001", "input.rate"],
    ["USD", "1234567890.1234567", "input.rate"],
  ])("refuse %s at %s", async (currency, rate, path) => {
    const answer = await setRate(currency, rate);
    expect([codeOf(answer), faultsOf(answer)]).toEqual(["INVALID_ARGUMENT", [path]]);
  });
});
