/*
 * Refuses words in public text that only this project ever used: they cost a reader a detour, and a search finds nothing.
 * Public are the descriptions of the schema, the OpenAPI document, the documentation, and the sentences in src and rest-compat. Exempt are
 * the glossary and quoted code: fenced blocks, backticks and targets of links; in sentences of code also what double quotes enclose.
 */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

const replacements = [
  [/\bunless\s+told\b/gi, "“defaults to …”"],
  [/\bis\s+told\b/gi, "“receives”, “is reported”"],
  [/\bwhat\s+becomes\s+of\b/gi, "“the result of”, “the outcome of”"],
  [/\bwhoever\b/gi, "the actor's name: the caller, the payer, the merchant"],
  [/\bhappenings?\b/gi, "“event”"],
  [/\breckon(?:s|ed|ing|ings)?\b/gi, "“price”, “recalculate”, “count”"],
  [/\bcashiers?\b/gi, "“payment processor”"],
  [/\bbillers?\b/gi, "“renewal runner”"],
  [/\bturnstiles?\b/gi, "“semaphore”"],
  [/\bbirths?\b/gi, "“activation”"],
];

process.chdir(new URL("..", import.meta.url).pathname);
const filesBelow = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

/** The text with blanks in place of the matches, so that positions stay. */
const blanked = (text, pattern) => text.replace(pattern, (match) => match.replace(/[^\n]/g, " "));

function proseOfMarkdown(text) {
  const withoutBlocks = blanked(text, /^( *)(```+|~~~+)[^]*?^\1\2/gm);
  return blanked(blanked(withoutBlocks, /`[^`]*`/g), /\]\([^)]*\)/g);
}

/** The sentences of a module, each with its place: literals with a blank in them, but for tagged ones such as SQL. */
function sentencesOf(file, text) {
  if (!replacements.some(([word]) => text.search(word) >= 0)) return [];
  const sentences = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (isText && !ts.isTaggedTemplateExpression(node.parent)) {
      const start = node.getStart(source) + 1;
      let prose = text.slice(start, node.end - 1);
      for (const { expression } of node.templateSpans ?? []) {
        const [from, to] = [expression.pos - start, expression.end - start];
        prose = prose.slice(0, from) + blanked(prose.slice(from, to), /[^]+/g) + prose.slice(to);
      }
      prose = blanked(blanked(prose, /`[^`]*`/g), /"[^"]*"/g);
      if (prose.trim().includes(" ")) sentences.push([prose, start]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sentences;
}

const found = new Set();
function search(file, text, prose, from = 0) {
  for (const [word, instead] of replacements) {
    for (const { 0: match, index } of prose.matchAll(word)) {
      const line = text.slice(0, from + index).split("\n").length;
      found.add(`${file}:${line}: “${match.replace(/\s+/g, " ")}”; use ${instead}`);
    }
  }
}

const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...filesBelow("docs", ".md")];
const schema = readFileSync("schema/schema.graphql", "utf8");
const descriptions = schema.split('"""').map((part, index) => (index % 2 === 1 ? part : blanked(part, /[^]+/g)));
const openApi = readFileSync("schema/openapi.json", "utf8");
search("schema/schema.graphql", schema, blanked(descriptions.join("   "), /`[^`\n]*`/g));
search("schema/openapi.json", openApi, blanked(openApi, /`[^`\n]*`/g));
for (const file of documents.filter((name) => name !== "docs/glossary.md")) {
  const text = readFileSync(file, "utf8");
  search(file, text, proseOfMarkdown(text));
}
for (const file of ["src", "rest-compat"].flatMap((folder) => [
  ...filesBelow(folder, ".ts"),
  ...filesBelow(folder, ".tsx"),
])) {
  const text = readFileSync(file, "utf8");
  for (const [prose, from] of sentencesOf(file, text)) search(file, text, prose, from);
}

if (found.size > 0) {
  process.stdout.write(`${[...found].join("\n")}\ndocs/glossary.md has the words of this project.\n`);
  process.exitCode = 1;
}
