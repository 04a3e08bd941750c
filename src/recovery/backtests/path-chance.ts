import type { TimeDraw } from "../engine/decision.ts";

/** A time without a draw. */
export const withoutDraw = (at: Date): TimeDraw => ({ share: 0, options: [at], even: at });

/**
 * The probability that a policy makes a sequence of choices. What kind a case is of is drawn once, so that its choices are not
 * independent: it always takes the best time, or always the even one, or always draws. The chances of each kind are multiplied up
 * apart, and mixed by the share of the kind.
 */
export class PathChance {
  private ofBest = 1;
  private ofEven = 1;
  private ofDrawing = 1;
  private share = 0;

  /** The probability of all choices so far. */
  get value(): number {
    return this.mixed(this.share);
  }

  /** The probability of each of several times as the next choice, given the choices so far. */
  chancesOf({ share: ownShare, options, even }: TimeDraw): number[] {
    const share = Math.max(this.share, ownShare);
    const total = this.mixed(share);
    if (total === 0) return options.map(() => 0);
    const evenIndex = indexOfTime(options, even);
    return options.map(
      (_, index) =>
        ((index === 0 ? (1 - share) * this.ofBest : 0) +
          (index === evenIndex ? (share / 2) * this.ofEven : 0) +
          ((share / 2) * this.ofDrawing) / options.length) /
        total,
    );
  }

  /** Takes one of several times, by its index; negative for a choice that the policy cannot make. */
  take({ share, options, even }: TimeDraw, index: number): void {
    // A step without a draw, such as a date that was promised, is the same for all kinds.
    this.share = Math.max(this.share, share);
    if (index !== 0) this.ofBest = 0;
    if (index < 0 || index !== indexOfTime(options, even)) this.ofEven = 0;
    this.ofDrawing *= index < 0 ? 0 : 1 / options.length;
  }

  private mixed(share: number): number {
    return (1 - share) * this.ofBest + (share / 2) * (this.ofEven + this.ofDrawing);
  }
}

/** The index of a time among others; -1 if it is not there. */
export const indexOfTime = (times: readonly Date[], time: Date): number =>
  times.findIndex((one) => one.getTime() === time.getTime());
