import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { EventType } from "../../schema/vocabulary.ts";
import { toWireName } from "../../src/events/event.message.ts";

/* The pages of this repository: each link leads to an existing file and heading, under the file's own name. */

const written = readdirSync(projectFile("."), { withFileTypes: true })
  .filter(({ name }) => !name.startsWith(".") && !["node_modules", "dist"].includes(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(projectFile(entry.name), { recursive: true, encoding: "utf8" }).map((file) =>
          join(entry.name, file),
        )
      : [entry.name],
  );

const pages = written.filter((file) => extname(file) === ".md").sort();

interface Link {
  page: string;
  text: string;
  target: string;
  /** The link's target heading; empty for the page itself. */
  heading: string;
}

const linksOf = (page: string): Link[] =>
  [...withoutCode(read(page)).matchAll(/\[([^\]]*)\]\(([^)\s]*)\)/g)]
    .map(([, text, to]) => ({ text: text!, to: to! }))
    .filter(({ to }) => !/^[a-z]+:/.test(to))
    .map(({ text, to }) => {
      const [path, heading = ""] = to.split("#");
      return { page, text, target: path === "" ? page : normalize(join(dirname(page), path!)), heading };
    });

const read = (page: string) => readFileSync(projectFile(page), "utf8");
const withoutCode = (text: string) => text.replace(/```[^]*?```/g, "");

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...withoutCode(read(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

const links = pages.flatMap(linksOf);
const named = ({ page, text, target }: Link) => `${page}: [${text}] → ${target}`;

test("every link of a page leads to a file", () => {
  expect(pages.length).toBeGreaterThan(50);
  expect(links.filter(({ target }) => !existsSync(projectFile(target))).map(named)).toEqual([]);
});

test("every link to a heading leads to an existing heading", () => {
  const wrong = links.filter(({ target, heading }) => heading !== "" && !anchorsOf(target).includes(heading));
  expect(wrong.map((link) => `${named(link)}#${link.heading}`)).toEqual([]);
});

test("a link whose text is the name of a file leads to the file of that name", () => {
  const wrong = links.filter(({ text, target }) => {
    const [, name] = /^`?([\w.-]+\.(?:ts|md|cjs|graphql))`?$/.exec(text) ?? [];
    return name !== undefined && name !== basename(target);
  });
  expect(wrong.map(named)).toEqual([]);
});

test("every file that a page names exists", () => {
  const missing = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/`([\w./-]+\.(?:ts|mjs|eta))`/g)]
      .map(([, name]) => name!)
      .filter((name) => !written.some((file) => file === name || file.endsWith(`/${name}`)))
      .map((name) => `${page}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("every name in code that a page quotes occurs in the project", () => {
  // Names of examples, and a misspelling on purpose.
  const invented = ["taxNumber", "add_customer_tax_number", "US_NEWYORK", "what_it_does"];
  const sources = written.filter((file) => /\.(?:tsx?|mjs|js|cjs|graphql|json|eta)$/.test(file));
  const known = new Set([
    ...[...sources.map(read), ...[".ci/run", ".ci/check"].map(read)].flatMap((text) => text.match(/\w+/g) ?? []),
    // The types of events as messages have them.
    ...(Object.keys(EventType) as EventType[]).flatMap((type) => toWireName(type).split(".")),
  ]);
  // The changelog names what is gone, and decisions what was rejected.
  const present = pages.filter((page) => page !== "CHANGELOG.md" && !page.startsWith("docs/decisions"));
  const unknown = present.flatMap((page) => {
    const quoted = read(page).match(/```ts\n[^]*?```|`[^`\n]+`/g) ?? [];
    return quoted
      .flatMap((code) => code.match(/…?\b\w+…?/g) ?? [])
      .filter((name) => /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|^[A-Z]{4,}$/.test(name) && !name.includes("…"))
      .filter((name) => !known.has(name) && !invented.includes(name))
      .map((name) => `${page}: ${name}`);
  });
  expect(unknown).toEqual([]);
});

test("every folder of a module has a README", () => {
  const modules = readdirSync(projectFile("src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = [...modules.map(({ name }) => `src/${name}`), "rest-compat", "schema", "test"];
  expect(folders.filter((folder) => !existsSync(projectFile(`${folder}/README.md`)))).toEqual([]);
});

test("the glossary names types of the schema only", () => {
  const schema = readFileSync(projectFile("schema/schema.graphql"), "utf8");
  const types = new Set([...schema.matchAll(/^(?:type|enum|input|interface|scalar) (\w+)/gm)].map(([, type]) => type!));
  const named = [...read("docs/glossary.md").matchAll(/`([A-Z][a-z]\w*)(?:\.\w+)?`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !types.has(name))).toEqual([]);
});

test("the glossary has every word for which a README refers to it", () => {
  const glossary = [...read("docs/glossary.md").matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, words]) =>
    words!.replace(/\s*\(.*?\)/g, "").split(", "),
  );
  const unknown = pages.flatMap((page) => {
    const [, words = ""] = /^Words: ([^(]*) \(\[glossary\]/m.exec(read(page).replace(/\n(?=\S)/g, " ")) ?? [];
    return words.split(", ").filter((word) => word !== "" && !glossary.includes(word));
  });
  expect(unknown).toEqual([]);
});
