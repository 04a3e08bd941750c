import type { ApolloServerPlugin } from "@apollo/server";
import type { GatewayContext } from "../context.ts";
import { MAX_ROWS } from "./document-limits.ts";

/** What a key or a person may still send in this minute. */
export interface RemainingRate {
  limit: number;
  remaining: number;
  /** Seconds until the next minute begins. */
  resetSeconds: number;
}

/** The request header that asks for the cost. */
export const COST_HEADER = "x-include-cost";

/** What the answer reports beside the cost: the rate, if there is a limit. */
export interface CostReport {
  rate: RemainingRate | undefined;
}

/** The costs of the contexts' operations, in rows. */
const costs = new WeakMap<GatewayContext, number>();

/** Records what the document limits measured. */
export const recordCost = (context: GatewayContext, rows: number): void => {
  costs.set(context, Math.ceil(rows));
};

/**
 * Puts the cost into `extensions.cost`, for callers that asked for it. Only answers over GraphQL have it: the bodies of REST are those of
 * the contract. An operation that was refused before it was measured has none.
 */
export const reportCosts: ApolloServerPlugin<GatewayContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response: { body }, contextValue }) => {
      const { costReport } = contextValue;
      const requested = costs.get(contextValue);
      if (!costReport || requested === undefined || body.kind !== "single") return;
      const cost = { requested, limit: MAX_ROWS, rate: costReport.rate ?? null };
      body.singleResult.extensions = { ...body.singleResult.extensions, cost };
    },
  }),
};
