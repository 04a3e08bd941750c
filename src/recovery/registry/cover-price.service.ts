import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { invalidFields } from "../../kernel/refusals.ts";
import { sentFields } from "../../kernel/sent-fields.ts";
import type { CoverPriceRecord, CoverPriceRepository } from "./cover-price.repository.ts";
import { registerRecord } from "./registration.ts";

/** The billing cycle of a plan; all null for a one-time plan. */
export type CoverPriceCycle = Pick<CoverPriceRecord, "isRecurring" | "recurringInterval" | "recurringIntervalCount">;

/** A price plan as a merchant registers one. */
export interface CoverPriceRegistration {
  name: string;
  productId: number;
  price: Amount;
  partnerPriceId: string;
  isRecurring?: boolean | null;
  recurringInterval?: RecurringInterval | null;
  recurringIntervalCount?: number | null;
  replaceIfExists?: boolean | null;
}

/** Keeps the price plans of the recovery module. */
export class CoverPriceService {
  constructor(
    private readonly deps: {
      coverPriceRepository: CoverPriceRepository;
      now: Date;
    },
  ) {}

  async register(vendorId: number, input: CoverPriceRegistration): Promise<CoverPriceRecord> {
    const { replaceIfExists, isRecurring, recurringInterval, recurringIntervalCount, ...fields } = input;
    const cycle = { isRecurring, recurringInterval, recurringIntervalCount };
    const { record } = await registerRecord(this.deps.coverPriceRepository, vendorId, {
      noun: "price plan",
      partnerId: fields.partnerPriceId,
      replaceIfExists: replaceIfExists ?? false,
      newValues: () => ({ ...fields, ...resolveCycle(cycle), createdAt: this.deps.now, modifiedAt: this.deps.now }),
      replacementValues: (existing) => ({
        ...sentFields(fields),
        ...resolveCycle(cycle, existing),
        modifiedAt: this.deps.now,
      }),
    });
    return record;
  }
}

/** The cycle from the sent and the existing fields: a plan recurs if it says so, or if it has an interval. */
function resolveCycle(
  sentCycle: { [K in keyof CoverPriceCycle]?: CoverPriceCycle[K] | null },
  existing?: CoverPriceCycle,
): CoverPriceCycle {
  const { isRecurring, recurringInterval, recurringIntervalCount } = sentCycle;
  if (!(isRecurring ?? (recurringInterval ? true : (existing?.isRecurring ?? false)))) {
    return { isRecurring: false, recurringInterval: null, recurringIntervalCount: null };
  }
  const interval = recurringInterval ?? existing?.recurringInterval;
  if (!interval) {
    const message = "is required when the plan is recurring.";
    throw invalidFields([{ path: "recurringInterval", code: "REQUIRED", message }]);
  }
  return {
    isRecurring: true,
    recurringInterval: interval,
    recurringIntervalCount: recurringIntervalCount ?? existing?.recurringIntervalCount ?? 1,
  };
}
