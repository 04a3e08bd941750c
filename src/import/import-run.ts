import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ImportKind } from "../../schema/vocabulary.ts";
import type { Database, Handle } from "../database/client.ts";
import type { Services } from "../graphql/services.ts";
import { invariant, type Refusal } from "../kernel/refusals.ts";
import type { BatchFacts, CreatedRecord, ImportVendor } from "./import.service.ts";
import {
  problemsOfRefusal,
  rowProblem,
  UnusableRow,
  whatToDoAbout,
  type RowProblem,
  type RowRefusal,
} from "./import.refusal.ts";
import type { FailureRow } from "../recovery/past-payments/failure-row.ts";
import type { TryOutcome } from "../recovery/past-payments/past-payment.service.ts";
import type { FileKind, RowValues } from "./import.rows.ts";
import type { KnownRecord } from "./imported-record.repository.ts";
import type { FileRow } from "./row-reader.ts";

/** The rows of a file of one kind. */
export interface ImportFile {
  kind: FileKind;
  name: string;
  rows: AsyncIterable<FileRow>;
}

/** The result of a file, in rows. */
export interface ImportCounts {
  kind: FileKind;
  file: string;
  created: number;
  /** Rows that an earlier import has created. */
  known: number;
  refused: number;
  /** Created payment methods that an account of the vendor charges, and created subscriptions with one. */
  chargeable: number;
  /** When Recoup charges the first of the created subscriptions that it can charge; null if there is none. */
  firstChargeAt: Date | null;
}

/** PostgreSQL keeps 64 savepoints of a transaction where other transactions find them at once. */
const BATCH_RECORDS = 60;
/** Tries have no savepoints; rows of 1 MB each limit a batch of them too. */
const BATCH_TRIES = 200;
/** A killed import keeps its lock until the server has noticed; another one that runs keeps it for longer. */
const LOCK_ATTEMPTS = 75;
const LOCK_PAUSE_MS = 200;

/** Another import of the same vendor is running. */
export class ImportIsRunning extends Error {
  constructor() {
    super(
      "Another import of this vendor is running. Run this one again after it: rows that were imported are skipped.",
    );
  }
}

/** Kinds whose rows refer to no row of their own kind. */
const independentKinds: ReadonlySet<ImportKind> = new Set(["CUSTOMER", "PAYMENT_METHOD", "SUBSCRIPTION"]);

type Outcome = CreatedRecord | "ADDED" | "KNOWN" | readonly RowProblem[];

/**
 * Imports the rows of files in batches, each in a transaction. A refused row costs no other row: where there is one, each row of
 * the batch gets a savepoint. An import that is run again
 * finds the rows of batches that were committed, so that it needs no other memory of where it stopped.
 */
export class ImportRun {
  constructor(
    private readonly deps: {
      transaction: Database["transaction"];
      createServices: (handle: Handle) => Services;
      vendor: ImportVendor;
      /** The refusal that an error is; undefined for a bug or an outage. */
      toRefusal: (error: unknown) => Refusal | undefined;
      /** Since when Recoup charges imported subscriptions. */
      switchOver: Date;
      /** Receives each reason why a row was refused. */
      onRefusal: (refusal: RowRefusal) => Promise<void>;
    },
  ) {}

