import { defineCommand, toRecordOutput } from "./command.ts";
import { runInTransaction } from "./command-database.ts";

/** `recoup secrets rotate`: run it after a new key was put first. All processes need both keys before and during the run. */
export const secretsRotateCommand = defineCommand(
  {
    name: "rotate",
    description:
      "Encrypts all stored secrets with the first key of SECRETS_KEY. Keep the older keys after it until the command has finished, then remove them.",
  },
  { json: { type: "boolean", description: "Print one JSON object" } },
  async ({ json }, errors) => {
    errors.throwIfAny();
    await runInTransaction(json, async ({ write }) =>
      toRecordOutput({
        secrets: await write.vendorSettings.reencryptSecrets(),
        gateways: await write.gatewayAccounts.rotateSecrets(),
        webhooks: await write.webhookEndpoints.rotateKeys(),
        methods: await write.storedMethods.rotateTokens(),
        secondFactors: await write.secondFactors.reencryptSecrets(),
        answers: await write.idempotency.reencryptAnswers(),
      }),
    );
  },
);
