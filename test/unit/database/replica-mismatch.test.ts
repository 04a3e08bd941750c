import { expect, test } from "vitest";
import { findMismatch, type PrimaryRow, type ReplicaRow } from "../../../src/database/replica/server-states.ts";

const identity = { position: "100", system: "7001", database: "16384", timeline: 2 };
const primary: PrimaryRow = { ...identity, isDistributed: false };
const replica: ReplicaRow = { ...identity, isStandby: true };

test("a standby of the primary's database on its timeline may be read", () => {
  expect(findMismatch(primary, replica)).toBeUndefined();
});

test.each<[Partial<ReplicaRow>, Partial<PrimaryRow>, RegExp]>([
  [{ isStandby: false }, {}, /not a standby/],
  [{ system: "7002" }, {}, /another server/],
  [{ database: "5" }, {}, /another database/],
  // The replica of a primary that was replaced may have what its successor never had.
  [{ timeline: 1 }, {}, /timeline/],
  [{}, { isDistributed: true }, /Citus/],
])("a server that differs by %o, from a primary with %o, may not be read", (ofReplica, ofPrimary, reason) => {
  expect(findMismatch({ ...primary, ...ofPrimary }, { ...replica, ...ofReplica })).toMatch(reason);
});
