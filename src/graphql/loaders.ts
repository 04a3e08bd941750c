import DataLoader from "dataloader";
import type { Keyset, Sorting } from "../database/keyset-list.ts";
import type { Selection } from "../database/projection.ts";
import type { Shaped, ShapedList } from "../database/projected-list.ts";
import type { EventSubjectRow } from "../events/event.repository.ts";
import { invariant } from "../kernel/refusals.ts";
import { group } from "../kernel/group-by.ts";
import type { Slice, SliceRequest } from "../kernel/slice.ts";
import type { CoverOrderItemRecord, CoverOrderRecord } from "../recovery/registry/cover-order.repository.ts";
import type { CoverDebt, CoverDecisionRecord, CoverRecord } from "../recovery/covers/cover.repository.ts";
import type { Repositories } from "./repositories.ts";

/** Repositories whose records are found by number. */
type Findable =
  | "coverCustomers"
  | "coverProducts"
  | "coverPrices"
  | "coverOrders"
  | "coverSubscriptions"
  | "covers"
  | "recoveryPolicies";

type Found<Name extends Findable> = Awaited<ReturnType<Repositories[Name]["byIds"]>>[number];

/** Which slice of a list a parent is asked for. */
export interface ChildList<Row extends { id: number }, Filter, Field extends string, Parent extends string> {
  list: Keyset<Row, Filter, Field, Parent>;
  parent: Parent;
  filter: Filter;
  sorting: Sorting<Field>;
}

/** As `ChildList`, for records that are read as they are selected. */
export interface ShapedChildList<Filter, Field extends string, Parent extends string> {
  list: ShapedList<Filter, Field, Parent>;
  parent: Parent;
  filter: Filter;
  sorting: Sorting<Field>;
}

/**
 * Batches what the fields of one request ask for: however many parents a page has, each edge costs one statement.
 * After a write everything is asked anew.
 */
export class Loaders {
  private batches = new Map<unknown, DataLoader<number, unknown>>();

  constructor(
    private readonly vendorId: number,
    private readonly read: Repositories,
  ) {}

  clear(): void {
    this.batches = new Map();
  }

  /** The record with this number, or null. */
  find<Name extends Findable>(name: Name, id: number): Promise<Found<Name> | null> {
    return this.batch(name, async (ids) => {
      const rows = (await this.read[name].byIds(this.vendorId, ids)) as Found<Name>[];
      return each(ids, new Map(rows.map((row) => [row.id, row])), null);
    }).load(id);
  }

  /** The record that a foreign key points at: the database vouches for it. */
  async get<Name extends Findable>(name: Name, id: number): Promise<Found<Name>> {
    const found = await this.find(name, id);
    invariant(found, `a foreign key leads to ${name}`);
    return found;
  }

  itemsOf(orderId: number): Promise<CoverOrderItemRecord[]> {
    return this.batch("itemsOf", async (ids) => {
      const rows = await this.read.coverOrders.itemsOf(this.vendorId, ids);
      return each(
        ids,
        group(rows, (row) => row.orderId),
        [],
      );
    }).load(orderId);
  }

  renewalsOf(subscriptionId: number): Promise<CoverOrderRecord[]> {
    return this.batch("renewalsOf", async (ids) => {
      const rows = await this.read.coverOrders.renewalsOf(this.vendorId, ids);
      return each(
        ids,
        group(rows, (row) => row.subscriptionId!),
        [],
      );
    }).load(subscriptionId);
  }

  latestCoverOf(orderId: number): Promise<CoverRecord | null> {
    return this.batch("latestCoverOf", async (ids) => {
      const rows = await this.read.covers.latestOfEach(this.vendorId, ids);
      return each(ids, new Map(rows.map((row) => [row.orderId!, row])), null);
    }).load(orderId);
  }

  latestDecisionOf(coverId: number): Promise<CoverDecisionRecord | null> {
    return this.batch("latestDecisionOf", async (ids) => {
      const rows = await this.read.covers.latestDecisions(this.vendorId, ids);
      return each(ids, new Map(rows.map((row) => [row.coverId, row])), null);
    }).load(coverId);
  }

