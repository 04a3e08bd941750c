/** The outcome of a renewal whose first attempt failed. */
export interface FailedRenewalOutcome {
  code: string;
  failedDaysAgo: number;
  /** The dates of the retries that failed too. */
  retriedDaysAgo: number[];
  paidDaysAgo?: number;
  canceledDaysAgo?: number;
}

/** A customer of the coffee club, and the outcome of the last renewal. */
export interface DemoPayer {
  name: string;
  email: string;
  phone: string;
  country: string;
  timeZone: string;
  outcome: "paid" | "open" | FailedRenewalOutcome;
}

const payerOf = (
  name: string,
  email: string,
  phone: string,
  place: Pick<DemoPayer, "country" | "timeZone">,
  outcome: DemoPayer["outcome"],
): DemoPayer => ({
  name,
  email: `${email}@example.com`,
  phone,
  ...place,
  outcome,
});

const seoul = { country: "KR", timeZone: "Asia/Seoul" };
const newYork = { country: "US", timeZone: "America/New_York" };
const losAngeles = { country: "US", timeZone: "America/Los_Angeles" };
const berlin = { country: "DE", timeZone: "Europe/Berlin" };

/** The customers: at least one for each outcome of a renewal. */
export const payers: readonly DemoPayer[] = [
  payerOf("Kim Seo-yeon", "seoyeon.kim", "01023456701", seoul, "open"),
  payerOf("Lee Min-jun", "minjun.lee", "01023456702", seoul, "paid"),
  payerOf("Park Ji-woo", "jiwoo.park", "01023456703", seoul, {
    code: "51",
    failedDaysAgo: 9,
    retriedDaysAgo: [8],
    paidDaysAgo: 6,
  }),
  payerOf("Choi Ha-eun", "haeun.choi", "01023456704", seoul, {
    code: "91",
    failedDaysAgo: 12,
    retriedDaysAgo: [],
    paidDaysAgo: 11,
  }),
  payerOf("Jung Do-yun", "doyun.jung", "01023456705", seoul, { code: "41", failedDaysAgo: 4, retriedDaysAgo: [] }),
  payerOf("Olivia Brown", "olivia.brown", "+12125550106", newYork, {
    code: "54",
    failedDaysAgo: 5,
    retriedDaysAgo: [],
  }),
  payerOf("Noah Williams", "noah.williams", "+14155550107", losAngeles, {
    code: "51",
    failedDaysAgo: 2,
    retriedDaysAgo: [1],
  }),
  payerOf("Emma Fischer", "emma.fischer", "+49305550108", berlin, { code: "05", failedDaysAgo: 1, retriedDaysAgo: [] }),
  payerOf("Han Ye-jun", "yejun.han", "01023456709", seoul, {
    code: "61",
    failedDaysAgo: 6,
    retriedDaysAgo: [5],
    canceledDaysAgo: 4,
  }),
  payerOf("Mia Garcia", "mia.garcia", "+13055550110", newYork, {
    code: "51",
    failedDaysAgo: 20,
    retriedDaysAgo: [19, 17, 15, 10, 6],
  }),
  // A code that no table knows: it is to be mapped, and shows what it cost so far.
  payerOf("Song Ji-ho", "jiho.song", "01023456711", seoul, {
    code: "R77",
    failedDaysAgo: 8,
    retriedDaysAgo: [7],
    canceledDaysAgo: 3,
  }),
];
