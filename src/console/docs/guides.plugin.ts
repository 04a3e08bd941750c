import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Marked, type Tokens } from "marked";
import type { Plugin } from "vite";
import { showRestReference, type OpenApiDocument } from "./rest-reference.ts";

/** `?guide` is a guide as HTML, `?guide-title` its title alone: the list of all guides does not load them. */
const QUERY = /[.]md[?]guide(?<title>-title)?$/;

/** As GitHub names headings, so that links into a guide lead to the same place. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Where a guide's link leads in the console; undefined for a file of the repository, which the gateway does not serve. */
function addressOf(href: string): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [, name, anchor = ""] = /^(?:[.][.][/])?(?:guides[/])?([a-z-]+)[.]md(#.*)?$/.exec(href) ?? [];
  return name && `/docs/${name}${anchor}`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const content = this.parser.parseInline(tokens);
      const address = addressOf(href);
      return address === undefined ? content : `<a href="${address}">${content}</a>`;
    },
    // The content policy allows pictures of the gateway only, and the guides' pictures lie in the repository.
    image: ({ text }: Tokens.Image) => `<em>${escapeHtml(text)}</em>`,
    // What can be wider than a phone is scrolled, by the keyboard too.
    code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: "th" | "td") =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
      const body = token.rows.map((cells) => row(cells, "td")).join("");
      return `<div class="guide-table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

/** The title of a guide, and what follows it. */
function splitTitle(markdown: string, file: string): { title: string; text: string } {
  const [, title] = /^# (.+)\n/.exec(markdown) ?? [];
  if (title === undefined) throw new Error(`${file} does not begin with a title.`);
  return { title, text: markdown.slice(markdown.indexOf("\n") + 1) };
}

/** The list of all guides' names, beside the files that browsers load: the gateway answers 404 for other names. */
const NAMES_FILE = "guides.json";

/** Renders the guides in docs when the console is built. */
export function renderGuides(): Plugin {
  const names = new Set<string>();
  return {
    name: "render-guides",
    enforce: "pre",
    async transform(markdown, id) {
      const match = QUERY.exec(id);
      if (!match) return undefined;
      names.add(basename(id.replace(QUERY, "")));
      const { title, text } = splitTitle(markdown, basename(id));
      const value = match.groups?.["title"] ? title : { title, html: await marked.parse(text) };
      return { code: `export default ${JSON.stringify(value)};`, map: null };
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: NAMES_FILE, source: JSON.stringify([...names].sort()) });
    },
  };
}

/** The module that has the REST interface as HTML. */
const REST_REFERENCE = "virtual:rest-reference";

/** Renders the REST interface from its OpenAPI document when the console is built. */
export const renderRestReference: Plugin = {
  name: "render-rest-reference",
  resolveId: (id) => (id === REST_REFERENCE ? `\0${REST_REFERENCE}` : undefined),
  load(id) {
    if (id !== `\0${REST_REFERENCE}`) return undefined;
    const file = join(import.meta.dirname, "../../../schema/openapi.json");
    // The contract's own test checks that this file is an OpenAPI document.
    const document = JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
    return `export default ${JSON.stringify(showRestReference(document))};`;
  },
};
