import type { GraphQLResponse, RequestOptions, TestGateway } from "./test-gateway.ts";

/** All readable fields of a vendor, as the fragment Whole. */
export const vendorFragment = `fragment Whole on Vendor {
  name enabled sandbox zoneId currency country parentUuid firstManagerUuid manager { uuid } description email contactUrl
  featuredImageUrl secretKey paymentKey
  deliveryCharge { useDefaultCourier useDeliveryCharge useLocalShipCharge jejuShipAmount islandAndMountainShipAmount
    defaultCourierId deliveryChargeType defaultDeliveryCharge freeShipOverAmount }
  vendorSettings { vatIncluded vatRate notiBeforePayment notiBeforePaymentDays notiBeforePaymentTime { hour minute second nano }
    usageAutoRefund paymentAmountScale workspace customDomain { status domain } returnOrigins draftInvoicesByDefault
    recoveryShadowMode recoveryPooling }
  vendorTerms { useCheckBox termsAgree { field title order content } }
  cmsIntegration { consumerKey consumerSecret hasConsumerSecret }
  apps { productCode priceCode status installed subscriptionId settings }
  checkFirstActivation surveyed useDormantCustomer useDormantNotification useAuth useStore usePayout currencyLock
  realmEmailAsUsername realmIdentityProviderId realmName checkFailBuilder
}`;

/** The vendor of a token. */
export const readVendor = async (gateway: TestGateway, options?: RequestOptions) =>
  (await gateway.queryData(`{ vendor { ...Whole } } ${vendorFragment}`, {}, options)).vendor;

/** Changes the settings of the vendor of a token. */
export const updateVendorSettings = (gateway: TestGateway, input: object, options?: RequestOptions) =>
  gateway.sendGraphQL(
    `mutation ($input: UpdateVendorSettingsInput!) { updateVendorSettings(input: $input) { vendor { ...Whole } } } ${vendorFragment}`,
    { input },
    options,
  );

/** The code of a refusal. */
export const refusalCodeOf = ({ errors }: Pick<GraphQLResponse, "errors">) => errors?.[0]?.extensions.code;

/** The paths of all errors in a request. */
export const errorPathsOf = ({ errors }: Pick<GraphQLResponse, "errors">) =>
  errors?.[0]?.extensions.details?.fields?.map(({ path }) => path);

/** Sets the rate of the base currency in another one. */
export const setExchangeRate = (gateway: TestGateway, currency: string, rate: unknown, options?: RequestOptions) =>
  gateway.sendGraphQL(
    `mutation ($input: SetExchangeRateInput!) { setExchangeRate(input: $input) { exchangeRates { currency rate modifiedAt } } }`,
    { input: { currency, rate } },
    options,
  );
