import { defineCommand, main, onDatabase, record } from "./command.ts";

const rotate = defineCommand(
  {
    name: "npm run secrets:rotate --",
    description:
      "Encrypts all stored secrets with the first key of SECRETS_KEY. The older keys have to stand after it; once this is done they can go.",
  },
  { json: { type: "boolean", description: "Print one JSON object" } },
  async ({ json }, faults) => {
    faults.settle();
    await onDatabase(json, async ({ write }) =>
      record({
        secrets: await write.settings.rotate(),
        gateways: await write.gateways.rotate(),
        methods: await write.methods.rotate(),
        answers: await write.answers.rotate(),
      }),
    );
  },
);

/* `npm run secrets:rotate`: after a new key was put first. Gateways must know both keys before, and until it has run. */
await main(rotate);
