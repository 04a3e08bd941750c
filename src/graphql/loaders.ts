import DataLoader from "dataloader";
import type { PagedList, SortOrder } from "../database/lists/paged-list.ts";
import type { ProjectedList, ProjectedRow, RecordSelection } from "../database/lists/projected-list.ts";
import type { EventRecord, EventSubjectRow } from "../events/event.repository.ts";
import { invariant } from "../kernel/refusals.ts";
import { groupBy } from "../kernel/group-by.ts";
import type { Slice, SliceRequest } from "../kernel/slice.ts";
import { getOrThrow, required } from "../kernel/required-values.ts";
import type { CoverOrderItemRecord, CoverOrderRecord } from "../recovery/registry/cover-order.repository.ts";
import type { CoverDebt, CoverDecisionRecord, CoverRecord } from "../recovery/covers/cover.repository.ts";
import type { ExperimentArmCounts } from "../recovery/experiments/experiment-count.repository.ts";
import type { ExperimentArmRecord } from "../recovery/experiments/recovery-experiment.repository.ts";
import type { WebhookAttemptRecord } from "../webhooks/webhook-delivery.repository.ts";
import type { Repositories } from "./repositories.ts";

/** Repositories whose records are found by number. */
type LoadableRepository =
  | "coverCustomers"
  | "coverProducts"
  | "coverPrices"
  | "coverOrders"
  | "coverSubscriptions"
  | "covers"
  | "recoveryPolicies"
  | "recoveryExperiments"
  | "recoveryModels"
  | "recoveryTrainings"
  | "webhookEndpoints"
  | "webhookDeliveries"
  | "messages"
  | "apiKeys"
  | "people";

type LoadedRecord<Name extends LoadableRepository> = Awaited<ReturnType<Repositories[Name]["byIds"]>>[number];

/** The rows of a list that belong to a parent. */
export interface ChildList<
  Row extends { id: number },
  Filter,
  Field extends string,
  Parent extends string,
  Read extends readonly object[],
> {
  list: PagedList<Row, Filter, Field, Parent, Read>;
  parent: Parent;
  filter: Filter;
  sorting: SortOrder<Field>;
}

/**
 * Batches the reads of one request's fields: each edge costs one statement, however many parents a page has. A write
 * clears all loaded values.
 */
export class Loaders {
  private dataLoaders = new Map<unknown, DataLoader<number, unknown>>();

  constructor(
    private readonly vendorId: number,
    private readonly read: Repositories,
  ) {}

  clear(): void {
    this.dataLoaders = new Map();
  }

  /** The record with this number, or null. */
  findById<Name extends LoadableRepository>(name: Name, id: number): Promise<LoadedRecord<Name> | null> {
    return this.dataLoaderOf(name, async (ids) => {
      const rows = (await this.read[name].byIds(this.vendorId, ids)) as LoadedRecord<Name>[];
      return inOrderOfIds(ids, new Map(rows.map((row) => [row.id, row])), null);
    }).load(id);
  }

  /** The record that a foreign key points at: the database vouches for it. */
  async requireById<Name extends LoadableRepository>(name: Name, id: number): Promise<LoadedRecord<Name>> {
    const found = await this.findById(name, id);
    invariant(found, `a foreign key leads to ${name}`);
    return found;
  }

  coverOrderItemsOf(orderId: number): Promise<CoverOrderItemRecord[]> {
    return this.dataLoaderOf("itemsOf", async (ids) => {
      const rows = await this.read.coverOrders.itemsOf(this.vendorId, ids);
      return inOrderOfIds(
        ids,
        groupBy(rows, (row) => row.orderId),
        [],
      );
    }).load(orderId);
  }

  renewalsOf(subscriptionId: number): Promise<CoverOrderRecord[]> {
    return this.dataLoaderOf("renewalsOf", async (ids) => {
      const rows = await this.read.coverOrders.renewalsOf(this.vendorId, ids);
      return inOrderOfIds(
        ids,
        groupBy(rows, (row) => required(row.subscriptionId, "subscriptionId")),
        [],
      );
    }).load(subscriptionId);
  }

  latestCoverOf(orderId: number): Promise<CoverRecord | null> {
    return this.dataLoaderOf("latestCoverOf", async (ids) => {
      const rows = await this.read.covers.latestOfOrders(this.vendorId, ids);
      return inOrderOfIds(ids, new Map(rows.map((row) => [required(row.orderId, "orderId"), row])), null);
    }).load(orderId);
  }

  latestDecisionOf(coverId: number): Promise<CoverDecisionRecord | null> {
    return this.dataLoaderOf("latestDecisionOf", async (ids) => {
      const rows = await this.read.covers.latestDecisions(this.vendorId, ids);
      return inOrderOfIds(ids, new Map(rows.map((row) => [row.coverId, row])), null);
    }).load(coverId);
  }

