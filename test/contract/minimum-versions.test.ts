import { readFileSync } from "node:fs";
import semver from "semver";
import { expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";

interface Floor {
  package: string;
  floor: string;
}

const read = (path: string): unknown => JSON.parse(readFileSync(projectFile(path), "utf8"));
const floors = read("security/floors.json") as Floor[];
const { packages } = read("package-lock.json") as { packages: Record<string, { version?: string }> };

/** Every version of a package in the lock file that is below a minimum. */
const belowFloor = (locked: typeof packages, { package: name, floor }: Floor): string[] =>
  Object.entries(locked)
    .filter(
      ([path, { version }]) =>
        path.endsWith(`node_modules/${name}`) && version !== undefined && semver.lt(version, floor),
    )
    .map(([path, { version = "" }]) => `${path} ${version}`);

test.each(floors)("$package is nowhere below $floor: raise it in package.json, or by an override", (floor) => {
  expect(belowFloor(packages, floor)).toEqual([]);
});

test("a version below its minimum is found, however deep it is nested", () => {
  const locked = { "node_modules/a/node_modules/ws": { version: "8.20.0" }, "node_modules/ws": { version: "8.21.0" } };
  expect(belowFloor(locked, { package: "ws", floor: "8.20.1" })).toEqual(["node_modules/a/node_modules/ws 8.20.0"]);
});
