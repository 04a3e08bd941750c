import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";

/*
 * What gateways keep of products and plans is right only if every write of them moves the version of the catalogue
 * (docs/decisions/0107-products-are-kept-by-version.md): `write` of CatalogueRepository does. The list says which writes
 * need not.
 */

/** The tables that a product's or a plan's text is made of. */
const TABLES = [
  ...["products", "pricePlans", "priceOptions", "bundlePrices", "bundleMembers"],
  ...["productCategories", "categories", "optionGroups", "productOptions", "optionCombinations", "countrySettings"],
];

/** The number of writes of a file without a version, and the reason. */
const WITHOUT_VERSION: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "products/offer.repository.ts": [
    5,
    "stock, of which no text is kept, and the product and plan that an order brings along, which nothing shows yet",
  ],
};

const WRITE = new RegExp(`[.]db\\s*[.](?:insert|update|delete)\\((?:${TABLES.join("|")})\\)`, "g");
/** What stands before a write that moves the version. */
const MOVING = /this[.]write\(\s*vendorId,\s*this$/;

test("every write of the catalogue moves its version", () => {
  const files = readdirSync(projectFile("src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const writes = files.flatMap((file) => {
    const source = readFileSync(projectFile(`src/${file}`), "utf8");
    return [...source.matchAll(WRITE)].map(({ index }) => ({
      file,
      isVersioned: MOVING.test(source.slice(Math.max(0, index - 60), index)),
    }));
  });
  expect(writes.filter(({ isVersioned }) => isVersioned).length).toBeGreaterThan(20);
  const wrong = files.flatMap((file) => {
    const [known = 0] = WITHOUT_VERSION[file] ?? [];
    const found = writes.filter((write) => write.file === file && !write.isVersioned).length;
    return found === known ? [] : `src/${file}: ${found} writes of the catalogue without its version, and not ${known}`;
  });
  expect(wrong).toEqual([]);
});
