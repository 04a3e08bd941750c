/** The source of the time. All code that needs "now" gets it passed in; only `main` uses the system's clock. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** The same clock, some milliseconds ahead. */
export const clockAhead = (clock: Clock, milliseconds: number): Clock => ({
  now: () => new Date(clock.now().getTime() + milliseconds),
});
