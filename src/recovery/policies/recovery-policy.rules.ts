import type { FinalAction, PaymentMethod, PlanKind, ReasonClass } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { invalidFields, type FieldFault } from "../../kernel/refusals.ts";
import { policyWith, type Override, type Plan, type Policy, type QuietHours } from "../engine/policy.ts";

/** A plan as a merchant words it. */
export interface ToldPlan {
  kind: PlanKind;
  offsetsInDays?: readonly number[] | null;
  tries?: number | null;
  windowInDays?: number | null;
}

interface ToldQuiet {
  quietFrom?: string | null;
  quietUntil?: string | null;
}

interface ToldOverride extends ToldQuiet {
  country?: string | null;
  paymentMethod?: PaymentMethod | null;
  reasonClass?: ReasonClass | null;
  plan?: ToldPlan | null;
}

/** The terms of a policy as a merchant words them. */
export interface ToldTerms extends ToldQuiet {
  plan: ToldPlan;
  overrides?: readonly ToldOverride[] | null;
  tryPrice?: Amount | null;
  finalAction?: FinalAction | null;
}

const MOST_TRIES = 60;
const MOST_DAYS = 90;
const MOST_OVERRIDES = 50;

/** Reads terms, and collects what is wrong with them. */
class Reader {
  readonly faults: FieldFault[] = [];

  plan(path: string, { kind, offsetsInDays, tries, windowInDays }: ToldPlan): Plan {
    if (kind === "LADDER") {
      const offsets = offsetsInDays ?? [];
      const rises = offsets.every((days, index) => index === 0 || days > offsets[index - 1]!);
      if (offsets.length === 0 || offsets.length > MOST_TRIES || !rises || offsets.at(-1)! > MOST_DAYS)
        this.fault(`${path}.offsetsInDays`, `must be 1 to ${MOST_TRIES} days in rising order, up to day ${MOST_DAYS}.`);
      for (const [name, value] of Object.entries({ tries, windowInDays }))
        if (value != null) this.fault(`${path}.${name}`, "does not go with a ladder.");
      return { kind, offsetsInDays: offsets };
    }
    if (offsetsInDays != null) this.fault(`${path}.offsetsInDays`, "goes with a ladder only.");
    if (tries == null || tries > MOST_TRIES) this.fault(`${path}.tries`, `must be 1 to ${MOST_TRIES}.`);
    if (windowInDays == null || windowInDays > MOST_DAYS)
      this.fault(`${path}.windowInDays`, `must be 1 to ${MOST_DAYS}.`);
    return { kind, tries: tries ?? 1, windowInDays: windowInDays ?? 1 };
  }

  quiet(path: string, { quietFrom, quietUntil }: ToldQuiet): QuietHours | null {
    if (quietFrom == null && quietUntil == null) return null;
    const [from, until] = [this.minute(`${path}quietFrom`, quietFrom), this.minute(`${path}quietUntil`, quietUntil)];
    if (from !== null && from === until) this.fault(`${path}quietUntil`, "must differ from their begin.");
    return from === null || until === null ? null : { from, until };
  }

  override(path: string, told: ToldOverride): Override {
    const { country, paymentMethod, reasonClass, plan } = told;
    const quietHours = this.quiet(`${path}.`, told);
    if (country == null && paymentMethod == null && reasonClass == null)
      this.fault(path, "must have a condition: country, paymentMethod or reasonClass.");
    if (!plan && !quietHours) this.fault(path, "must have a term that differs: plan, or quietFrom and quietUntil.");
    return {
      country: country ?? null,
      paymentMethod: paymentMethod ?? null,
      reasonClass: reasonClass ?? null,
      ...(plan && { plan: this.plan(`${path}.plan`, plan) }),
      ...(quietHours && { quietHours }),
    };
  }

  fault(path: string, message: string): void {
    this.faults.push({ path, code: "INVALID_VALUE", message });
  }

  private minute(path: string, text: string | null | undefined): number | null {
    const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text ?? "") ?? [];
    if (hour && minute) return Number(hour) * 60 + Number(minute);
    this.fault(path, 'must be a time of day such as "22:00".');
    return null;
  }
}

/**
 * The policy that a merchant's terms make.
 * @throws a Refusal that names every value that is wrong; `path` is where the terms stand in the request.
 */
export function policyFrom(told: ToldTerms, version: string, path: string): Policy {
  const reader = new Reader();
  const overrides = told.overrides ?? [];
  if (overrides.length > MOST_OVERRIDES)
    reader.fault(`${path}.overrides`, `must have at most ${MOST_OVERRIDES} entries.`);
  const policy = policyWith(version, reader.plan(`${path}.plan`, told.plan), {
    quietHours: reader.quiet(`${path}.`, told),
    overrides: overrides.map((one, index) => reader.override(`${path}.overrides[${index}]`, one)),
    tryPrice: told.tryPrice ?? null,
    finalAction: told.finalAction ?? null,
  });
  if (reader.faults.length > 0) throw invalidFields(reader.faults);
  return policy;
}

/** A minute of the day as a clock shows it. */
export const clockTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
