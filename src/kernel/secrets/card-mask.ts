import { itemAt, lastOf } from "../required-values.ts";
/** Groups of digits joined by single spaces or hyphens. */
const DIGIT_CLUSTERS = /\d+(?:[ -]\d+)*/g;

/** Card numbers by the prefixes of their issuers, each with the lengths that it gives out. */
const ISSUER_PATTERNS = [
  // Visa
  /4\d{12}(?:\d{3}){0,2}/,
  // Mastercard
  /5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}/,
  // American Express
  /3[47]\d{13}/,
  // Diners Club
  /3(?:0[0-5]|095|[689]\d)\d{11,16}/,
  // JCB
  /35(?:2[89]|[3-8]\d)\d{12,15}/,
  // Discover
  /6(?:011|4[4-9]\d|5\d\d)\d{12,15}/,
  // UnionPay
  /(?:62\d\d|81[0-7]\d)\d{12,15}/,
  // Maestro
  /(?:50(?:18|20|38)|5893|6304|67(?:59|6[1-3]))\d{8,15}/,
  // Mir
  /220[0-4]\d{12,15}/,
  // RuPay
  /(?:508[5-9]|60(?:69|[78]\d))\d{12}/,
  // Cards of Korea alone
  /94\d{14}/,
] as const;

const [MIN_CARD_DIGITS, MAX_CARD_DIGITS] = [12, 19];

const CARD_NUMBER = new RegExp(`^(?:${ISSUER_PATTERNS.map(({ source }) => source).join("|")})$`);

/** The possible prefixes of card numbers: they exclude most other numbers. */
const CARD_PREFIX = /^(?:4|5[0-58]|2[2-7]|3[05-9]|34|6|81|94)/;

/**
 * Masks all but the last four digits of every card number in a text, in one piece or in groups, whatever digits
 * surround it: an issuer's prefix with one of its lengths, and a valid check digit. Free text sometimes contains one,
 * and an unsaved number cannot leak. Identifiers, phones and amounts are not free text, and are never passed here.
 */
export const maskCardNumbers = (text: string): string =>
  text.replace(DIGIT_CLUSTERS, (cluster) => (cluster.length < MIN_CARD_DIGITS ? cluster : maskCluster(cluster)));

function maskCluster(cluster: string): string {
  const groups = cluster.split(/[ -]/);
  const digits = groups.join("");
  // The bounds of the groups, counted in digits.
  const bounds = [0];
  for (const group of groups) bounds.push(lastOf(bounds) + group.length);
  const masked = new Set<number>();
  for (let start = 0; start < groups.length; start++) {
    const from = itemAt(bounds, start);
    const end = CARD_PREFIX.test(digits.slice(from, from + 2)) ? findCardEnd(digits, bounds, start) : undefined;
    if (end === undefined) continue;
    for (let at = from; at < itemAt(bounds, end) - UNMASKED_DIGITS; at++) masked.add(at);
    start = end - 1;
  }
  if (masked.size === 0) return cluster;
  let at = 0;
  return cluster.replace(/\d/g, (digit) => (masked.has(at++) ? "*" : digit));
}

/** Number of unmasked digits, to distinguish cards. */
const UNMASKED_DIGITS = 4;

/** The group behind the longest card number that begins with a group; no number has more groups than digits. */
function findCardEnd(digits: string, bounds: readonly number[], start: number): number | undefined {
  const from = itemAt(bounds, start);
  let end = start;
  while (end + 1 < bounds.length && itemAt(bounds, end + 1) - from <= MAX_CARD_DIGITS) end++;
  for (; itemAt(bounds, end) - from >= MIN_CARD_DIGITS; end--) {
    const number = digits.slice(from, bounds[end]);
    if (CARD_NUMBER.test(number) && passesLuhn(number)) return end;
  }
  return undefined;
}

/** The check digit scheme of ISO/IEC 7812-1 annex B. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
