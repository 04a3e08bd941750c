import { readFileSync } from "node:fs";
import type { ApolloServerPlugin, BaseContext } from "@apollo/server";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import { asset } from "../kernel/assets.ts";

/** A vendor whose token everybody may know, and what the example operations are about. */
export interface SandboxFill {
  token: string;
  open: { subscriptionId: number; orderId: number };
}

/** Apollo Sandbox in the browser, with example operations ready to run and, where there is a demo vendor, its token filled in. */
export const sandboxPage = (demo: SandboxFill | undefined): ApolloServerPlugin<BaseContext> =>
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
