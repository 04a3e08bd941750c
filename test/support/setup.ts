import "reflect-metadata";
import { afterAll, beforeEach } from "vitest";
import { testsWithoutCell } from "../cells/cluster-exceptions.ts";
import { cleanUp } from "../faults/harness/cleanup.ts";
import { clusterUrl } from "./cluster-schemas.ts";

if (clusterUrl !== undefined)
  beforeEach(({ task, skip }) => {
    const [, file = ""] = task.file.filepath.split("/test/");
    let title = task.name;
    for (let { suite } = task; suite; { suite } = suite) title = `${suite.name} ${title}`;
    const exception = Object.entries(testsWithoutCell[file] ?? {}).find(([end]) => title.endsWith(end));
    if (exception) skip(exception[1]);
  });

// Files of a worker share their modules, so that a hook at the top of a shared module would run for the first file
// only.
afterAll(cleanUp, 60_000);
