import { defineCommand, printOutput, toRecordOutput, type CommandGroup } from "../command.ts";
import { apiOptions, readApiClient } from "./api-client.ts";

const advance = defineCommand(
  { name: "advance", description: "Advances the test clock of a sandbox, so that what is due then is done" },
  {
    by: { type: "positional", required: false, description: "ISO 8601 duration, such as P1D or PT5M (required)" },
    ...apiOptions,
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    errors.check(args.by !== undefined, "The duration is missing, such as P1D.");
    const client = readApiClient(args, errors);
    errors.throwIfAny();
    const { advanceTestClock } = await client.run<{ advanceTestClock: { now: string } }>(
      "mutation ($by: Duration!) { advanceTestClock(input: { by: $by }) { now } }",
      { by: args.by },
    );
    printOutput(args.json, toRecordOutput({ now: advanceTestClock.now }));
  },
);

/** `recoup clock`. */
export const clockCommands: CommandGroup = {
  meta: { name: "clock", description: "Advances the test clock of a sandbox." },
  subCommands: { advance },
};
