import "reflect-metadata";
import { afterAll } from "vitest";
import { cleanUp } from "../faults/harness/cleanup.ts";

// Files of a worker share their modules, so that a hook at the top of a shared module would run for the first file
// only.
afterAll(cleanUp, 60_000);
