import type { CommandGroup } from "../command.ts";

/** `recoup recovery`. */
export const recoveryCommands: CommandGroup = {
  meta: { name: "recovery", description: "Simulates, tests, explains and replays recovery." },
  subCommands: {
    simulate: {
      meta: { name: "simulate", description: "Simulates policies in worlds of failed payments" },
      load: async () => (await import("./simulate.ts")).simulateCommand,
    },
    backtest: {
      meta: { name: "backtest", description: "Estimates what other terms would have recovered" },
      load: async () => (await import("./backtest.ts")).backtestCommand,
    },
    explain: {
      meta: { name: "explain", description: "Explains why a cover retries when it does" },
      load: async () => (await import("./explain.ts")).explainCommand,
    },
    replay: {
      meta: { name: "replay", description: "Computes stored decisions again" },
      load: async () => (await import("./replay.ts")).replayCommand,
    },
    report: {
      meta: { name: "report", description: "Reports what past failed payments say" },
      load: async () => (await import("./report.ts")).reportCommand,
    },
    model: {
      meta: { name: "model", description: "Lists, exports and imports models" },
      load: async () => (await import("./model.ts")).modelCommands,
    },
    "train-prior": {
      meta: { name: "train-prior", description: "Trains the model that ships with Recoup" },
      load: async () => (await import("./train-prior.ts")).trainPriorCommand,
    },
  },
};