  async importFile({ kind, name, rows }: ImportFile): Promise<ImportCounts> {
    const batchRows = kind === "PAST_TRY" ? BATCH_TRIES : BATCH_RECORDS;
    const counts: ImportCounts = {
      kind,
      file: name,
      created: 0,
      known: 0,
      refused: 0,
      chargeable: 0,
      firstChargeAt: null,
    };
    let batch: FileRow[] = [];
    const flush = async () => {
      const outcomes = await this.importBatch(kind, batch);
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome === "KNOWN") counts.known++;
        else if (outcome === "ADDED") counts.created++;
        else if ("id" in outcome) addCreated(counts, outcome);
        else {
          counts.refused++;
          await this.refuse(name, batch[index] as FileRow, outcome);
        }
      }
      batch = [];
    };
    for await (const row of rows) {
      batch.push(row);
      if (batch.length === batchRows) await flush();
    }
    await flush();
    return counts;
  }

  private async importBatch(kind: FileKind, rows: readonly FileRow[]): Promise<Outcome[]> {
    if (!rows.some(isUsable)) return rows.map(({ problems }) => problems);
    for (let attempt = 1; attempt <= LOCK_ATTEMPTS; attempt++) {
      const outcomes = await this.deps.transaction((handle) => this.importInTransaction(handle, kind, rows));
      if (outcomes) return outcomes;
      await sleep(LOCK_PAUSE_MS);
    }
    throw new ImportIsRunning();
  }

  /** Undefined if another import has the lock. */
  private async importInTransaction(
    handle: Handle,
    kind: FileKind,
    rows: readonly FileRow[],
  ): Promise<Outcome[] | undefined> {
    const services = this.deps.createServices(handle);
    if (!(await services.imports.tryLockImports(this.deps.vendor.id))) return undefined;
    return kind === "PAST_TRY" ? this.importTries(services, rows) : this.importRecords(handle, services, kind, rows);
  }

  /** Tries are known by their payment and their time, so that they are found without ids of their own. */
  private async importTries({ pastPayments }: Services, rows: readonly FileRow[]): Promise<Outcome[]> {
    const usable = rows.filter(isUsable).map(({ values }) => values as FailureRow);
    const outcomes = (await pastPayments.addTries(this.deps.vendor.id, usable)).values();
    return rows.map((row) => (isUsable(row) ? toOutcome(outcomes.next().value) : row.problems));
  }

  private async importRecords(
    handle: Handle,
    { imports }: Services,
    kind: ImportKind,
    rows: readonly FileRow[],
  ): Promise<Outcome[]> {
    const { vendor, switchOver } = this.deps;
    const usable = rows.filter(isUsable).map(({ values }) => values as RowValues[ImportKind]);
    const known = await imports.findKnown(vendor.id, kind, usable);
    const batch = { known, switchOver, accounts: await imports.listAccounts(vendor.id) };
    const unknown = usable.filter(({ partnerId }) => !known.find(kind, partnerId));
    const imported = await this.importAtOnce(handle, kind, unknown, batch);
    const created: KnownRecord[] = [];
    const outcomes: Outcome[] = [];
    for (const row of rows) {
      if (!isUsable(row)) {
        outcomes.push(row.problems);
        continue;
      }
      const values = row.values as RowValues[ImportKind];
      const { partnerId } = values;
      const rowHash = hashRow(row.written);
      const earlier = known.find(kind, partnerId);
      if (earlier) {
        outcomes.push(earlier.rowHash === rowHash ? "KNOWN" : [takenProblem]);
        continue;
      }
      const outcome = imported.get(partnerId) ?? (await this.importRow(handle, kind, values, batch));
      outcomes.push(outcome);
      if (!("id" in outcome)) continue;
      const record = { kind, partnerId, recordId: outcome.id, rowHash };
      known.add(record);
      created.push(record);
    }
    await imports.saveIds(vendor.id, created);
    return outcomes;
  }

  /**
   * Imports rows that refer to none of each other, all at once: their statements are pipelined, so that no row waits for the
   * round trips of the one above. If one of them fails, none is imported here.
   */
  private async importAtOnce<K extends ImportKind>(
    handle: Handle,
    kind: K,
    rows: readonly RowValues[K][],
    batch: BatchFacts,
  ): Promise<ReadonlyMap<string, CreatedRecord>> {
    const ids = new Set(rows.map(({ partnerId }) => partnerId));
    if (!independentKinds.has(kind) || ids.size < rows.length) return new Map();
    try {
      return await handle.transaction(async (savepoint) => {
        const { imports } = this.deps.createServices(savepoint);
        const results = await Promise.allSettled(
          rows.map(
            async (row) => [row.partnerId, await imports.importRow(this.deps.vendor, kind, row, batch)] as const,
          ),
        );
        return new Map(results.map(getFulfilled));
      });
    } catch {
      // Row by row, the one that failed says why.
      return new Map();
    }
  }

  private async importRow<K extends ImportKind>(
    handle: Handle,
    kind: K,
    values: RowValues[K],
    batch: BatchFacts,
  ): Promise<CreatedRecord | readonly RowProblem[]> {
    try {
      return await handle.transaction((savepoint) =>
        this.deps.createServices(savepoint).imports.importRow(this.deps.vendor, kind, values, batch),
      );
    } catch (error) {
      if (error instanceof UnusableRow) return error.problems;
      const refusal = this.deps.toRefusal(error);
      if (!refusal) throw error;
      return problemsOfRefusal(refusal);
    }
  }

  private async refuse(file: string, { line, partnerId }: FileRow, problems: readonly RowProblem[]): Promise<void> {
    for (const problem of problems)
      await this.deps.onRefusal({ file, line, partnerId, ...problem, whatToDo: whatToDoAbout(problem.code) });
  }
}

function addCreated(counts: ImportCounts, { isChargeable = false, chargedAt = null }: CreatedRecord): void {
  counts.created++;
  if (!isChargeable) return;
  counts.chargeable++;
  const { firstChargeAt } = counts;
  if (chargedAt && (!firstChargeAt || chargedAt < firstChargeAt)) counts.firstChargeAt = chargedAt;
}

const takenProblem = rowProblem(
  "PARTNER_ID_TAKEN",
  "partnerId",
  "A row with this `partnerId` and other values was imported before, or stands above.",
);

const codesOfTries = {
  INVALID: "INVALID_ARGUMENT",
  REPEATED: "TRY_REPEATED",
  AFTER_APPROVAL: "TRY_AFTER_APPROVAL",
} as const;

function toOutcome(outcome: TryOutcome | undefined): Outcome {
  invariant(outcome !== undefined, "each try has a result");
  if (outcome === "ADDED" || outcome === "KNOWN") return outcome;
  const { reason, column, must } = outcome;
  return [{ code: codesOfTries[reason], field: column, message: `\`${column}\` ${must}.` }];
}

function getFulfilled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

const isUsable = ({ problems }: FileRow): boolean => problems.length === 0;

/** The hash of a row's values, in any order of its fields. */
const hashRow = (written: object | null): string =>
  createHash("sha256").update(JSON.stringify(written, sortKeys)).digest("base64url");

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
