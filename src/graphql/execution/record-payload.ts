import type { GraphQLResolveInfo } from "graphql";
import type { ProjectedList, ProjectedRow } from "../../database/lists/projected-list.ts";
import type { GatewayContext } from "../context.ts";
import { recordSelectionOf } from "./text-plans.ts";

/** A field of a mutation's payload: a record that is read when the field is completed, as it is selected there. */
type RecordOfPayload = (
  args: unknown,
  context: GatewayContext,
  info: GraphQLResolveInfo,
) => Promise<ProjectedRow | null>;

/** The record with this number as a field of a payload. */
export const recordOf =
  <Filter>(list: ProjectedList<Filter>, id: number): RecordOfPayload =>
  (_args, { loaders }, info) =>
    loaders.findProjected(list, id, recordSelectionOf(info));

/** The records with these numbers, in the same order. */
export const recordsOf =
  <Filter>(list: ProjectedList<Filter>, ids: readonly number[]) =>
  (_args: unknown, { loaders }: GatewayContext, info: GraphQLResolveInfo): Promise<ProjectedRow | null>[] => {
    const selection = recordSelectionOf(info);
    return ids.map((id) => loaders.findProjected(list, id, selection));
  };
