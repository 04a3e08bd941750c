import { createCellService, listCells } from "../cells/cell-list.ts";
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

/** `recoup secrets rotate`: run it after a new key was put first. All processes need both keys before and during the run. */
export const secretsRotateCommand = defineCommand(
  {
    name: "rotate",
    description:
      "Encrypts all stored secrets with the first key of SECRETS_KEY, in all cells. Keep the older keys after it until the command has finished, then remove them.",
  },
  { json: { type: "boolean", description: "Print one JSON object" } },
  async ({ json }, errors) => {
    errors.throwIfAny();
    await withHomeDatabase(async (home, vault, config) => {
      let counts = await runCommandTransaction(home, vault, reencrypt);
      for (const cell of await listCells(home.handle, vault)) {
        const database = await openCellForCommand(cell, config);
        try {
          counts = addCounts(counts, await runCommandTransaction(database, vault, reencrypt));
        } finally {
          await database.close();
        }
      }
      const cells = await home.transaction((handle) => createCellService(handle, vault).reencryptPasswords());
      printOutput(json, toRecordOutput({ ...counts, cells }));
    });
  },
);
