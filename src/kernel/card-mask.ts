/** Groups of digits that single spaces or hyphens hold together. */
const CLUSTERS = /\d+(?:[ -]\d+)*/g;

/** Lengths of card numbers by ISO/IEC 7812-1. */
const [SHORTEST, LONGEST] = [12, 19];

/**
 * Masks all but the last four digits of everything that could be a card number, written in one or in groups, whatever digits
 * stand around it. Free text from a gateway sometimes carries one, and what is not stored cannot leak.
 */
export const maskCardNumbers = (text: string): string =>
  text.replace(CLUSTERS, (cluster) => (cluster.length < SHORTEST ? cluster : maskCluster(cluster)));

function maskCluster(cluster: string): string {
  const groups = [...cluster.matchAll(/\d+/g)].map((match) => ({
    from: match.index,
    until: match.index + match[0].length,
  }));
  for (const [start, { from }] of groups.entries()) {
    // No card number has more groups than digits, so a text of lonely digits costs no more than any other.
    for (const { until } of groups.slice(start, start + LONGEST).reverse()) {
      if (!isCardNumber(cluster.slice(from, until).replace(/\D/g, ""))) continue;
      return cluster.slice(0, from) + maskNumber(cluster.slice(from, until)) + maskCardNumbers(cluster.slice(until));
    }
  }
  return cluster;
}

/** Keeps the last four digits, wherever the groups end. */
const maskNumber = (number: string): string => number.replace(/\d(?=(?:[ -]?\d){4})/g, "*");

function isCardNumber(digits: string): boolean {
  return digits.length >= SHORTEST && digits.length <= LONGEST && passesLuhn(digits);
}

/** The check digit scheme of ISO/IEC 7812-1 annex B. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
