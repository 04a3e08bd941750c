/**
 * Whether the long form of the tests runs (`npm run test:long`): more rounds of each fault and more random cases, all
 * with the seeds of the short form, which belongs to every test run.
 */
export const isLong = process.env["TEST_FORM"] === "long";

/** The number of rounds, cases or seconds in the current form. */
export const inForm = (short: number, long: number): number => (isLong ? long : short);
