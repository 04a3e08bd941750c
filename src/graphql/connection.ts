import type { GraphQLResolveInfo } from "graphql";
import { ArgsType, Field, InputType, Int, ObjectType, registerEnumType, type ClassType } from "type-graphql";
import { SortDirection } from "../../schema/vocabulary.ts";
import type { TimeRange } from "../database/conditions.ts";
import type { PagedList, SortOrder } from "../database/lists/paged-list.ts";
import { invalidField } from "../kernel/refusals.ts";
import { keysOf, toRecord } from "../kernel/typed-records.ts";
import { MAX_SLICE_SIZE, type Slice, type SliceRequest } from "../kernel/slice.ts";
import type { GatewayContext } from "./context.ts";
import type { ChildList } from "./loaders.ts";
import { DateTimeScalar } from "./scalars.ts";
import { recordSelectionOf } from "./execution/text-plans.ts";

registerEnumType(SortDirection, {
  name: "SortDirection",
  description: "Sort direction of a list.",
  valuesConfig: {
    ASC: { description: "Ascending: smallest or oldest first." },
    DESC: { description: "Descending: largest or newest first." },
  },
});

@ObjectType({ description: "Position of a slice within the whole list.", simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: "True if rows follow this slice." })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: "True if rows precede this slice." })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: "Cursor of the first row of the slice. Null if the slice is empty.",
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Cursor of the last row of the slice. Null if the slice is empty.",
  })
  endCursor!: string | null;
}

@ArgsType()
export class SliceArgs implements SliceRequest {
  @Field(() => Int, {
    nullable: true,
    description: "Number of rows from the start of the list. 1 to 100; defaults to 20.",
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Returns only rows after this cursor. Use it together with `first`.",
  })
  after?: string | null;

  @Field(() => Int, { nullable: true, description: "Number of rows from the end of the list. 1 to 100." })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Returns only rows before this cursor. Use it together with `last`.",
  })
  before?: string | null;
}

@InputType("PeriodInput", { description: "A range of time. Both ends are included; an absent end is open." })
export class PeriodInput implements TimeRange {
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "First instant of the range. Absent for no lower bound.",
  })
  from?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Last instant of the range. Absent for no upper bound." })
  until?: Date | null;
}

/** @throws a Refusal if a period in a filter ends before it begins. */
export function requireOrderedPeriods(filter: object): void {
  for (const [name, value] of Object.entries(filter)) {
    const { from, until } = (value ?? {}) as TimeRange;
    if (from instanceof Date && until instanceof Date && from > until)
      throw invalidField(
        `filter.${name}.from`,
        `must not be after filter.${name}.until: ${from.toISOString()} is later than ${until.toISOString()}.`,
      );
  }
}

/** The connection and edge types of a node type: `CoverOrder` gives `CoverOrderConnection` and `CoverOrderEdge`. */
export function connectionType<T extends object>(node: () => ClassType<T>, name: string): ClassType<object> {
  @ObjectType(`${name}Edge`, { description: `One row of a list of ${name}, with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field(() => String, { description: "Position of this row in the list. Pass it to `after` or `before`." })
    cursor!: string;

    @Field(node, { description: "The row." })
    node!: T;
  }

  @ObjectType(`${name}Connection`, { description: `A slice of a list of ${name}.`, simpleResolvers: true })
  class Connection {
    @Field(() => [Edge], { description: "Rows of the slice, each with its cursor." })
    edges!: Edge[];

    @Field(() => [node()], { description: "Rows of the slice, without cursors." })
    nodes!: T[];

    @Field(() => PageInfo, { description: "Position of the slice within the whole list." })
    pageInfo!: PageInfo;

    @Field(() => Int, {
      description: "Number of rows in the whole list. It is counted only if this field is selected.",
    })
    totalCount!: number;
  }

  return Connection;
}

/**
 * An input for the sort order of a list: one of an enum's values, each with its meaning. The first one is the default.
 */
export function sortInputType<Word extends string>(
  name: string,
  meanings: Readonly<Record<Word, string>>,
): ClassType<SortOrder<Word>> {
  const words = keysOf(meanings);
  const fields = toRecord(words, (word) => word);
  registerEnumType(fields, {
    name: `${name}SortField`,
    description: `Sort keys of a list of ${name}. Equal rows are sorted by id.`,
    valuesConfig: toRecord(words, (word) => ({ description: meanings[word] })),
  });

  @InputType(`${name}SortInput`, { description: `Sort order of a list of ${name}.` })
  class SortInput {
    @Field(() => fields, { defaultValue: words[0], description: "Sort key." })
    field!: Word;

    @Field(() => SortDirection, { defaultValue: "DESC", description: "Sort direction." })
    direction!: SortDirection;
  }

  return SortInput;
}

/** The default sort order of most lists. */
export const NEWEST_FIRST = { field: "CREATED_AT", direction: "DESC" } as const;

/** A vendor's whole list as a connection. Queries only the selected parts: rows, or the total. */
export function toConnection<
  Row extends { id: number },
  Filter extends object,
  Field extends string,
  Read extends readonly object[],
>(
  { vendor }: { vendor: { id: number } },
  list: PagedList<Row, Filter, Field, string, Read>,
  args: SliceRequest,
  filter: Filter,
  sorting: SortOrder<Field>,
  ...read: Read
) {
  requireOrderedPeriods(filter);
  const request = validateSliceRequest(args);
  return lazyConnection(
    () => list.slice(vendor.id, filter, request, sorting, ...read),
    () => list.count(vendor.id, filter),
  );
}

/** A parent's list as a connection, batched with those of its siblings. */
export function toChildConnection<
  Row extends { id: number },
  Filter extends object,
  Field extends string,
  Parent extends string,
  Read extends readonly object[],
>(
  { loaders }: GatewayContext,
  child: ChildList<Row, Filter, Field, Parent, Read>,
  args: SliceRequest,
  parentId: number,
  ...read: Read
) {
  requireOrderedPeriods(child.filter);
  const request = validateSliceRequest(args);
  return lazyConnection(
    () => loaders.sliceOf(child, request, parentId, ...read),
    () => loaders.countOf(child, parentId),
  );
}

/** What is read of a connection's rows. */
export const nodeSelectionOf = (info: GraphQLResolveInfo) => recordSelectionOf(info, ["edges", "node"], ["nodes"]);

function lazyConnection<Row>(load: () => Promise<Slice<Row>>, count: () => Promise<number>) {
  let loading: Promise<Slice<Row>> | undefined;
  const slice = () => (loading ??= load());
  return {
    edges: async () => (await slice()).rows.map(({ row, cursor }) => ({ node: row, cursor })),
    nodes: async () => (await slice()).rows.map(({ row }) => row),
    pageInfo: async () => {
      const { rows, hasNextPage, hasPreviousPage } = await slice();
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: rows[0]?.cursor ?? null,
        endCursor: rows.at(-1)?.cursor ?? null,
      };
    },
    totalCount: count,
  };
}

function validateSliceRequest({ first, after, last, before }: SliceRequest): SliceRequest {
  for (const [name, size] of Object.entries({ first, last })) {
    if (size != null && (size < 1 || size > MAX_SLICE_SIZE))
      throw invalidField(name, `must be from 1 to ${MAX_SLICE_SIZE}.`);
  }
  if (first != null && last != null)
    throw invalidField("last", "cannot be used together with first: request rows from one end.");
  if (before != null && last == null) throw invalidField("before", "can be used only together with last.");
  if (after != null && last != null) throw invalidField("after", "can be used only together with first.");
  return { first, after, last, before };
}
