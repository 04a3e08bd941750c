import type { FinalAction, PaymentMethod, RetryPlanKind, ReasonClass } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { invalidFields, type FieldError } from "../../kernel/refusals.ts";
import { itemAt, lastOf } from "../../kernel/required-values.ts";
import {
  AUTOMATIC_MODEL,
  createPolicy,
  isSmart,
  type ExplorationTerms,
  NO_MODEL,
  type TermsOverride,
  type PolicyPlan,
  type Policy,
  type QuietHoursWindow,
} from "../engine/policy.ts";

/** A plan in a merchant's input. */
export interface RequestedPlan {
  kind: RetryPlanKind;
  offsetsInDays?: readonly number[] | null;
  maxRetries?: number | null;
  windowInDays?: number | null;
}

interface RequestedQuietHours {
  quietFrom?: string | null;
  quietUntil?: string | null;
}

interface RequestedOverride extends RequestedQuietHours {
  country?: string | null;
  paymentMethod?: PaymentMethod | null;
  reasonClass?: ReasonClass | null;
  plan?: RequestedPlan | null;
}

interface RequestedExploration {
  share?: number | null;
  maxAmount?: Amount | null;
}

/** The terms of a policy in a merchant's input. */
export interface RequestedTerms extends RequestedQuietHours {
  plan: RequestedPlan;
  exploration?: RequestedExploration | null;
  overrides?: readonly RequestedOverride[] | null;
  model?: string | null;
  retryCost?: Amount | null;
  finalAction?: FinalAction | null;
}

const MAX_TRIES = 60;
const MAX_DAYS = 90;
const MAX_OVERRIDES = 50;
/** The share of covers that explore under SMART where the merchant chooses none. */
const DEFAULT_EXPLORATION = 0.1;
/** A version is the beginning of a digest. */
const MODEL_VERSION = /^[0-9a-f]{16}$/;

/** Reads terms, and collects what is wrong with them. */
class TermsReader {
  readonly errors: FieldError[] = [];

  readPlan(path: string, { kind, offsetsInDays, maxRetries, windowInDays }: RequestedPlan): PolicyPlan {
    if (kind === "LADDER") {
      const offsets = offsetsInDays ?? [];
      const isRising = offsets.every((days, index) => index === 0 || days > itemAt(offsets, index - 1));
      if (offsets.length === 0 || offsets.length > MAX_TRIES || !isRising || lastOf(offsets) > MAX_DAYS)
        this.addError(
          `${path}.offsetsInDays`,
          `must be 1 to ${MAX_TRIES} days in rising order, up to day ${MAX_DAYS}.`,
        );
      for (const [name, value] of Object.entries({ maxRetries, windowInDays }))
        if (value != null) this.addError(`${path}.${name}`, "cannot be used with a ladder.");
      return { kind, offsetsInDays: offsets };
    }
    if (offsetsInDays != null) this.addError(`${path}.offsetsInDays`, "can be used only with a ladder.");
    if (maxRetries == null || maxRetries > MAX_TRIES) this.addError(`${path}.maxRetries`, `must be 1 to ${MAX_TRIES}.`);
    if (windowInDays == null || windowInDays > MAX_DAYS)
      this.addError(`${path}.windowInDays`, `must be 1 to ${MAX_DAYS}.`);
    return { kind, tries: maxRetries ?? 1, windowInDays: windowInDays ?? 1 };
  }

  readQuietHours(path: string, { quietFrom, quietUntil }: RequestedQuietHours): QuietHoursWindow | null {
    if (quietFrom == null && quietUntil == null) return null;
    const [from, until] = [
      this.readMinute(`${path}quietFrom`, quietFrom),
      this.readMinute(`${path}quietUntil`, quietUntil),
    ];
    if (from !== null && from === until)
      this.addError(`${path}quietUntil`, "must differ from the beginning of the quiet hours.");
    return from === null || until === null ? null : { from, until };
  }

  readOverride(path: string, requested: RequestedOverride): TermsOverride {
    const { country, paymentMethod, reasonClass, plan } = requested;
    const quietHours = this.readQuietHours(`${path}.`, requested);
    if (country == null && paymentMethod == null && reasonClass == null)
      this.addError(path, "must have a condition: country, paymentMethod or reasonClass.");
    if (!plan && !quietHours) this.addError(path, "must have a term that differs: plan, or quietFrom and quietUntil.");
    return {
      country: country ?? null,
      paymentMethod: paymentMethod ?? null,
      reasonClass: reasonClass ?? null,
      ...(plan && { plan: this.readPlan(`${path}.plan`, plan) }),
      ...(quietHours && { quietHours }),
    };
  }

  readExploration(path: string, requested: RequestedExploration, currency: string): ExplorationTerms {
    const share = requested.share ?? DEFAULT_EXPLORATION;
    if (!(share >= 0 && share <= 1)) this.addError(`${path}.share`, "must be 0 to 1.");
    const maxAmount = requested.maxAmount ?? null;
    if (maxAmount?.lt(0)) this.addError(`${path}.maxAmount`, "must not be negative.");
    return { share, maxAmount, currency: maxAmount && currency };
  }

  readModel(path: string, model: string): string {
    if (![AUTOMATIC_MODEL, NO_MODEL].includes(model) && !MODEL_VERSION.test(model))
      this.addError(path, 'must be AUTO, OFF or the version of a model, such as "0123456789abcdef".');
    return model;
  }

  addError(path: string, message: string): void {
    this.errors.push({ path, code: "INVALID_VALUE", message });
  }

  private readMinute(path: string, text: string | null | undefined): number | null {
    const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text ?? "") ?? [];
    if (hour && minute) return Number(hour) * 60 + Number(minute);
    this.addError(path, 'must be a time of day such as "22:00".');
    return null;
  }
}

/**
 * The policy from a merchant's terms. `currency` is the vendor's, which its amounts are in.
 * @throws a Refusal that names every wrong value; `path` is the path of the terms in the request.
 */
export function toPolicy(requested: RequestedTerms, version: string, path: string, currency: string): Policy {
  const reader = new TermsReader();
  const overrides = requested.overrides ?? [];
  if (overrides.length > MAX_OVERRIDES)
    reader.addError(`${path}.overrides`, `must have at most ${MAX_OVERRIDES} entries.`);
  const policy = createPolicy(version, reader.readPlan(`${path}.plan`, requested.plan), {
    quietHours: reader.readQuietHours(`${path}.`, requested),
    overrides: overrides.map((one, index) => reader.readOverride(`${path}.overrides[${index}]`, one)),
    model: reader.readModel(`${path}.model`, requested.model ?? AUTOMATIC_MODEL),
    tryPrice: requested.retryCost ?? null,
    ...(requested.retryCost && { tryPriceCurrency: currency }),
    finalAction: requested.finalAction ?? null,
  });
  if (requested.exploration || isSmart(policy))
    policy.exploration = reader.readExploration(`${path}.exploration`, requested.exploration ?? {}, currency);
  if (reader.errors.length > 0) throw invalidFields(reader.errors);
  return policy;
}

/** A minute of the day as a clock shows it. */
export const formatTimeOfDay = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
