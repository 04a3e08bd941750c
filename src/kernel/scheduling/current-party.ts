import { AsyncLocalStorage } from "node:async_hooks";

/** The party that work is done for. Kinds share equally among each other, and so do the parties within each kind. */
export interface Party {
  kind: "API" | "WORKER" | "OTHER";
  id: number | string;
}

const partyStorage = new AsyncLocalStorage<Party>();

/** Work without a party: checkout pages, callbacks, the gateway's own. */
const NO_PARTY: Party = { kind: "OTHER", id: "" };

/** Runs work for a party: it waits in the party's own queue. */
export const runAsParty = <T>(party: Party, work: () => T): T => partyStorage.run(party, work);

/** The party that the current work is done for. */
export const currentParty = (): Party => partyStorage.getStore() ?? NO_PARTY;
