import type { GraphQLResolveInfo } from "graphql";
import { ArgsType, Field, Int, ObjectType, type ClassType } from "type-graphql";
import type { SortOrder } from "../database/lists/paged-list.ts";
import type { ProjectedList } from "../database/lists/projected-list.ts";
import { invalidFields } from "../kernel/refusals.ts";
import { DEFAULT_SLICE_SIZE } from "../kernel/slice.ts";
import { requireOrderedPeriods } from "./connection.ts";
import type { GatewayContext } from "./context.ts";
import { recordSelectionOf } from "./execution/text-plans.ts";

/** The largest numbered page: those of the REST contract. */
const MAX_PAGE_SIZE = 1_000;

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 0, description: "Number of the page, starting at 0." })
  page!: number;

  @Field(() => Int, { defaultValue: DEFAULT_SLICE_SIZE, description: "Number of rows in a page. 1 to 1000." })
  size!: number;
}

/** The type of a numbered page: `Order` gives `OrderPage`. */
export function numberedPageType<T extends object>(node: () => ClassType<T>, name: string): ClassType<object> {
  @ObjectType(`${name}Page`, {
    description: `A numbered page of a list of ${name}, as the REST contract needs it. Other clients should use the connection.`,
    simpleResolvers: true,
  })
  class Page {
    @Field(() => [node()], { description: "Rows of the page. Empty past the end of the list." })
    rows!: T[];

    @Field(() => Int, {
      description: "Number of rows in all pages together. It is counted only if this field is selected.",
    })
    totalCount!: number;
  }

  return Page;
}

/** A numbered page of a vendor's whole list. Only selected parts are queried. */
export function toNumberedPage<Filter extends object, Field extends string>(
  { vendor }: GatewayContext,
  list: ProjectedList<Filter, Field>,
  { page, size }: PageArgs,
  filter: Filter,
  sorting: SortOrder<Field>,
  info: GraphQLResolveInfo,
) {
  requireOrderedPeriods(filter);
  const fieldErrors = [
    ...(page < 0 ? [{ path: "page", message: "must not be negative." }] : []),
    ...(size < 1 || size > MAX_PAGE_SIZE ? [{ path: "size", message: `must be from 1 to ${MAX_PAGE_SIZE}.` }] : []),
  ];
  if (fieldErrors.length > 0) throw invalidFields(fieldErrors.map((fault) => ({ ...fault, code: "INVALID_VALUE" })));
  return {
    rows: () => list.page(vendor.id, filter, { page, size }, sorting, recordSelectionOf(info, ["rows"])),
    totalCount: () => list.count(vendor.id, filter),
  };
}
