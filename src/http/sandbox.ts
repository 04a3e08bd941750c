import { readFileSync } from "node:fs";
import type { ApolloServerPlugin, BaseContext } from "@apollo/server";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import { asset } from "../kernel/assets.ts";

/** Apollo Sandbox in the browser, with example operations ready to run and, where there is one, the demo token filled in. */
export const sandboxPage = (demoToken: string | undefined): ApolloServerPlugin<BaseContext> =>
  ApolloServerPluginLandingPageLocalDefault({
    footer: false,
    document: readFileSync(asset("docs/examples.graphql"), "utf8"),
    ...(demoToken && { headers: { "Secret-Token": demoToken } }),
    embed: {
      runTelemetry: false,
      initialState: { pollForSchemaUpdates: false, ...(demoToken && { sharedHeaders: { "Secret-Token": demoToken } }) },
    },
  });
