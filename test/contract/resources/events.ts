import { listOf, type ContractTable } from "./contract-field.ts";

/** A part of the feed of events, and the position after it. */
export const eventFeedTable: ContractTable = {
  events: listOf({ number: "integer", id: "text", type: "text", timestamp: "time", data: "object" }),
  position: { after: "text?", hasMore: "boolean" },
};
