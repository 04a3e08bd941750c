import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asset } from "../../src/kernel/assets.ts";
import { printedContracts } from "../../src/printed-contracts.ts";

test.each(printedContracts())(
  "$file is what the code says: run `npm run contracts` and read the diff",
  ({ file, text }) => {
    expect(readFileSync(asset(file), "utf8")).toBe(text);
  },
);
