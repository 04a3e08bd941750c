/** The standard error for which intervals are tightest: two points. Fixed, because it must not depend on what is seen. */
const TIGHTEST_ERROR = 0.02;

/**
 * Half the width of an asymptotic confidence sequence: with a probability of `1 - alpha` no interval of all those that are ever looked
 * at misses the true value. The boundary is the Gaussian mixture of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
 * "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), arXiv:2103.06476:
 *
 *     error × sqrt( (1 + 1/x) × log( (1 + x) / alpha² ) ),   x = rho² / error²
 *
 * where 1/error² is their intrinsic time. Their approximation of the best rho sets it for one error.
 */
export function halfWidthOf(error: number, alpha: number): number {
  const logs = -2 * Math.log(alpha);
  const x = (logs + Math.log(logs + 1)) * (TIGHTEST_ERROR / error) ** 2;
  return error * Math.sqrt((1 + 1 / x) * (logs + Math.log1p(x)));
}
