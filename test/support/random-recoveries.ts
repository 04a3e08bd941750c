import { RandomSource } from "../../src/recovery/simulation/random-source.ts";
import { TimeOrderedQueue } from "../../src/recovery/simulation/time-ordered-queue.ts";
import { runMutation, createCoverFixture } from "./cover-mutations.ts";
import type { TestGateway, TestVendor } from "./test-gateway.ts";
import { uniqueName, type CoverFixture } from "./fixtures/cover-fixture.ts";

/* Merchants whose payments fail in every way that they can report, by both protocols, under every type of policy. */

const HOUR = 3_600_000;
const payers = [
  {},
  { country: "KR", timeZone: "Asia/Seoul" },
  { country: "US", timeZone: "America/New_York" },
  { country: "DE", timeZone: "Europe/Berlin" },
  { country: "AU", timeZone: "Australia/Lord_Howe" },
  { country: "MA", timeZone: "Africa/Casablanca" },
];
const codes = "51 51 51 61 65 05 91 96 59 83 62 52 Q7 q8 insufficient_funds 41 54 55 94".split(" ");
const messages = [undefined, "잔액부족", "한도초과", "Do not honor", "timed out", "nobody knows"];
const networks = [undefined, "VISA", "MASTERCARD", "AMEX", "OTHER", "SEPA", "ACH"];
const advice = [undefined, undefined, undefined, "02", "24", "25", "26", "27", "28", "29", "30", "40", "01", "03"];
const gateways = ["PROVIDER_02", "PROVIDER_03", "UNKNOWN"];
const methods = ["CARD", "CMS", undefined];

const policies = [
  null,
  {
    plan: { kind: "EVEN", maxRetries: 8, windowInDays: 28 },
    ...{ quietFrom: "22:00", quietUntil: "08:00", retryCost: "35.5", finalAction: "PAUSE" },
    overrides: [
      { country: "DE", reasonClass: "GENERIC_REFUSAL", plan: { kind: "LADDER", offsetsInDays: [2, 9] } },
      { paymentMethod: "CMS", quietFrom: "01:00", quietUntil: "03:30" },
    ],
  },
  { plan: { kind: "SMART", maxRetries: 3, windowInDays: 12 }, finalAction: "CANCEL" },
  { plan: { kind: "LADDER", offsetsInDays: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 60] }, finalAction: "EXPIRE" },
];

/** Policies of vendors whose retries sometimes succeed, so that a model of their own is trained. */
const learnedPolicies = [
  { plan: { kind: "SMART", maxRetries: 8, windowInDays: 28 }, exploration: { share: 0.2 } },
  {
    plan: { kind: "SMART", maxRetries: 5, windowInDays: 20 },
    ...{ exploration: { share: 0.5 }, quietFrom: "23:00", quietUntil: "07:30", retryCost: "2000" },
  },
];

/** The law of those vendors: a retry works in the morning by Greenwich. */
const chanceAt = (at: Date): number => (at.getUTCHours() < 7 ? 0.5 : 0.1);

/** What is generated. */
export interface RecoveriesToGenerate {
  /** Number of decisions under policies without a model of the vendor's own. */
  decisions: number;
  /** Number of decisions by models of the vendors' own: half before a retraining, half after it. */
  learned?: number;
  /** Number of decisions before the first training. */
  history?: number;
  /** Trains the model of a vendor. */
  train?: (vendor: TestVendor) => Promise<void>;
}

/** A cover in progress, and when its merchant charges next. */
interface OpenCover {
  at: number;
  index: number;
  vendor: TestVendor;
  isLearned: boolean;
  orderId: number;
  subscriptionId: number;
  network: string | undefined;
}

