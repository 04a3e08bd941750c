import type { RenewalStepResult } from "./renewal-runner.service.ts";

const DEFAULT_MAX_CLAIMS = 50;

/** The limits of one turn of charges. */
export interface ChargingTurn {
  /** The most charges that wait for their gateway at the same time. */
  concurrency: number;
  /** The most renewals that are claimed in one transaction. Defaults to 50. */
  maxClaims?: number | undefined;
  /** Whether further charges may begin. The first ones of a turn always begin, so that each turn makes progress. */
  mayContinue: () => boolean;
}

/** A charge to be made now. It calls `release` when its gateway has answered, at the latest when it ends. */
export type StartCharge = (release: () => void) => Promise<RenewalStepResult>;

/** The charges of a claim, and the number of due renewals that it found. */
export interface ClaimedCharges {
  charges: readonly StartCharge[];
  found: number;
}

/**
 * Makes charges at the same time until none is due or the turn is over, and waits for the last ones. Charges are claimed only
 * when they can be sent at once, so that no lease runs out in a queue. A deferred charge ends the turn: a gateway that is away
 * gets no further calls.
 */
export class ConcurrentCharges {
  private readonly underWay = new Set<Promise<void>>();
  private readonly errors: unknown[] = [];
  private sent = 0;
  private stepsDone = 0;
  private isOver = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly turn: ChargingTurn,
    private readonly claim: (limit: number) => Promise<ClaimedCharges>,
  ) {}

  /** @returns the number of renewals that were charged or deferred. @throws the first error of a charge, after the end of all. */
  async run(): Promise<number> {
    while (!this.isOver && (this.stepsDone === 0 || this.turn.mayContinue())) {
      const room = this.room;
      if (room < this.roomToClaim) await this.nextChange();
      else await this.claimCharges(Math.min(room, this.maxClaims));
    }
    await Promise.all(this.underWay);
    if (this.errors.length > 0) throw this.errors[0];
    return this.stepsDone;
  }

  private get maxClaims(): number {
    return this.turn.maxClaims ?? DEFAULT_MAX_CLAIMS;
  }

  /** Room for charges: at the gateway, and as many again whose outcomes are recorded. */
  private get room(): number {
    const { concurrency } = this.turn;
    return Math.min(concurrency - this.sent, 2 * concurrency - this.underWay.size);
  }

  /** Claims of many renewals cost little more than that of one, so that they wait until there is room for some. */
  private get roomToClaim(): number {
    return Math.min(Math.ceil(this.turn.concurrency / 2), Math.ceil(this.maxClaims / 2));
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  private async claimCharges(limit: number): Promise<void> {
    try {
      const { charges, found } = await this.claim(limit);
      this.stepsDone += found;
      this.isOver ||= found < limit;
      for (const charge of charges) this.start(charge);
    } catch (error) {
      this.endTurn(error);
    }
  }

  private start(charge: StartCharge): void {
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.sent--;
      this.wake();
    };
    this.sent++;
    const running: Promise<void> = charge(release)
      .then(
        (result) => {
          this.isOver ||= result === "DEFERRED";
        },
        (error: unknown) => this.endTurn(error),
      )
      .finally(() => {
        this.underWay.delete(running);
        release();
        this.wake();
      });
    this.underWay.add(running);
  }

  private endTurn(error: unknown): void {
    this.errors.push(error);
    this.isOver = true;
  }
}
