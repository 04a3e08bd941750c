import { createCellService, listCells } from "../cells/cell-list.ts";
import { withCellLock } from "../cells/cell-lock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/client.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { defineCommand, printOutput, toRecordOutput } from "./command.ts";
import {
  openCellForCommand,
  runCommandTransaction,
  withHomeDatabase,
  type CommandServices,
} from "./command-database.ts";

/** Encrypts the secrets of one database anew. @returns how many, by kind. */
const reencrypt = async ({ write }: CommandServices) => ({
  secrets: await write.vendorSettings.reencryptSecrets(),
  gateways: await write.gatewayAccounts.rotateSecrets(),
  webhooks: await write.webhookEndpoints.rotateKeys(),
  methods: await write.storedMethods.rotateTokens(),
  secondFactors: await write.secondFactors.reencryptSecrets(),
  answers: await write.idempotency.reencryptAnswers(),
});

type Counts = Awaited<ReturnType<typeof reencrypt>>;

const addCounts = (one: Counts, other: Counts): Counts => ({
  secrets: one.secrets + other.secrets,
  gateways: one.gateways + other.gateways,
  webhooks: one.webhooks + other.webhooks,
  methods: one.methods + other.methods,
  secondFactors: one.secondFactors + other.secondFactors,
  answers: one.answers + other.answers,
});

/**
 * Encrypts the secrets in a cell anew, and the passwords of its addresses. The caller has the cell's lock, so that no copy of older secrets
 * is its next place. The lock may be lost with its connection: a cell that is at another place then is done there.
 */
async function reencryptCell(home: Database, vault: SecretVault, config: Config, name: string): Promise<Counts[]> {
  const counts: Counts[] = [];
  let isDone = false;
  while (!isDone) {
    const cell = await createCellService(home.handle, vault).require(name);
    const database = await openCellForCommand(cell, config);
    try {
      counts.push(await runCommandTransaction(database, vault, reencrypt));
    } finally {
      await database.close();
    }
    isDone = await home.transaction((handle) => createCellService(handle, vault).reencryptPasswords(cell));
  }
  return counts;
}

/** `recoup secrets rotate`: run it after a new key was put first. All processes need both keys before and during the run. */
export const secretsRotateCommand = defineCommand(
  {
    name: "rotate",
    description:
      "Encrypts all stored secrets with the first key of SECRETS_KEY, in all cells. Keep the older keys after it until the command has finished, then remove them. Refused while a cell is moved or restored.",
  },
  { json: { type: "boolean", description: "Print one JSON object" } },
  async ({ json }, errors) => {
    errors.throwIfAny();
    await withHomeDatabase(async (home, vault, config) => {
      let counts = await runCommandTransaction(home, vault, reencrypt);
      const cells = await listCells(home.handle, vault);
      for (const { name } of cells)
        counts = await withCellLock(home.source.url, name, async () =>
          (await reencryptCell(home, vault, config, name)).reduce(addCounts, counts),
        );
      printOutput(json, toRecordOutput({ ...counts, cells: cells.length }));
    });
  },
);
