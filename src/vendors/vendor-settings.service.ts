import type { DeliveryChargeType } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import type { Amount, Rate } from "../kernel/amounts.ts";
import { invalid, invalidField, invalidFields } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import { refuseNulls, sentFields, nonNullFields } from "../kernel/sent-fields.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { toSettingsEvents } from "./vendor-settings.events.ts";
import type { VendorRecord, VendorRepository } from "./vendor.repository.ts";
import type { VendorSettingsRepository, VendorSettingsValues } from "./vendor-settings.repository.ts";
import {
  settingsErrorsOf,
  normalizeOrigin,
  secondsSinceMidnight,
  type ValidatedSettings,
} from "./vendor-settings.rules.ts";

/** The changes of a vendor. Absent fields keep their values. */
export interface VendorFields {
  name?: string | null;
  description?: string | null;
  email?: string | null;
  contactUrl?: string | null;
  featuredImageUrl?: string | null;
  country?: string | null;
  currency?: string | null;
}

/** The changes of a vendor's delivery settings. Absent fields keep their values. */
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

/** A clause of the terms that buyers accept. */
interface VendorTermFields {
  field: boolean;
  title: string;
  order: number;
  content: string;
}

/** The changes of a vendor's settings. Absent fields keep their values. */
export interface VendorSettingsFields extends ValidatedSettings {
  zoneId?: string | null;
  vatIncluded?: boolean | null;
  notiBeforePayment?: boolean | null;
  usageAutoRefund?: boolean | null;
  workspace?: string | null;
  draftInvoicesByDefault?: boolean | null;
  recoveryShadowMode?: boolean | null;
  recoveryPooling?: boolean | null;
  deliveryCharge?: DeliveryChargeFields | null;
  vendorTerms?: { useCheckBox?: boolean | null; termsAgree?: VendorTermFields[] | null } | null;
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

/** The encryption context of a vendor's secret. */
const encryptionContextOf = (vendorId: number): string => `vendor_settings.consumer_secret ${vendorId}`;

/** Changes a vendor's profile, settings and exchange rates. */
export class VendorSettingsService {
  constructor(
    private readonly deps: {
      vendorSettingsRepository: VendorSettingsRepository;
      vendorRepository: VendorRepository;
      vault: SecretVault;
      events: EventService;
      now: Date;
    },
  ) {}

  /** @throws a Refusal CURRENCY_LOCKED if the base currency is locked or amounts in it exist. */
  async updateVendor(vendor: VendorRecord, fields: VendorFields): Promise<void> {
    refuseNulls(fields, []);
    const { name, country, currency, ...settingsFields } = fields;
    const changesCurrency = currency != null && currency !== vendor.currency;
    if (changesCurrency && (await this.deps.vendorSettingsRepository.isCurrencyLocked(vendor.id)))
      throw invalid(
        "CURRENCY_LOCKED",
        `The base currency ${vendor.currency} cannot be changed: it is locked, or the vendor has amounts in it.`,
      );
    await this.deps.vendorRepository.update(vendor.id, {
      ...nonNullFields({ name, country, currency }),
      modifiedAt: this.deps.now,
    });
    await this.deps.vendorSettingsRepository.update(vendor.id, nonNullFields(settingsFields));
    await this.deps.events.recordModuleEvents(vendor.id, ...toSettingsEvents(vendor.id, "updateVendor", fields));
  }

  /** @throws a Refusal INVALID_ARGUMENT that names every invalid value, SECRETS_KEY_MISSING or MODEL_OF_PARENT. */
  async updateSettings(vendorId: number, fields: VendorSettingsFields): Promise<void> {
    const { deliveryCharge, vendorTerms, cmsIntegration } = fields;
    refuseNulls(fields, ["paymentAmountScale", "realmIdentityProviderId", "customDomain", "recoveryShadowMode"]);
    refuseNulls(deliveryCharge ?? {}, ["defaultCourierId"], "deliveryCharge.");
    refuseNulls(vendorTerms ?? {}, [], "vendorTerms.");
    refuseNulls(cmsIntegration ?? {}, ["consumerKey", "consumerSecret"], "cmsIntegration.");
    const fieldErrors = settingsErrorsOf(fields);
    if (fieldErrors.length > 0) throw invalidFields(fieldErrors);
    if (fields.recoveryPooling && (await this.deps.vendorRepository.byId(vendorId))?.parentId != null)
      throw invalid("MODEL_OF_PARENT", "A child vendor uses the model of its parent; the parent shares its retries.");
    await this.deps.vendorRepository.update(vendorId, {
      ...nonNullFields({ zoneId: fields.zoneId }),
      modifiedAt: this.deps.now,
    });
    await this.deps.vendorSettingsRepository.update(vendorId, {
      ...settingsColumns(fields),
      ...this.integrationColumns(vendorId, fields),
    });
    await this.deps.events.recordModuleEvents(vendorId, ...toSettingsEvents(vendorId, "updateVendorSettings", fields));
  }

