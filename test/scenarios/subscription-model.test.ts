import fc from "fast-check";
import { expect, test } from "vitest";
import { inForm } from "../support/test-form.ts";
import { startGateway } from "../support/test-gateway.ts";
import type { ModelState } from "../support/model/model-command.ts";
import { initialCommands, arbitraryFinalAction, arbitraryCommands } from "../support/model/command-arbitraries.ts";
import { ModelMerchant } from "../support/model/model-merchant.ts";
import { PROPERTY_SEED } from "../support/property-tests.ts";
import { createWorker } from "../support/test-worker.ts";

/*
 * Random merchants and payers, against a model that has the contract's rules and does not depend on the service. PLAYS
 * sets the number of sequences and PLAY_SEED selects them; a failing sequence is shrunk and printed.
 */
const plays = Number(process.env["PLAYS"] ?? inForm(20, 400));
const seed = Number(process.env["PLAY_SEED"] ?? PROPERTY_SEED);

/** Sequences begin in months of different lengths. */
const days = ["2026-01-30T20:00:00.000Z", "2026-02-28T03:00:00.000Z", "2027-12-29T03:00:00.000Z"];

// Lost answers do not open the gateway's breaker.
const gateway = await startGateway({
  guard: { timeoutMs: 5_000, faultThreshold: 100_000, initialOpenMs: 1, maxOpenMs: 1 },
});
const worker = createWorker(gateway);

test(
  `amounts and states match the model after every action of merchants and payers (${plays} sequences, seed ${seed})`,
  async () => {
    const reached = new Set<string>();
    const acts = fc.commands(arbitraryCommands, { maxCommands: 30, size: "max" });
    const play = fc.asyncProperty(
      fc.constantFrom(...days),
      arbitraryFinalAction,
      initialCommands,
      acts,
      async (day, finalAction, first, rest) => {
        gateway.clock.setTo(day);
        const real = await ModelMerchant.start(gateway, worker, finalAction);
        const model: ModelState = {
          now: Date.parse(day),
          finalAction,
          reachedStatuses: reached,
          unpaidFirstOrders: [],
          paidPlans: new Set(),
          subscriptions: [],
        };
        try {
          await fc.asyncModelRun(() => ({ model, real }), [...first, ...rest]);
        } finally {
          await real.disable();
        }
      },
    );
    await fc.assert(play, { seed, numRuns: plays, endOnFailure: process.env["PLAYS_END_AT_ONCE"] === "true" });
    const states = ["ACTIVE", "CANCELED", "EXPIRED", "PAUSE", "PENDING_CANCEL", "PENDING_PAUSE", "UNPAID"];
    expect([...reached].sort(), "states that some play came to").toEqual(states);
  },
  60_000 + plays * 20_000,
);
