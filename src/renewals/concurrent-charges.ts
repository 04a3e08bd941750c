import type { RenewalStepResult } from "./renewal-runner.service.ts";

/** The most renewals of a vendor that one worker charges at the same time, if the operator sets no other number. */
export const DEFAULT_CHARGE_CONCURRENCY = 25;

/** The limits of one turn of charges. */
export interface ChargingTurn {
  /** The most charges that are under way at the same time. */
  concurrency: number;
  /** Whether one more charge may begin. The first one of a turn always begins, so that each turn makes progress. */
  mayContinue: () => boolean;
}

/** A claimed charge that waits to be made; null if the claim was deferred and there is nothing to charge. */
type ClaimedCharge = (() => Promise<RenewalStepResult>) | null;

/**
 * Makes charges at the same time until none is due or the turn is over, and waits for the last ones. A charge is claimed only
 * when it can be sent at once, so that no lease runs out in a queue. A deferred charge ends the turn: a gateway that is away
 * gets no further calls. @returns the number of charges and of deferred claims.
 */
export async function chargeConcurrently(
  { concurrency, mayContinue }: ChargingTurn,
  claimNext: () => Promise<ClaimedCharge | undefined>,
): Promise<number> {
  const underWay = new Set<Promise<void>>();
  const errors: unknown[] = [];
  const state = { isOver: false };
  const endTurn = (error: unknown) => {
    errors.push(error);
    state.isOver = true;
  };
  let stepsDone = 0;
  const start = (charge: () => Promise<RenewalStepResult>) => {
    const running: Promise<void> = charge()
      .then((result) => void (state.isOver ||= result === "DEFERRED"), endTurn)
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };
  while (!state.isOver && (stepsDone === 0 || mayContinue())) {
    const charge = await claimNext().catch(endTurn);
    if (charge === undefined) break;
    stepsDone++;
    if (charge) start(charge);
    if (underWay.size >= concurrency) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  if (errors.length > 0) throw errors[0];
  return stepsDone;
}
