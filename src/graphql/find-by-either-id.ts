import { invalidField } from "../kernel/refusals.ts";
import { databaseIdOf, type NodeType } from "./record-ids.ts";

/** A record by its id or by the merchant's own, whichever was given: exactly one of them. */
export async function findByEitherId<Row>(
  type: NodeType,
  id: string | null | undefined,
  partnerId: string | null | undefined,
  partnerIdName: string,
  find: { byId: (id: number) => Promise<Row | null>; byPartnerId: (partnerId: string) => Promise<Row | undefined> },
): Promise<Row | null> {
  if (id != null && partnerId == null) return find.byId(databaseIdOf(type, id, "id"));
  if (partnerId != null && id == null) return (await find.byPartnerId(partnerId)) ?? null;
  throw invalidField("id", `is required, or ${partnerIdName}: send exactly one of the two.`);
}
