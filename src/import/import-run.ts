import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ImportKind } from "../../schema/vocabulary.ts";
import type { Database, Handle } from "../database/client.ts";
import type { Services } from "../graphql/services.ts";
import { invariant, type Refusal } from "../kernel/refusals.ts";
import type { CreatedRecord, ImportVendor } from "./import.service.ts";
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

type Outcome = CreatedRecord | "KNOWN" | readonly RowProblem[];

/**
 * Imports the rows of files in batches, each in a transaction and each row in a savepoint. An import that is run again
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
        else if ("isChargeable" in outcome) addCreated(counts, outcome);
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
    const { vendor } = this.deps;
    const usable = rows.filter(isUsable).map(({ values }) => (values as RowValues[ImportKind]).partnerId);
    const records = await imports.findImported(vendor.id, kind, usable);
    const hashes = new Map([...records].map(([partnerId, { rowHash }]) => [partnerId, rowHash]));
    const outcomes: Outcome[] = [];
    for (const row of rows) {
      if (!isUsable(row)) {
        outcomes.push(row.problems);
        continue;
      }
      const values = row.values as RowValues[ImportKind];
      const rowHash = hashRow(row.written);
      const knownHash = hashes.get(values.partnerId);
      if (knownHash !== undefined) {
        outcomes.push(knownHash === rowHash ? "KNOWN" : [takenProblem]);
        continue;
      }
      const outcome = await this.importRow(handle, kind, values, rowHash);
      if ("isChargeable" in outcome) hashes.set(values.partnerId, rowHash);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  private async importRow<K extends ImportKind>(
    handle: Handle,
    kind: K,
    values: RowValues[K],
    rowHash: string,
  ): Promise<CreatedRecord | readonly RowProblem[]> {
    try {
      const { vendor, switchOver } = this.deps;
      return await handle.transaction((savepoint) =>
        this.deps.createServices(savepoint).imports.importRow(vendor, kind, values, { rowHash, switchOver }),
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

function addCreated(counts: ImportCounts, { isChargeable, chargedAt = null }: CreatedRecord): void {
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
  if (outcome === "ADDED") return { isChargeable: false };
  if (outcome === "KNOWN") return "KNOWN";
  const { reason, column, must } = outcome;
  return [{ code: codesOfTries[reason], field: column, message: `\`${column}\` ${must}.` }];
}

const isUsable = ({ problems }: FileRow): boolean => problems.length === 0;

/** The hash of a row's values, in any order of its fields. */
const hashRow = (written: object | null): string =>
  createHash("sha256").update(JSON.stringify(written, sortKeys)).digest("base64url");

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