  /** @throws a Refusal INVALID_ARGUMENT for the base currency, or if the rate is not above zero. */
  async setExchangeRate(vendor: VendorRecord, currency: string, rate: Rate): Promise<void> {
    if (currency === vendor.currency) throw invalidField("currency", "is the base currency; its rate is 1.");
    if (!rate.gt(0)) throw invalidField("rate", "must be above zero.");
    await this.deps.vendorSettingsRepository.setExchangeRate(vendor.id, currency, rate, this.deps.now);
    await this.deps.events.recordModuleEvents(
      vendor.id,
      ...toSettingsEvents(vendor.id, "setExchangeRate", { [currency]: rate }),
    );
  }

  /** Removes the exchange rate of a currency. Idempotent. */
  async removeExchangeRate(vendorId: number, currency: string): Promise<void> {
    await this.deps.vendorSettingsRepository.removeExchangeRate(vendorId, currency);
    await this.deps.events.recordModuleEvents(
      vendorId,
      ...toSettingsEvents(vendorId, "removeExchangeRate", { [currency]: null }),
    );
  }

  /** Encrypts secrets of older keys with the first key. @returns the number of these secrets. */
  async reencryptSecrets(): Promise<number> {
    const outdated = (await this.deps.vendorSettingsRepository.encryptedSecrets()).filter(
      ({ sealed }) => !this.deps.vault.isEncryptedWithCurrentKey(sealed),
    );
    for (const { vendorId, sealed } of outdated) {
      const encryptionContext = encryptionContextOf(vendorId);
      await this.deps.vendorSettingsRepository.replaceSecret(
        vendorId,
        sealed,
        this.deps.vault.encrypt(this.deps.vault.decrypt(sealed, encryptionContext), encryptionContext),
      );
    }
    return outdated.length;
  }

  private integrationColumns(vendorId: number, { cmsIntegration }: VendorSettingsFields): VendorSettingsValues {
    const { consumerKey, consumerSecret } = cmsIntegration ?? {};
    return {
      ...sentFields({ consumerKey }),
      ...(consumerSecret !== undefined && {
        consumerSecret: consumerSecret ? this.deps.vault.encrypt(consumerSecret, encryptionContextOf(vendorId)) : null,
      }),
    };
  }
}

/** Converts the sent settings to columns. */
function settingsColumns({
  zoneId: _,
  cmsIntegration: __,
  paymentAmountScale,
  notiBeforePaymentTime,
  finishTimes,
  returnOrigins,
  customDomain,
  realmIdentityProviderId,
  recoveryShadowMode,
  deliveryCharge,
  vendorTerms,
  ...fields
}: VendorSettingsFields): VendorSettingsValues {
  const { defaultCourierId, ...delivery } = deliveryCharge ?? {};
  return {
    ...nonNullFields({ ...fields, ...delivery }),
    ...sentFields({ paymentAmountScale, realmIdentityProviderId, recoveryShadowMode, defaultCourierId }),
    ...nonNullFields({ termsUseCheckBox: vendorTerms?.useCheckBox, termsAgree: vendorTerms?.termsAgree }),
    ...finishTimes,
    ...(notiBeforePaymentTime && { notiBeforePaymentTime: secondsSinceMidnight(notiBeforePaymentTime) }),
    ...(returnOrigins && {
      returnOrigins: [...new Set(returnOrigins.map((origin) => required(normalizeOrigin(origin), "the origin")))],
    }),
    ...customDomainColumns(customDomain),
  };
}

/** A new domain is PENDING until it points to this service. */
function customDomainColumns(domain: string | null | undefined): VendorSettingsValues {
  if (domain === undefined) return {};
  return domain === null
    ? { customDomain: null, customDomainStatus: "NONE" }
    : { customDomain: domain.toLowerCase(), customDomainStatus: "PENDING" };
}
