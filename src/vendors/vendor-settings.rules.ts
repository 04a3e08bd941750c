import type { Amount } from "../kernel/amounts.ts";
import { parseUrl } from "../kernel/parsed-url.ts";
import type { FieldError } from "../kernel/refusals.ts";

/** A time of day, in the vendor's time zone. */
export interface TimeOfDayFields {
  hour: number;
  minute?: number | null;
  second?: number | null;
}

/** Hours after the delivery at which a worker applies the timed transitions of order items, in this order. */
export interface FinishTimes {
  finishedAfterHours: number;
  exchangeUntilHours: number;
  returnUntilHours: number;
}

/** The settings that have limits beyond their type. */
export interface ValidatedSettings {
  vatRate?: Amount | null;
  paymentAmountScale?: number | null;
  notiBeforePaymentDays?: number | null;
  notiBeforePaymentTime?: TimeOfDayFields | null;
  finishTimes?: FinishTimes | null;
  returnOrigins?: readonly string[] | null;
  customDomain?: string | null;
  vendorTerms?: { termsAgree?: readonly unknown[] | null } | null;
}

const MAX_RETURN_ORIGINS = 20;
const MAX_TERMS = 50;
const MAX_FINISH_HOURS = 87_600;

/** Validates settings. @returns all validation errors, each with the path of its field. */
export function settingsErrorsOf(settings: ValidatedSettings): FieldError[] {
  const fieldErrors: FieldError[] = [];
  const require = (holds: boolean, path: string, message: string) => {
    if (!holds) fieldErrors.push({ path, code: "INVALID_VALUE", message });
  };
  const requireFromZeroTo = (value: number | null | undefined, max: number, path: string) => {
    require(value == null || (value >= 0 && value <= max), path, `must be from 0 to ${max}.`);
  };
  require(settings.vatRate?.lte(100) ?? true, "vatRate", "must be from 0 to 100 per cent.");
  requireFromZeroTo(settings.paymentAmountScale, 6, "paymentAmountScale");
  requireFromZeroTo(settings.notiBeforePaymentDays, 365, "notiBeforePaymentDays");
  requireFromZeroTo(settings.notiBeforePaymentTime?.hour, 23, "notiBeforePaymentTime.hour");
  requireFromZeroTo(settings.notiBeforePaymentTime?.minute, 59, "notiBeforePaymentTime.minute");
  requireFromZeroTo(settings.notiBeforePaymentTime?.second, 59, "notiBeforePaymentTime.second");
  if (settings.finishTimes) {
    const { finishedAfterHours, exchangeUntilHours, returnUntilHours } = settings.finishTimes;
    require(finishedAfterHours >= 1, "finishTimes.finishedAfterHours", "must be at least 1.");
    require(exchangeUntilHours >
      finishedAfterHours, "finishTimes.exchangeUntilHours", "must be greater than finishedAfterHours.");
    require(returnUntilHours > exchangeUntilHours &&
      returnUntilHours <=
        MAX_FINISH_HOURS, "finishTimes.returnUntilHours", `must be greater than exchangeUntilHours and at most ${MAX_FINISH_HOURS}.`);
  }
  const origins = settings.returnOrigins ?? [];
  require(origins.length <= MAX_RETURN_ORIGINS, "returnOrigins", `must have at most ${MAX_RETURN_ORIGINS} entries.`);
  for (const [index, origin] of origins.entries())
    require(normalizeOrigin(origin) !==
      undefined, `returnOrigins[${index}]`, "must be an origin of http or https without a path, such as https://shop.example.com.");
  const { customDomain } = settings;
  require(customDomain == null || isDomain(customDomain), "customDomain", "must be a domain, such as pay.example.com.");
  const terms = settings.vendorTerms?.termsAgree ?? [];
  require(terms.length <= MAX_TERMS, "vendorTerms.termsAgree", `must have at most ${MAX_TERMS} entries.`);
  return fieldErrors;
}

/** Normalizes an http or https origin as browsers do, or returns undefined for other text. */
export function normalizeOrigin(text: string): string | undefined {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

const DOMAIN_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const DOMAIN_PATTERN = new RegExp(`^(?:${DOMAIN_LABEL}[.])+(?!\\d+$)${DOMAIN_LABEL}$`, "i");

const isDomain = (text: string): boolean => text.length <= 253 && DOMAIN_PATTERN.test(text);

/** Seconds since midnight. */
export const secondsSinceMidnight = ({ hour, minute, second }: TimeOfDayFields): number =>
  hour * 3600 + (minute ?? 0) * 60 + (second ?? 0);
