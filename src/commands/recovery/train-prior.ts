import { writeFile } from "node:fs/promises";
import { modelVersionOf } from "../../recovery/engine/model/stored-model.ts";
import { publishedPriorFile } from "../../recovery/models/published-prior.ts";
import { learnPrior, PRIOR_SEED } from "../../recovery/simulation/learned-model.ts";
import { findWorldFiles, loadWorld } from "../../recovery/simulation/load-world.ts";
import { projectFile } from "../../kernel/project-files.ts";
import { defineCommand } from "../command.ts";

/** `recoup recovery train-prior`: the model that SMART has before a vendor's own attempts. */
export const trainPriorCommand = defineCommand(
  {
    name: "train-prior",
    description:
      "Learns the published prior of SMART from the worlds of test/worlds, and writes src/recovery/models/published-prior.json. The same worlds and version of Node give the same file.",
  },
  {},
  async () => {
    const started = performance.now();
    const files = await findWorldFiles(projectFile("test/worlds"), ["/"]);
    const prior = learnPrior(await Promise.all(files.map(loadWorld)), PRIOR_SEED);
    await writeFile(publishedPriorFile, `${JSON.stringify(prior)}\n`);
    process.stdout.write(
      `${modelVersionOf(prior)}: ${prior.tries} attempts in ${prior.worlds.length} worlds, ${Math.round((performance.now() - started) / 1000)} seconds\n`,
    );
  },
);
