import { expect, test } from "vitest";
import { PROPERTY_SEED } from "../support/property-tests.ts";
import { payRandomOrder } from "../support/protocols/billing-operations.ts";
import { initialOperations } from "../support/protocols/initial-operations.ts";
import { OperationRandom } from "../support/protocols/operation-inputs.ts";
import { operationFactories } from "../support/protocols/protocol-operations.ts";
import { ProtocolComparison } from "../support/protocols/protocol-comparison.ts";
import { timeLimitMs, roundCount, logMeasurement } from "./harness/fault-rounds.ts";

/*
 * REST and GraphQL on two copies of one database. Random operations run by REST on one copy and by GraphQL on the
 * other; after each operation the answers are equal, and after each sequence the databases are equal, except for random
 * values: codes, uuids, tokens. `PLAY_SEED` selects the operations.
 */
const OPERATIONS_OF_A_PLAY = 50;
const plays = roundCount(4, 100);
const seed = Number(process.env["PLAY_SEED"] ?? PROPERTY_SEED);
const HOUR_MS = 3_600_000;

const twins = await ProtocolComparison.start();

test(
  `REST and GraphQL write and answer the same (${plays * OPERATIONS_OF_A_PLAY} operations, seed ${seed})`,
  async () => {
    const chance = new OperationRandom(seed);
    const done = new Set<string>();
    for (let play = 0; play < plays; play++) {
      await twins.createMerchants();
      for (const operation of initialOperations)
        expect(await twins.compareOperation(operation(twins)), `play ${play}, beginning`).toEqual([]);
      for (let place = 0; place < OPERATIONS_OF_A_PLAY; place++) {
        if (chance.isOneIn(15)) await twins.passTime((1 + chance.integerBelow(60)) * HOUR_MS);
        if (chance.isOneIn(10))
          expect(await payRandomOrder(chance, twins), `play ${play}, payment before ${place}`).toEqual([]);
        const name = chance.pick(Object.keys(operationFactories));
        const operation = operationFactories[name]!(chance, twins);
        const key = chance.isOneIn(4) ? `operation ${place}` : undefined;
        const before = twins.outcomes.get("DONE");
        expect(await twins.compareOperation(operation, key), `play ${play}, operation ${place}, ${name}`).toEqual([]);
        if (twins.outcomes.get("DONE") !== before) done.add(name);
        if (key && chance.isOneIn(2))
          expect(
            await twins.compareOperation(operation, key),
            `play ${play}, operation ${place} again, ${name}`,
          ).toEqual([]);
      }
      expect(await twins.compareTables(), `play ${play}`).toEqual([]);
      await twins.disableMerchants();
    }
    logMeasurement(`twin databases: ${twins.operations} operations, by answer ${JSON.stringify([...twins.outcomes])}`);
    expect([...twins.outcomes.keys()]).toEqual(expect.arrayContaining(["DONE", "INVALID_ARGUMENT", "ORDER_NOT_FOUND"]));
    expect(twins.outcomes.get("DONE")).toBeGreaterThan(plays * 10);
    // An operation that is always refused compares nothing.
    expect(Object.keys(operationFactories).filter((name) => !done.has(name)).length).toBeLessThanOrEqual(
      plays < 10 ? 5 : 0,
    );
  },
  timeLimitMs(plays),
);
