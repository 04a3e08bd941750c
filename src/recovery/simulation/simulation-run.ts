import { breachesOf, type Charge } from "./breach-checker.ts";
import type { Chance } from "./random-source.ts";
import type { Contender, Story } from "./retry-strategy.ts";
import type { Outcome } from "./policy-outcome.ts";
import { charged } from "./payment-validation.ts";
import { Queue } from "./time-ordered-queue.ts";
import type { FailedPayment } from "./world.ts";

const DAY_MS = 86_400_000;

/** How long a payment is followed: 28 days of the payer's clock, which may have been put back by an hour meanwhile. */
export const WINDOW_MS = 28 * DAY_MS + 3_600_000;

/** Something that happens to a payment: its first failure, a change of the payment method, a try. */
interface Happening {
  at: number;
  index: number;
  kind: "FAILURE" | "CHANGE" | "TRY";
  /** What the policy told of the try. */
  probability: number | null;
}

/** A payment whose story goes on. */
interface Running {
  payment: FailedPayment;
  story: Story;
  /** Charges on the present card. */
  charges: Charge[];
  /** Whether a try is awaited. */
  trying: boolean;
}

/**
 * Plays payments under a policy as a caller would live through them: every report and every charge of all payments in order of
 * time. `chance` is turned to a stream for each charge, by these keys, so that a case draws the same under every policy.
 */
export function play(
  payments: readonly FailedPayment[],
  contender: Contender,
  chance: Chance,
  keys: readonly number[],
): Outcome {
  const run = new Run(payments, contender, chance, keys);
  run.toTheEnd();
  return run.outcome();
}

class Run {
  private readonly queue = new Queue<Happening>();
  private readonly running: Running[];
  private readonly days: Float64Array<ArrayBuffer>;
  private readonly tries: Uint16Array<ArrayBuffer>;
  private readonly breaches: Uint16Array<ArrayBuffer>;
  private readonly told = { probability: [] as number[], approved: [] as number[], index: [] as number[] };
  private firstBreach: string | null = null;

  constructor(
    payments: readonly FailedPayment[],
    private readonly contender: Contender,
    private readonly chance: Chance,
    private readonly keys: readonly number[],
  ) {
    this.days = new Float64Array(payments.length).fill(NaN);
    this.tries = new Uint16Array(payments.length);
    this.breaches = new Uint16Array(payments.length);
    this.running = payments.map((payment, index) => ({
      payment,
      story: storyOf(payment, index),
      charges: [{ at: payment.failedAt.getTime(), code: payment.code, adviceCode: payment.adviceCode }],
      trying: false,
    }));
    for (const [index, { failedAt, methodChangedAt = [] }] of payments.entries()) {
      this.expect("FAILURE", failedAt, index);
      for (const at of methodChangedAt) if (at > failedAt) this.expect("CHANGE", at, index);
    }
  }

  toTheEnd(): void {
    for (let next = this.queue.pop(); next; next = this.queue.pop()) {
      const one = this.running[next.index]!;
      // Who was paid has nothing more to tell, nor has a caller who fell silent.
      const isPaid = !Number.isNaN(this.days[next.index]);
      if (isPaid || next.at >= (one.payment.silentFrom?.getTime() ?? Infinity)) continue;
      const now = new Date(next.at);
      if (next.kind === "FAILURE") this.ask(one, now);
      else if (next.kind === "CHANGE") this.change(one, now);
      else this.try(one, now, next.probability);
    }
  }

  outcome(): Outcome {
    const { contender, days, tries, breaches, firstBreach, told } = this;
    const { name, label, baseline } = contender;
    return {
      ...{ name, label, baseline, days, tries, breaches, firstBreach },
      told: {
        probability: Float64Array.from(told.probability),
        approved: Uint8Array.from(told.approved),
        index: Uint32Array.from(told.index),
      },
    };
  }

  /** What lies behind the window does not happen. */
  private expect(kind: Happening["kind"], at: Date, index: number, probability: number | null = null): boolean {
    const within = at.getTime() <= this.running[index]!.payment.failedAt.getTime() + WINDOW_MS;
    if (within) this.queue.push({ at: at.getTime(), index, kind, probability });
    return within;
  }

  private ask(one: Running, now: Date): void {
    const wanted = this.contender.next(one.story, now);
    if (wanted && !(wanted.at > now)) throw new Error(`${this.contender.name} wants a try at a time that has passed.`);
    one.trying = wanted !== null && this.expect("TRY", wanted.at, one.story.index, wanted.probability);
  }

  /** A new card: the trying goes on with it, or begins anew where it was over. */
  private change(one: Running, now: Date): void {
    one.charges = [];
    if (one.trying) one.story.methodChanges.push(now);
    else {
      one.story = { ...one.story, windowStart: now, declines: [], methodChanges: [], used: null };
      this.ask(one, now);
    }
  }

  private try(one: Running, now: Date, probability: number | null): void {
    const { story, charges, payment } = one;
    const { index } = story;
    const broken = breachesOf(story.network ?? null, charges, now.getTime());
    if (broken.length > 0) {
      this.breaches[index]!++;
      this.firstBreach ??= `payment ${index} at ${now.toISOString()}: ${broken.join("; ")}`;
    }
    this.chance.turnTo(...this.keys, index, ++this.tries[index]!);
    const answer = charged(payment, now, index);
    if (probability !== null) {
      this.told.probability.push(probability);
      this.told.approved.push(answer.approved ? 1 : 0);
      this.told.index.push(index);
    }
    if (answer.approved) {
      this.days[index] = (now.getTime() - payment.failedAt.getTime()) / DAY_MS;
      return;
    }
    const { code, message, adviceCode } = answer;
    story.declines.push({ at: now, code, message, adviceCode });
    charges.push({ at: now.getTime(), code, adviceCode });
    story.used = now;
    this.ask(one, now);
  }
}

/** What is known when a payment has just failed. */
export function storyOf(payment: FailedPayment, index: number): Story {
  const { failedAt, amount, currency, country, timeZone, gateway, network, payerId } = payment;
  const { code, message, adviceCode } = payment;
  return {
    ...{ index, amount, currency, country, timeZone, gateway, network, payerId },
    windowStart: failedAt,
    declines: [{ at: failedAt, code, message, adviceCode }],
    methodChanges: [],
    used: null,
  };
}
