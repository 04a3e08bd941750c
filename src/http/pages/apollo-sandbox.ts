import { readFileSync } from "node:fs";
import type { ApolloServerPlugin, BaseContext, LandingPage } from "@apollo/server";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import { projectFile } from "../../kernel/project-files.ts";
import { invariant } from "../../kernel/refusals.ts";

/** Opens the bundled explorer where Sandbox does not load. */
const watch = readFileSync(projectFile("src/http/pages/sandbox-watch.js"), "utf8");

/** A vendor whose token everybody may know, and what the example operations are about. */
export interface ApolloSandboxDefaults {
  token: string;
  examples: { subscriptionId: number; orderId: number };
}

/** The example operations' variables. */
export const exampleVariables = ({ examples }: ApolloSandboxDefaults): Record<string, string> => ({
  orderId: String(examples.orderId),
  subscriptionId: String(examples.subscriptionId),
});

/**
 * Apollo Sandbox in the browser, with example operations ready to run. The demo vendor's token is filled in only if the
 * gateway itself listens on loopback: a page that others can open never contains a token, whatever its host name.
 */
export const createApolloSandbox = (
  demo: ApolloSandboxDefaults | undefined,
  isLoopback: boolean,
): ApolloServerPlugin<BaseContext> =>
  withWatch(
    ApolloServerPluginLandingPageLocalDefault({
      footer: false,
      document: readFileSync(projectFile("docs/examples.graphql"), "utf8"),
      ...(demo && {
        ...(isLoopback && { headers: { "Secret-Token": demo.token } }),
        variables: exampleVariables(demo),
      }),
      embed: {
        runTelemetry: false,
        initialState: {
          pollForSchemaUpdates: false,
          ...(demo && isLoopback && { sharedHeaders: { "Secret-Token": demo.token } }),
        },
      },
    }),
  );

/** Puts the script at the top of the page, with the page's own nonce: it must run before what may not load. */
function withWatch(sandbox: ApolloServerPlugin<BaseContext>): ApolloServerPlugin<BaseContext> {
  return {
    serverWillStart: async (service) => {
      const listener = await sandbox.serverWillStart?.(service);
      return {
        renderLandingPage: async () => {
          const page = await listener?.renderLandingPage?.();
          return { html: async () => withWatchScript(await htmlOf(page)) };
        },
      };
    },
  };
}

const htmlOf = async (page: LandingPage | undefined): Promise<string> =>
  typeof page?.html === "function" ? page.html() : (page?.html ?? "");

function withWatchScript(html: string): string {
  const [, nonce] = /<script nonce="([^"]+)"/.exec(html) ?? [];
  invariant(nonce, "the Sandbox page has a script with a nonce");
  return html.replace("<head>", () => `<head><script nonce="${nonce}">${watch}</script>`);
}
