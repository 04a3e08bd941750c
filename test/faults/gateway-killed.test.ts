import { test } from "vitest";
import { build } from "../support/build-once.ts";
import { survivesDeaths } from "./harness/kill-rounds.ts";
import { hasPostgres15, Postgres15 } from "./harness/postgres15.ts";
import { limit, rounds } from "./harness/fault-rounds.ts";

/* the gateway dies, and PostgreSQL is somebody else's. */

const times = rounds(2, 30);

test.runIf(hasPostgres15)(
  `a gateway killed ${times} times under load has lost nothing that it acknowledged, and is ready again by itself`,
  async () => {
    await build();
    const server = await Postgres15.start();
    const settings = { DATABASE_URL: server.url };
    await survivesDeaths({ name: "R-1", settings, times, requestsBetween: 50, databaseUrl: () => server.url });
  },
  limit(times),
);