/** Makes a gateway take decisions, and returns its vendors. */
export async function generateDecisions(
  gateway: TestGateway,
  { decisions, learned = 0, history = 0, train = () => Promise.resolve() }: RecoveriesToGenerate,
): Promise<{ vendors: TestVendor[]; learning: TestVendor[] }> {
  const random = new RandomSource(decisions);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)]!;
  const vendors = await Promise.all(policies.map((terms) => createVendorWithPolicy(gateway, terms)));
  const learning =
    learned === 0 ? [] : await Promise.all(learnedPolicies.map((terms) => createVendorWithPolicy(gateway, terms)));
  const open = new TimeOrderedQueue<OpenCover>();
  const counts = { fixed: 0, learning: 0 };
  // Few at once where few decisions are made, so that covers come to their end.
  const most = Math.min(60, Math.ceil((decisions + learned) / 20));
  const trainings = learned === 0 ? [] : [history, history + learned / 2];
  let running = 0;

  const decline = () => ({ errorCode: random.next() < 0.1 ? undefined : pick(codes), errorMessage: pick(messages) });
  const scheduleNext = (cover: OpenCover, retryDate: string | null) => {
    counts[cover.isLearned ? "learning" : "fixed"]++;
    if (!retryDate) return;
    const due = Date.parse(retryDate) - gateway.clock.now().getTime();
    // At its date, a little early or late, outside the schedule, or long after it passed.
    const wait = pick([due, due, due - 4 * 60_000, due + 1, due * random.next(), due + 90 * HOUR]);
    open.push({ ...cover, at: gateway.clock.now().getTime() + Math.max(wait, 1_000) });
    running++;
  };
  const startCover = async () => {
    const isLearned = counts.learning * decisions < counts.fixed * (history + learned);
    const vendor = pick(isLearned ? learning : vendors);
    const shop = await createCoverFixture(gateway, pick(payers), vendor);
    const order = await registerFailedOrder(gateway, vendor, shop, {
      ...decline(),
      ...chargeFacts(pick),
      network: pick(networks),
      adviceCode: pick(advice),
    });
    const { databaseId: orderId, retryDate } = order;
    const { subscriptionId } = shop;
    const identity = { index: orderId, orderId, subscriptionId, network: pick(networks) };
    scheduleNext({ at: 0, vendor, isLearned, ...identity }, retryDate);
  };
  const reportFailure = async ({ orderId, subscriptionId, vendor, network }: OpenCover): Promise<string | null> => {
    // No two reports have the same words, so that none counts as a repeat.
    const words = { ...decline(), errorMessage: `${pick(messages) ?? "said"} ${uniqueName("time")}` };
    const body = { orderId, subscriptionId, ...words };
    if (random.next() < 0.5) {
      const input = { ...body, network, adviceCode: pick(advice), initiator: pick(["MERCHANT", "CUSTOMER"]) };
      return (await runMutation(gateway, "startRecovery", input, undefined, vendor)).cover.retryDate;
    }
    return (await gateway.readRestBody("POST", "/cover/recovery", body, vendor)).retryDate;
  };

  const isPaid = ({ isLearned }: OpenCover) => isLearned && random.next() < chanceAt(gateway.clock.now());

  while (counts.fixed < decisions || counts.learning < history + learned) {
    if (trainings[0] !== undefined && counts.learning >= trainings[0]) {
      trainings.shift();
      for (const vendor of learning) await train(vendor);
    }
    if (running < most) {
      gateway.clock.advance(Math.floor(random.next() * HOUR));
      await startCover();
      continue;
    }
    const cover = open.pop()!;
    running--;
    if (cover.at > gateway.clock.now().getTime()) gateway.clock.setTo(new Date(cover.at));
    if (isPaid(cover))
      await runMutation(gateway, "reportCoverOrderPaid", { orderId: cover.orderId }, undefined, cover.vendor);
    else scheduleNext(cover, await reportFailure(cover));
  }
  return { vendors, learning };
}

const chargeFacts = (one: <T>(of: readonly T[]) => T) => ({
  paymentGateway: one(gateways),
  paymentMethod: one(methods),
  amount: one(["18900", "0.07", "99999999.99"]),
});

async function registerFailedOrder(gateway: TestGateway, vendor: TestVendor, shop: CoverFixture, rest: object) {
  const { customerId, priceId, subscriptionId } = shop;
  const input = {
    ...{ customerId, subscriptionId, items: [{ priceId, quantity: 1 }], paymentFailed: true },
    partnerOrderId: uniqueName("order"),
    ...rest,
  };
  return (await runMutation(gateway, "registerCoverOrder", input, undefined, vendor)).order;
}

async function createVendorWithPolicy(gateway: TestGateway, terms: object | null): Promise<TestVendor> {
  const vendor = await gateway.openVendor();
  const mapped = { paymentGateway: "PROVIDER_03", errorCode: "q7", reasonClass: "INSUFFICIENT_FUNDS" };
  await runMutation(gateway, "mapDeclineCode", mapped, undefined, vendor);
  if (!terms) return vendor;
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, vendor);
  await runMutation(gateway, "activateRecoveryPolicy", { policyId: String(policy.databaseId) }, undefined, vendor);
  return vendor;
}
