import { parseSync, type Plugin } from "vite";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

/** Lets every function of the sources report its file when it runs, except for constructors and GraphQL types. */
const reportFiles: Plugin = {
  name: "report-files",
  enforce: "post",
  transform(code, id) {
    const file = /\/((?:src|rest-compat)\/[^?]+)(?<![.]type)[.]ts$/.exec(id)?.[1];
    if (file === undefined || id.includes("/node_modules/")) return undefined;
    const report = `globalThis.reportFile?.("${file}.ts")`;
    const insertions = bodiesOf(parseSync(`${file}.js`, code).program).flatMap(({ type, start, end }) =>
      type === "BlockStatement"
        ? [{ at: start + 1, text: `${report};` }]
        : [
            { at: start, text: `(${report}, ` },
            { at: end, text: ")" },
          ],
    );
    let [reporting, position] = ["", 0];
    for (const { at, text } of insertions.sort((one, other) => one.at - other.at)) {
      reporting += code.slice(position, at) + text;
      position = at;
    }
    return { code: reporting + code.slice(position), map: null };
  },
};

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  kind?: unknown;
  body?: SyntaxNode | null;
}

/** The bodies of the functions below a node. */
function bodiesOf(node: unknown, isConstructor = false): SyntaxNode[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, kind, body } = node as Partial<SyntaxNode>;
  const isFunction = type?.includes("Function") === true && body != null;
  const isConstructorMethod = type === "MethodDefinition" && kind === "constructor";
  return [
    ...(isFunction && !isConstructor ? [body] : []),
    ...Object.values(node).flatMap((child) => bodiesOf(child, isConstructorMethod)),
  ];
}

export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ plugins: [reportFiles], test: { include: ["test/walks/walks.ts"] } }),
);
