import { z } from "zod";
import { NoFigureReason } from "../../../schema/vocabulary.ts";
import { storedInstant, toStoredJson, type StoredJson } from "../engine/decision-record.ts";
import type { Backtest } from "./backtest.service.ts";

const storedValue = z.object({ value: z.number(), low: z.number(), high: z.number() });
const storedPolicyValue = z
  .object({ recovered: storedValue, amount: storedValue, attempts: storedValue, effectiveSampleSize: z.number() })
  .nullable();

const storedBacktest = z.object({
  from: storedInstant,
  until: storedInstant,
  madeAt: storedInstant,
  modelVersion: z.string().nullable(),
  cases: z.number(),
  noFigureReason: z.enum(NoFigureReason).nullable(),
  effectiveSampleSize: z.number(),
  unsupported: z.number(),
  current: storedPolicyValue,
  proposed: storedPolicyValue,
  difference: storedPolicyValue,
  differenceByWeights: storedPolicyValue,
  skipped: z.object({ running: z.number(), unreported: z.number(), unreadable: z.number() }),
}) satisfies z.ZodType<Backtest>;

/** A backtest as it is kept with its policy. */
export const toStoredBacktest = (backtest: Backtest): StoredJson => toStoredJson(backtest);

/** The backtest that is kept with a policy; null if there is none, or if it is of another version of the gateway. */
export const readStoredBacktest = (stored: StoredJson | null): Backtest | null =>
  (stored && storedBacktest.safeParse(stored).data) ?? null;

/** Whether chance alone does not explain that the proposed policy recovers less. */
export const isWorse = ({ difference }: Pick<Backtest, "difference">): boolean =>
  difference !== null && difference.recovered.high < 0;

/** The warning of a policy whose last backtest was worse; null if there is nothing to warn of. */
export function warningOf(backtest: Backtest | null): string | null {
  if (!backtest?.difference || !isWorse(backtest)) return null;
  const points = ({ value }: { value: number }) => (Math.abs(value) * 100).toFixed(1);
  const { recovered } = backtest.difference;
  const [low, high] = [points({ value: recovered.high }), points({ value: recovered.low })];
  return `The last backtest says that this policy recovers ${points(recovered)} percentage points of the cases less than the recorded policies did (95 % interval: ${low} to ${high}).`;
}
