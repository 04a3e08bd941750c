import type { PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { zoneRules } from "../../kernel/zone-rules.ts";
import type { CardTry, CaseAttempt, RecoveryCase } from "../engine/recovery-case.ts";

/** The vendor as far as a scenario needs it. */
export interface ScenarioVendor {
  id: number;
  /** Where the payer's zone is not known, the vendor's holds; so does the country. */
  zoneId: string;
  country: string;
  /** Registered orders are in the vendor's currency, renewals in their own. */
  currency: string;
}

/** What is to be paid. */
export interface Charged {
  amount: Amount;
  paymentGateway: PaymentGateway;
  paymentMethod: PaymentMethod | null;
}

/** What stays the same of a case while its cover runs. */
interface Ground {
  vendor: ScenarioVendor;
  order: Charged;
  payer: { country: string | null } | undefined;
  windowStart: Date;
  zoneId: string;
}

/** What the reports so far have made of it. */
interface Course {
  attempts: CaseAttempt[];
  alongside?: readonly CardTry[];
  promised?: Date | null;
  used?: Date | null;
  due?: Date | null;
  /** When the payer renewed the payment method meanwhile. */
  methodChangedAt?: Date | null;
}

/** The facts of a cover as the engine takes them. */
export const caseOf = (
  { vendor, order, payer, windowStart, zoneId }: Ground,
  { attempts, alongside = [], promised = null, due = null, used = null, methodChangedAt = null }: Course,
): RecoveryCase => ({
  amount: order.amount,
  currency: vendor.currency,
  country: payer?.country ?? vendor.country,
  gateway: order.paymentGateway,
  paymentMethod: order.paymentMethod,
  zone: zoneRules(zoneId, windowStart),
  windowStart,
  attempts,
  alongside,
  events: methodChangedAt ? [{ at: methodChangedAt, kind: "METHOD_CHANGED" }] : [],
  promised,
  due,
  used,
});
