import { AsyncLocalStorage } from "node:async_hooks";

/** Who work is done for. Kinds share equally among each other, and so do the parties within each kind. */
export interface Party {
  kind: "API" | "WORKER" | "OTHER";
  id: number | string;
}

const current = new AsyncLocalStorage<Party>();

/** Work of nobody in particular: checkout pages, callbacks, the gateway's own. */
const NOBODY: Party = { kind: "OTHER", id: "" };

/** Does work for a party: whatever it waits for, it waits for in the party's own line. */
export const asParty = <T>(party: Party, work: () => T): T => current.run(party, work);

/** The party that the current work is done for. */
export const currentParty = (): Party => current.getStore() ?? NOBODY;
