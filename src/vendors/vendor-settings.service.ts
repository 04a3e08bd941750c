import type { DeliveryChargeType } from "../../schema/vocabulary.ts";
import type { Amount, Rate } from "../kernel/amounts.ts";
import { invalid, invalidField, invalidFields } from "../kernel/refusals.ts";
import { refuseNulls, sent, told } from "../kernel/sent-fields.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import type { VendorRecord, VendorRepository } from "./vendor.repository.ts";
import type { VendorSettingsRepository, VendorSettingsValues } from "./vendor-settings.repository.ts";
import { faultsOf, originOf, secondsOf, type RuledSettings } from "./vendor-settings.rules.ts";

/** What changes of a vendor; what is absent stays. */
export interface VendorFields {
  name?: string | null;
  description?: string | null;
  email?: string | null;
  contactUrl?: string | null;
  featuredImageUrl?: string | null;
  country?: string | null;
  currency?: string | null;
}

/** What changes of how a vendor delivers; what is absent stays. */
export interface DeliveryChargeFields {
  useDefaultCourier?: boolean | null;
  useDeliveryCharge?: boolean | null;
  useLocalShipCharge?: boolean | null;
  jejuShipAmount?: Amount | null;
  islandAndMountainShipAmount?: Amount | null;
  defaultCourierId?: string | null;
  deliveryChargeType?: DeliveryChargeType | null;
  defaultDeliveryCharge?: Amount | null;
  freeShipOverAmount?: Amount | null;
}

/** A clause that buyers agree to. */
interface Term {
  field: boolean;
  title: string;
  order: number;
  content: string;
}

/** What changes of a vendor's settings; what is absent stays. */
export interface VendorSettingsFields extends RuledSettings {
  zoneId?: string | null;
  vatIncluded?: boolean | null;
  notiBeforePayment?: boolean | null;
  usageAutoRefund?: boolean | null;
  workspace?: string | null;
  draftInvoicesByDefault?: boolean | null;
  deliveryCharge?: DeliveryChargeFields | null;
  vendorTerms?: { useCheckBox?: boolean | null; termsAgree?: Term[] | null } | null;
  cmsIntegration?: { consumerKey?: string | null; consumerSecret?: string | null } | null;
  surveyed?: boolean | null;
  checkFirstActivation?: boolean | null;
  useDormantCustomer?: boolean | null;
  useDormantNotification?: boolean | null;
  useAuth?: boolean | null;
  useStore?: boolean | null;
  usePayout?: boolean | null;
  currencyLock?: boolean | null;
  realmEmailAsUsername?: boolean | null;
  realmIdentityProviderId?: string | null;
  realmName?: string | null;
  checkFailBuilder?: string | null;
}

/** Where an encrypted secret of a vendor stands. */
const placeOf = (vendorId: number): string => `vendor_settings.consumer_secret ${vendorId}`;

/** Keeps what a vendor says of itself and of how it bills. */
export class VendorSettingsService {
  constructor(
    private readonly settings: VendorSettingsRepository,
    private readonly vendors: VendorRepository,
    private readonly vault: Vault,
    private readonly now: Date,
  ) {}

  /** @throws a Refusal CURRENCY_LOCKED where another base currency would make amounts wrong. */
  async update(vendor: VendorRecord, fields: VendorFields): Promise<void> {
    refuseNulls(fields, []);
    const { name, country, currency, ...described } = fields;
    const changes = currency != null && currency !== vendor.currency;
    if (changes && (await this.settings.currencyIsLocked(vendor.id)))
      throw invalid(
        "CURRENCY_LOCKED",
        `The base currency stays ${vendor.currency}: it is locked, or amounts are in it.`,
      );
    await this.vendors.change(vendor.id, { ...told({ name, country, currency }), modifiedAt: this.now });
    await this.settings.change(vendor.id, told(described));
  }