  /** The amount that a cover recovers, and who is to pay it. */
  coverDebtOf(coverId: number): Promise<CoverDebt> {
    return this.dataLoaderOf("debts", async (ids) => {
      const rows = await this.read.covers.debtsOf(this.vendorId, ids);
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => getOrThrow(found, id));
    }).load(coverId);
  }

  experimentArmsOf(experimentId: number): Promise<ExperimentArmRecord[]> {
    return this.dataLoaderOf("experimentArmsOf", async (ids) => {
      const rows = await this.read.recoveryExperiments.armsOf(this.vendorId, ids);
      return inOrderOfIds(
        ids,
        groupBy(rows, (row) => row.experimentId),
        [],
      );
    }).load(experimentId);
  }

  webhookAttemptsOf(deliveryId: number): Promise<WebhookAttemptRecord[]> {
    return this.dataLoaderOf("webhookAttemptsOf", async (ids) => {
      const rows = await this.read.webhookDeliveries.attemptsOf(this.vendorId, ids);
      return inOrderOfIds(
        ids,
        groupBy(rows, (row) => row.deliveryId),
        [],
      );
    }).load(deliveryId);
  }

  /** The time until which a person's invitation can be accepted; null if there is none. */
  invitationExpiryOf(personId: number): Promise<Date | null> {
    return this.dataLoaderOf("invitations", async (ids) => {
      const invitations = await this.read.passwordLinks.invitationsOf(this.vendorId, ids);
      return ids.map((id) => invitations.get(id)?.expiresAt ?? null);
    }).load(personId);
  }

  hasSecondFactor(personId: number): Promise<boolean> {
    return this.dataLoaderOf("secondFactors", async (ids) => {
      const people = await this.read.secondFactors.peopleWithFactor(this.vendorId, ids);
      return ids.map((id) => people.has(id));
    }).load(personId);
  }

  /** The counts of an experiment by arm; with a day, only of covers that are old enough to be compared on it. */
  experimentCountsOf(experimentId: number, maturedOn?: string): Promise<ExperimentArmCounts[]> {
    return this.dataLoaderOf(`experimentCounts:${maturedOn ?? ""}`, async (ids) => {
      const rows = await this.read.experimentCounts.armCountsOf(this.vendorId, ids, maturedOn ? { maturedOn } : {});
      return inOrderOfIds(
        ids,
        groupBy(rows, (row) => row.experimentId),
        [],
      );
    }).load(experimentId);
  }

  /** The subject of an event of the billing side, or of the recovery module: its name and amount. */
  eventSubjectOf(list: "events" | "timeline", id: number): Promise<EventSubjectRow | null> {
    return this.dataLoaderOf(`subjects:${list}`, async (ids) => {
      const rows = await this.read[list].eventSubjectsOf(this.vendorId, ids);
      return inOrderOfIds(ids, new Map(rows.map((row) => [row.id, row])), null);
    }).load(id);
  }

  /** The event that has a number: the sequencer vouches for it. */
  async requireEventOfNumber(number: number): Promise<EventRecord> {
    const load = this.dataLoaderOf("eventNumbers", async (numbers) =>
      inOrderOfIds(numbers, await this.read.eventFeed.eventsByNumbers(this.vendorId, numbers), null),
    );
    return required(await load.load(number), "the event of a number");
  }

  hasRunningCover(subscriptionId: number): Promise<boolean> {
    return this.dataLoaderOf("coverRuns", async (ids) => {
      const running = await this.read.covers.subscriptionsInRecovery(this.vendorId, ids);
      return ids.map((id) => running.has(id));
    }).load(subscriptionId);
  }

  /** A slice of the list that belongs to a parent. */
  sliceOf<
    Row extends { id: number },
    Filter,
    Field extends string,
    Parent extends string,
    Read extends readonly object[],
  >(
    child: ChildList<Row, Filter, Field, Parent, Read>,
    request: SliceRequest,
    parentId: number,
    ...read: Read
  ): Promise<Slice<Row>> {
    const { list, parent, filter, sorting } = child;
    return this.dataLoaderOf(batchKeyOf("slice", child, request) + read.map(selectionNumberOf).join(), (ids) =>
      list.sliceOfEach(this.vendorId, parent, ids, filter, request, sorting, ...read),
    ).load(parentId);
  }

  /** The record with this number, read as it is selected, or null. */
  findProjected<Filter>(
    list: ProjectedList<Filter>,
    id: number,
    selection: RecordSelection,
  ): Promise<ProjectedRow | null> {
    return this.dataLoaderOf(`shaped:${list.key}:${selectionNumberOf(selection)}`, async (ids) => {
      const rows = await list.byIds(this.vendorId, ids, selection);
      return inOrderOfIds(ids, new Map(rows.map((row) => [row.id, row])), null);
    }).load(id);
  }

  /** The length of a parent's list. */
  countOf<Filter, Parent extends string>(child: CountedList<Filter, Parent>, parentId: number): Promise<number> {
    const { list, parent, filter } = child;
    return this.dataLoaderOf(batchKeyOf("count", child, {}), (ids) =>
      list.countOfEach(this.vendorId, parent, ids, filter),
    ).load(parentId);
  }

  private dataLoaderOf<T>(key: string, load: (ids: readonly number[]) => Promise<T[]>): DataLoader<number, T> {
    let loader = this.dataLoaders.get(key) as DataLoader<number, T> | undefined;
    if (!loader) {
      loader = new DataLoader<number, T>(load);
      this.dataLoaders.set(key, loader);
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

const selectionNumbers = new WeakMap<object, number>();
let lastSelectionNumber = 0;

/** Two fields with the same selection share a statement if the document uses the same node for both. */
function selectionNumberOf(selection: object): number {
  const known = selectionNumbers.get(selection) ?? ++lastSelectionNumber;
  selectionNumbers.set(selection, known);
  return known;
}

type Keyed = { list: { name: string }; parent: string; filter: unknown; sorting: unknown };

const batchKeyOf = (question: string, child: Keyed, request: SliceRequest): string =>
  JSON.stringify([question, child.list.name, child.parent, child.filter, child.sorting, request]);

const inOrderOfIds = <T, N>(ids: readonly number[], found: Map<number, T>, fallback: N): (T | N)[] =>
  ids.map((id) => found.get(id) ?? fallback);
