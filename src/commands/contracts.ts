import { writeFileSync } from "node:fs";
import { asset } from "../kernel/project-files.ts";
import { printedContracts } from "../printed-contracts.ts";

/* `npm run contracts`: prints schema.graphql and openapi.json from the code, and draws the state machines in the modules' READMEs. */
for (const { file, text } of printedContracts()) writeFileSync(asset(file), text);