  /** @throws a Refusal INVALID_ARGUMENT that names every wrong value, or SECRETS_KEY_MISSING. */
  async updateSettings(vendorId: number, fields: VendorSettingsFields): Promise<void> {
    const { deliveryCharge, vendorTerms, cmsIntegration } = fields;
    refuseNulls(fields, ["paymentAmountScale", "realmIdentityProviderId", "customDomain"]);
    refuseNulls(deliveryCharge ?? {}, ["defaultCourierId"], "deliveryCharge.");
    refuseNulls(vendorTerms ?? {}, [], "vendorTerms.");
    refuseNulls(cmsIntegration ?? {}, ["consumerKey", "consumerSecret"], "cmsIntegration.");
    const faults = faultsOf(fields);
    if (faults.length > 0) throw invalidFields(faults);
    await this.vendors.change(vendorId, { ...told({ zoneId: fields.zoneId }), modifiedAt: this.now });
    await this.settings.change(vendorId, { ...valuesOf(fields), ...this.integrationOf(vendorId, fields) });
  }

  /** @throws a Refusal INVALID_ARGUMENT for the base currency, or for a rate of nothing. */
  async setExchangeRate(vendor: VendorRecord, currency: string, rate: Rate): Promise<void> {
    if (currency === vendor.currency) throw invalidField("currency", "is the base currency; its rate is 1.");
    if (!rate.gt(0)) throw invalidField("rate", "must be above zero.");
    await this.settings.setExchangeRate(vendor.id, currency, rate, this.now);
  }

  /** Amounts in the currency are no longer told by a rate. A currency without one changes nothing. */
  async removeExchangeRate(vendorId: number, currency: string): Promise<void> {
    await this.settings.removeExchangeRate(vendorId, currency);
  }

  /** Encrypts with the first key whatever an older one encrypted. @returns how many secrets that were. */
  async rotate(): Promise<number> {
    const old = (await this.settings.sealed()).filter(({ sealed }) => !this.vault.isCurrent(sealed));
    for (const { vendorId, sealed } of old) {
      const place = placeOf(vendorId);
      await this.settings.reseal(vendorId, sealed, this.vault.seal(this.vault.open(sealed, place), place));
    }
    return old.length;
  }

  private integrationOf(vendorId: number, { cmsIntegration }: VendorSettingsFields): VendorSettingsValues {
    const { consumerKey, consumerSecret } = cmsIntegration ?? {};
    return {
      ...sent({ consumerKey }),
      ...(consumerSecret !== undefined && {
        consumerSecret: consumerSecret ? this.vault.seal(consumerSecret, placeOf(vendorId)) : null,
      }),
    };
  }
}

/** The columns of what was sent. */
function valuesOf({
  zoneId: _,
  cmsIntegration: __,
  paymentAmountScale,
  notiBeforePaymentTime,
  finishTimes,
  returnOrigins,
  customDomain,
  realmIdentityProviderId,
  deliveryCharge,
  vendorTerms,
  ...fields
}: VendorSettingsFields): VendorSettingsValues {
  const { defaultCourierId, ...delivery } = deliveryCharge ?? {};
  return {
    ...told({ ...fields, ...delivery }),
    ...sent({ paymentAmountScale, realmIdentityProviderId, defaultCourierId }),
    ...told({ termsUseCheckBox: vendorTerms?.useCheckBox, termsAgree: vendorTerms?.termsAgree }),
    ...finishTimes,
    ...(notiBeforePaymentTime && { notiBeforePaymentTime: secondsOf(notiBeforePaymentTime) }),
    ...(returnOrigins && { returnOrigins: [...new Set(returnOrigins.map((origin) => originOf(origin)!))] }),
    ...domainOf(customDomain),
  };
}

/** A domain that is told anew has yet to lead here. */
function domainOf(domain: string | null | undefined): VendorSettingsValues {
  if (domain === undefined) return {};
  return domain === null
    ? { customDomain: null, customDomainStatus: "NONE" }
    : { customDomain: domain.toLowerCase(), customDomainStatus: "PENDING" };
}
