import { writeFileSync } from "node:fs";
import { projectFile } from "../kernel/project-files.ts";
import { printContracts } from "../printed-contracts.ts";

/* `npm run contracts`: prints schema.graphql and openapi.json from the code, and draws the state machines in the modules' READMEs. */
for (const { file, text } of printContracts()) writeFileSync(projectFile(file), text);
