import { CELLS_OF_SOURCE, type AttemptCells } from "./case-features.ts";

/** Sums beyond this have odds that no number holds; no real law has such odds. */
const MAX_LOG_ODDS = 250;
export const toOdds = (logOdds: number): number => Math.exp(Math.min(MAX_LOG_ODDS, Math.max(-MAX_LOG_ODDS, logOdds)));

/** The log-odds of an attempt by its cells. */
export function logOddsOfCells(weights: Float64Array, { own, sources }: AttemptCells): number {
  let sum = 0;
  for (const cell of own) sum += weights[cell] as number;
  let total = 1;
  for (let at = 0; at < sources.length; at += CELLS_OF_SOURCE) total += toOdds(sourceLogOdds(weights, sources, at));
  return sum + Math.log(total);
}

/** The sum of the weights of one source, whose cells begin at an index. */
export function sourceLogOdds(weights: Float64Array, sources: readonly number[], at: number): number {
  let sum = 0;
  for (let cell = at; cell < at + CELLS_OF_SOURCE; cell++) sum += weights[sources[cell] as number] as number;
  return sum;
}
