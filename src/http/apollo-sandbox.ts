import { readFileSync } from "node:fs";
import type { ApolloServerPlugin, BaseContext } from "@apollo/server";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import { projectFile } from "../kernel/project-files.ts";

/** A vendor whose token everybody may know, and what the example operations are about. */
export interface ApolloSandboxDefaults {
  token: string;
  examples: { subscriptionId: number; orderId: number };
}

/**
 * Apollo Sandbox in the browser, with example operations ready to run. The demo vendor's token is filled in only if the
 * gateway itself listens on loopback: a page that others can open never contains a token, whatever its host name.
 */
export const createApolloSandbox = (
  demo: ApolloSandboxDefaults | undefined,
  isLoopback: boolean,
): ApolloServerPlugin<BaseContext> =>
  ApolloServerPluginLandingPageLocalDefault({
    footer: false,
    document: readFileSync(projectFile("docs/examples.graphql"), "utf8"),
    ...(demo && {
      ...(isLoopback && { headers: { "Secret-Token": demo.token } }),
      variables: { orderId: String(demo.examples.orderId), subscriptionId: String(demo.examples.subscriptionId) },
    }),
    embed: {
      runTelemetry: false,
      initialState: {
        pollForSchemaUpdates: false,
        ...(demo && isLoopback && { sharedHeaders: { "Secret-Token": demo.token } }),
      },
    },
  });
