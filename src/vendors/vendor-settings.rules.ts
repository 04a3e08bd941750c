import type { Amount } from "../kernel/amounts.ts";
import type { FieldFault } from "../kernel/refusals.ts";

/** A time of the day, in the vendor's zone. */
export interface TimeOfDay {
  hour: number;
  minute?: number | null;
  second?: number | null;
}

/** Hours after the arrival of goods at which time leads their order items on, in this order. */
export interface FinishTimes {
  finishedAfterHours: number;
  exchangeUntilHours: number;
  returnUntilHours: number;
}

/** Those of a vendor's settings that may not have any value that their type has. */
export interface RuledSettings {
  vatRate?: Amount | null;
  paymentAmountScale?: number | null;
  notiBeforePaymentDays?: number | null;
  notiBeforePaymentTime?: TimeOfDay | null;
  finishTimes?: FinishTimes | null;
  returnOrigins?: readonly string[] | null;
  customDomain?: string | null;
  vendorTerms?: { termsAgree?: readonly unknown[] | null } | null;
}

const MOST_ORIGINS = 20;
const MOST_TERMS = 50;
const MOST_HOURS = 87_600;

/** All that is wrong with settings, each with its path. */
export function faultsOf(settings: RuledSettings): FieldFault[] {
  const faults: FieldFault[] = [];
  const unless = (holds: boolean, path: string, message: string) => {
    if (!holds) faults.push({ path, code: "INVALID_VALUE", message });
  };
  const within = (value: number | null | undefined, most: number, path: string) => {
    unless(value == null || (value >= 0 && value <= most), path, `must be from 0 to ${most}.`);
  };
  unless(settings.vatRate?.lte(100) ?? true, "vatRate", "must be from 0 to 100 per cent.");
  within(settings.paymentAmountScale, 6, "paymentAmountScale");
  within(settings.notiBeforePaymentDays, 365, "notiBeforePaymentDays");
  within(settings.notiBeforePaymentTime?.hour, 23, "notiBeforePaymentTime.hour");
  within(settings.notiBeforePaymentTime?.minute, 59, "notiBeforePaymentTime.minute");
  within(settings.notiBeforePaymentTime?.second, 59, "notiBeforePaymentTime.second");
  if (settings.finishTimes) {
    const { finishedAfterHours, exchangeUntilHours, returnUntilHours } = settings.finishTimes;
    unless(finishedAfterHours >= 1, "finishTimes.finishedAfterHours", "must be at least 1.");
    unless(
      exchangeUntilHours > finishedAfterHours,
      "finishTimes.exchangeUntilHours",
      "must be greater than finishedAfterHours.",
    );
    unless(
      returnUntilHours > exchangeUntilHours && returnUntilHours <= MOST_HOURS,
      "finishTimes.returnUntilHours",
      `must be greater than exchangeUntilHours and at most ${MOST_HOURS}.`,
    );
  }
  const origins = settings.returnOrigins ?? [];
  unless(origins.length <= MOST_ORIGINS, "returnOrigins", `must have at most ${MOST_ORIGINS} entries.`);
  for (const [index, origin] of origins.entries())
    unless(
      originOf(origin) !== undefined,
      `returnOrigins[${index}]`,
      "must be an origin of http or https without a path, such as https://shop.example.com.",
    );
  const { customDomain } = settings;
  unless(customDomain == null || isDomain(customDomain), "customDomain", "must be a domain, such as pay.example.com.");
  const terms = settings.vendorTerms?.termsAgree ?? [];
  unless(terms.length <= MOST_TERMS, "vendorTerms.termsAgree", `must have at most ${MOST_TERMS} entries.`);
  return faults;
}

/** An origin as browsers write it, or undefined for anything else. */
export function originOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const DOMAIN = new RegExp(`^(?:${LABEL}[.])+(?!\\d+$)${LABEL}$`, "i");

const isDomain = (text: string): boolean => text.length <= 253 && DOMAIN.test(text);

/** Seconds since midnight. */
export const secondsOf = ({ hour, minute, second }: TimeOfDay): number =>
  hour * 3600 + (minute ?? 0) * 60 + (second ?? 0);