  /** The amount that a cover recovers, and who is to pay it. */
  debtOf(coverId: number): Promise<CoverDebt> {
    return this.batch("debts", async (ids) => {
      const rows = await this.read.covers.debtsOf(this.vendorId, ids);
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id)!);
    }).load(coverId);
  }

  /** Name and amount of what an event of the billing side, or of the recovery module, is about. */
  eventSubjectOf(list: "events" | "timeline", id: number): Promise<EventSubjectRow | null> {
    return this.batch(`subjects:${list}`, async (ids) => {
      const rows = await this.read[list].subjectsOf(this.vendorId, ids);
      return each(ids, new Map(rows.map((row) => [row.id, row])), null);
    }).load(id);
  }

  coverRuns(subscriptionId: number): Promise<boolean> {
    return this.batch("coverRuns", async (ids) => {
      const running = await this.read.covers.running(this.vendorId, ids);
      return ids.map((id) => running.has(id));
    }).load(subscriptionId);
  }

  /** A slice of the list that belongs to a parent. */
  sliceOf<Row extends { id: number }, Filter, Field extends string, Parent extends string>(
    child: ChildList<Row, Filter, Field, Parent>,
    request: SliceRequest,
    parentId: number,
  ): Promise<Slice<Row>> {
    const { list, parent, filter, sorting } = child;
    return this.batch(keyOf("slice", child, request), (ids) =>
      list.sliceOfEach(this.vendorId, parent, ids, filter, request, sorting),
    ).load(parentId);
  }

  /** The record with this number, read as it is selected, or null. */
  shaped<Filter>(list: ShapedList<Filter>, id: number, selection: Selection): Promise<Shaped | null> {
    return this.batch(`shaped:${list.name}:${keyOfSelection(selection)}`, async (ids) => {
      const rows = await list.byIds(this.vendorId, ids, selection);
      return each(ids, new Map(rows.map((row) => [row.id, row])), null);
    }).load(id);
  }

  /** A slice of the list that belongs to a parent, read as it is selected. */
  shapedSliceOf<Filter, Field extends string, Parent extends string>(
    child: ShapedChildList<Filter, Field, Parent>,
    request: SliceRequest,
    parentId: number,
    selection: Selection,
  ): Promise<Slice<Shaped>> {
    const { list, parent, filter, sorting } = child;
    return this.batch(keyOf("slice", child, request) + keyOfSelection(selection), (ids) =>
      list.sliceOfEach(this.vendorId, parent, ids, filter, request, sorting, selection),
    ).load(parentId);
  }

  /** How long the list is that belongs to a parent. */
  countOf<Filter, Parent extends string>(child: CountedList<Filter, Parent>, parentId: number): Promise<number> {
    const { list, parent, filter } = child;
    return this.batch(keyOf("count", child, {}), (ids) => list.countOfEach(this.vendorId, parent, ids, filter)).load(
      parentId,
    );
  }

  private batch<T>(key: string, load: (ids: readonly number[]) => Promise<T[]>): DataLoader<number, T> {
    let loader = this.batches.get(key) as DataLoader<number, T> | undefined;
    if (!loader) {
      loader = new DataLoader<number, T>(load);
      this.batches.set(key, loader);
    }
    return loader;
  }
}

/** A list whose rows can be counted for each parent. */
interface CountedList<Filter, Parent extends string> extends Keyed {
  list: {
    name: string;
    countOfEach(vendorId: number, parent: Parent, parentIds: readonly number[], filter: Filter): Promise<number[]>;
  };
  parent: Parent;
  filter: Filter;
}

const selectionNumbers = new WeakMap<Selection, number>();
let selections = 0;

/** Two fields that select alike share a statement where the document says so by the same node. */
function keyOfSelection(selection: Selection): number {
  const known = selectionNumbers.get(selection) ?? ++selections;
  selectionNumbers.set(selection, known);
  return known;
}

type Keyed = { list: { name: string }; parent: string; filter: unknown; sorting: unknown };

const keyOf = (what: string, child: Keyed, request: SliceRequest): string =>
  JSON.stringify([what, child.list.name, child.parent, child.filter, child.sorting, request]);

const each = <T, N>(ids: readonly number[], found: Map<number, T>, none: N): (T | N)[] =>
  ids.map((id) => found.get(id) ?? none);
