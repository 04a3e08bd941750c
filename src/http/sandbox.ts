import { readFileSync } from "node:fs";
import type { ApolloServerPlugin, BaseContext } from "@apollo/server";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import type { Demo } from "../demo/demo-data.ts";
import { asset } from "../kernel/assets.ts";

/** Apollo Sandbox in the browser, with example operations ready to run and, where there is a demo vendor, its token filled in. */
export const sandboxPage = (demo: Demo | undefined): ApolloServerPlugin<BaseContext> =>
  ApolloServerPluginLandingPageLocalDefault({
    footer: false,
    document: readFileSync(asset("docs/examples.graphql"), "utf8"),
    ...(demo && {
      headers: { "Secret-Token": demo.token },
      variables: { orderId: String(demo.open.orderId), subscriptionId: String(demo.open.subscriptionId) },
    }),
    embed: {
      runTelemetry: false,
      initialState: { pollForSchemaUpdates: false, ...(demo && { sharedHeaders: { "Secret-Token": demo.token } }) },
    },
  });
