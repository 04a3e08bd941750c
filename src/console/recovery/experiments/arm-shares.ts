/** An arm as it is typed in. An empty policy is the first one. */
export interface ArmForm {
  policyId: string;
  percent: string;
}

interface Shares {
  /** Fractions with four decimals, as the API takes them. */
  arms: string[];
  holdout: string;
}

const PERCENT = /^\d{1,2}(?:[.]\d{1,2})?$/;
const PARTS = 10_000;

const toFraction = (parts: number): string => (parts / PARTS).toFixed(4);

/** The shares of arms and holdout, which add up to 1; undefined if a percent cannot be read or nothing is left. */
export function readShares(arms: readonly ArmForm[]): Shares | undefined {
  if (!arms.every(({ percent }) => PERCENT.test(percent.trim()))) return undefined;
  const parts = arms.map(({ percent }) => Math.round(Number(percent) * 100));
  const left = PARTS - parts.reduce((sum, part) => sum + part, 0);
  if (left <= 0 || parts.includes(0)) return undefined;
  return { arms: parts.map(toFraction), holdout: toFraction(left) };
}
