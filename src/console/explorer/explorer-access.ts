import { isDemoOffered, requestDemo } from "../session/demo-session.ts";
import { readStoredAccess } from "../session/stored-access.ts";

/** What authenticates the operations of the explorer, and the variables of the example operations. */
export interface ExplorerAccess {
  kind: "DEMO" | "TOKEN" | "PERSON" | "NONE";
  headers: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, string>>;
}

/** The session of this tab goes first, then the demo's token, if the gateway offers it to this browser. */
export async function findExplorerAccess(): Promise<ExplorerAccess> {
  const stored = readStoredAccess();
  const demo = isDemoOffered() ? await requestDemo().catch(() => undefined) : undefined;
  const variables = demo?.variables ?? {};
  if (stored?.kind === "TOKEN") return { kind: "TOKEN", headers: { "Secret-Token": stored.token }, variables };
  // The browser sends the session's cookie by itself.
  if (stored?.kind === "PERSON") return { kind: "PERSON", headers: {}, variables };
  if (demo) return { kind: "DEMO", headers: { "Secret-Token": demo.token }, variables };
  return { kind: "NONE", headers: {}, variables };
}
