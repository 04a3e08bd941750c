/** Six digits are the same on every machine; the last bits of an exponential are not. */
export const roundToSixDigits = (value: number): number => Math.round(value * 1e6) / 1e6;
