/** Runs of 12 to 19 digits, possibly grouped by single spaces or hyphens, that touch no further digit. */
const DIGIT_RUNS = /(?<!\d)\d(?:[ -]?\d){11,18}(?!\d)/g;

/**
 * Masks all but the last four digits of everything that could be a card number.
 * Free text from a gateway sometimes carries one, and what is not stored cannot leak.
 */
export const maskCardNumbers = (text: string): string =>
  text.replace(DIGIT_RUNS, (run) => (passesLuhn(run.replace(/\D/g, "")) ? maskDigits(run) : run));

function maskDigits(run: string): string {
  let keptFrom = run.length - 4;
  if (/\D/.test(run.slice(keptFrom))) keptFrom -= 1;
  return run.slice(0, keptFrom).replace(/\d/g, "*") + run.slice(keptFrom);
}

/** The check digit scheme of ISO/IEC 7812-1 annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
