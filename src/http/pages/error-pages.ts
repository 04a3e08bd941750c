import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Eta } from "eta";
import type { FastifyInstance, FastifyReply } from "fastify";
import { ERROR_PAGES_PATH } from "../../graphql/errors/failure-details.ts";
import { projectFile } from "../../kernel/project-files.ts";
import { notFound } from "../../kernel/refusals.ts";
import { refusalCodes, type RefusalCode } from "../../kernel/refusal-codes.ts";
import { nearestWord } from "../../kernel/suggestions.ts";

const folder = projectFile("src/http/pages");
const eta = new Eta({ views: folder, cache: true });
const style = readFileSync(`${folder}/errors.css`, "utf8");
const contentPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; frame-ancestors 'none'`;

const codes = Object.keys(refusalCodes) as RefusalCode[];

/** A page with one message, and what to do. */
export interface Notice {
  title: string;
  message: string;
  cure: string;
  /** The id under which the log has the failure. */
  traceId?: string;
}

/** Sends a page to a browser that gets no other; its status is set before. */
export const sendNoticePage = (reply: FastifyReply, notice: Notice): FastifyReply =>
  reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", contentPolicy)
    .send(eta.render("./notice", { style, ...notice }));

/** A sentence as HTML: what stands between backticks is code. */
const toHtml = (sentence: string): string =>
  sentence
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>");

/** The pages that `docUrl` of an error leads to: all codes on one, and one of each code. */
export function addErrorPages(server: FastifyInstance): void {
  const send = (reply: FastifyReply, title: string, shownCodes: readonly RefusalCode[], all: boolean) =>
    reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", contentPolicy)
      .send(
        eta.render("./errors", {
          title,
          style,
          all,
          toHtml,
          meanings: shownCodes.map((code) => ({ code, ...refusalCodes[code] })),
        }),
      );
  server.get(ERROR_PAGES_PATH, { config: { open: true } }, (_request, reply) =>
    send(reply, "Error codes", codes, true),
  );
  server.get<{ Params: { code: string } }>(
    `${ERROR_PAGES_PATH}/:code`,
    { config: { open: true } },
    (request, reply) => {
      const code = codes.find((one) => one === request.params.code);
      if (code) return send(reply, code, [code], false);
      const suggestion = nearestWord(request.params.code, codes);
      throw notFound(
        "NOT_FOUND",
        `There is no error code with this name.${suggestion ? ` Did you mean ${suggestion}?` : ""}`,
      );
    },
  );
}
