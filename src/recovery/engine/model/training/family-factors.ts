import { itemAt, lastOf } from "../../../../kernel/required-values.ts";

/** No family has more than this share of what a pooled model learns from. */
const MAX_FAMILY_SHARE = 0.25;

/**
 * By what the attempts of each family are multiplied, so that none has more than a share of all: those with more than a bound
 * are reduced to it, and the bound is the largest that keeps to the share. `sizes` are the families' weights, above 0, of at
 * least as many families as the share needs.
 */
export function familyFactors(sizes: readonly number[], maxShare = MAX_FAMILY_SHARE): number[] {
  const bound = largestBound(
    sizes.toSorted((a, b) => a - b),
    maxShare,
  );
  return sizes.map((size) => Math.min(1, bound / size));
}

/** The largest bound such that `bound <= maxShare × Σ min(size, bound)`. */
function largestBound(sorted: readonly number[], maxShare: number): number {
  let total = sorted.reduce((sum, size) => sum + size, 0);
  if (maxShare * total >= lastOf(sorted)) return lastOf(sorted);
  for (let reduced = 1; reduced < sorted.length; reduced++) {
    // So many of the largest families are reduced to the bound, and it is above all others.
    total -= itemAt(sorted, sorted.length - reduced);
    const bound = (maxShare * total) / (1 - maxShare * reduced);
    if (bound >= itemAt(sorted, sorted.length - 1 - reduced)) return bound;
  }
  return itemAt(sorted, 0);
}
