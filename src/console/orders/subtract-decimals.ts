const DECIMAL = /^(\d+)(?:[.](\d+))?$/;

/** One decimal minus another, exactly; undefined if the other is no decimal. */
export function subtractDecimals(minuend: string, subtrahend: string): string | undefined {
  const [one, other] = [DECIMAL.exec(minuend), DECIMAL.exec(subtrahend)];
  if (!one || !other) return undefined;
  const places = Math.max(one[2]?.length ?? 0, other[2]?.length ?? 0);
  const scaled = ([, whole = "", fraction = ""]: RegExpExecArray) => BigInt(whole + fraction.padEnd(places, "0"));
  const difference = scaled(one) - scaled(other);
  const digits = String(difference < 0n ? -difference : difference).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return `${difference < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${digits.slice(-places)}`}`;
}
