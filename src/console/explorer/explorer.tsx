import { GraphiQL } from "graphiql";
import examples from "../../../docs/examples.graphql?raw";
import type { ExplorerAccess } from "./explorer-access.ts";
import { createExplorerFetcher } from "./explorer-fetcher.ts";

/** What the operations of this page are sent with. */
const ACCESS_TEXTS: Record<ExplorerAccess["kind"], string> = {
  DEMO: "Sent with the demo vendor's Secret-Token.",
  TOKEN: "Sent with the Secret-Token of your sign-in to the console.",
  PERSON: "Sent with your session of the console.",
  NONE: 'Add {"Secret-Token": "…"} under Headers, or sign in to the console first.',
};

/** GraphiQL over this gateway, with the same examples as Apollo Sandbox. It loads nothing from elsewhere. */
export function Explorer({ access }: { access: ExplorerAccess }) {
  return (
    <GraphiQL
      fetcher={createExplorerFetcher(access.headers)}
      defaultQuery={examples}
      variables={JSON.stringify(access.variables, undefined, 2)}
      defaultEditorToolsVisibility={access.kind === "NONE" ? "headers" : "variables"}
    >
      <GraphiQL.Logo>
        <a href="/">Recoup</a>
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <p className="explorer-access">
          {ACCESS_TEXTS[access.kind]} <a href="/docs/graphql">Guide</a> · <a href="/docs">All docs</a> ·{" "}
          <a href="/graphql?explorer=sandbox">Apollo Sandbox (needs the internet)</a>
        </p>
      </GraphiQL.Footer>
    </GraphiQL>
  );
}
