import { test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { expectSurvivesKills } from "./harness/kill-rounds.ts";
import { hasPostgres15, Postgres15 } from "./harness/postgres15.ts";
import { timeLimitMs, roundCount } from "./harness/fault-rounds.ts";

/* the gateway is killed, and PostgreSQL runs independently of it. */

const times = roundCount(2, 30);

test.runIf(hasPostgres15)(
  `a gateway killed ${times} times under load loses nothing that it acknowledged, and is ready again by itself`,
  async () => {
    await buildOnce();
    const server = await Postgres15.start();
    const settings = { DATABASE_URL: server.url };
    await expectSurvivesKills({ name: "R-1", settings, times, requestsBetween: 50, databaseUrl: () => server.url });
  },
  timeLimitMs(times),
);
