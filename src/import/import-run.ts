import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ImportKind } from "../../schema/vocabulary.ts";
import type { Database, Handle } from "../database/client.ts";
import type { Services } from "../graphql/services.ts";
import type { Refusal } from "../kernel/refusals.ts";
import type { ImportVendor } from "./import.service.ts";
import {
  problemsOfRefusal,
  rowProblem,
  UnusableRow,
  whatToDoAbout,
  type RowProblem,
  type RowRefusal,
} from "./import.refusal.ts";
import type { RowValues } from "./import.rows.ts";
import type { FileRow } from "./row-reader.ts";

/** The rows of a file of one kind. */
export interface ImportFile<K extends ImportKind = ImportKind> {
  kind: K;
  name: string;
  rows: AsyncIterable<FileRow>;
}

/** The result of a file, in rows. */
export interface ImportCounts {
  kind: ImportKind;
  file: string;
  created: number;
  /** Rows that an earlier import has created. */
  known: number;
  refused: number;
  /** Created subscriptions whose stored method an account of the vendor charges. */
  chargeable: number;
}

/** PostgreSQL keeps 64 savepoints of a transaction where other transactions find them at once. */
const BATCH_ROWS = 60;
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

type Outcome = "CREATED" | "CHARGEABLE" | "KNOWN" | readonly RowProblem[];

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

  async importFile<K extends ImportKind>({ kind, name, rows }: ImportFile<K>): Promise<ImportCounts> {
    const counts: ImportCounts = { kind, file: name, created: 0, known: 0, refused: 0, chargeable: 0 };
    let batch: FileRow[] = [];
    const flush = async () => {
      const outcomes = await this.importBatch(kind, batch);
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome === "CREATED" || outcome === "CHARGEABLE") {
          counts.created++;
          if (outcome === "CHARGEABLE") counts.chargeable++;
        } else if (outcome === "KNOWN") counts.known++;
        else {
          counts.refused++;
          await this.refuse(name, batch[index] as FileRow, outcome);
        }
      }
      batch = [];
    };
    for await (const row of rows) {
      batch.push(row);
      if (batch.length === BATCH_ROWS) await flush();
    }
    await flush();
    return counts;
  }

  private async importBatch(kind: ImportKind, rows: readonly FileRow[]): Promise<Outcome[]> {
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
    kind: ImportKind,
    rows: readonly FileRow[],
  ): Promise<Outcome[] | undefined> {
    const { imports } = this.deps.createServices(handle);
    const { vendor } = this.deps;
    if (!(await imports.tryLockImports(vendor.id))) return undefined;
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
      if (typeof outcome === "string") hashes.set(values.partnerId, rowHash);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  private async importRow<K extends ImportKind>(
    handle: Handle,
    kind: K,
    values: RowValues[K],
    rowHash: string,
  ): Promise<Outcome> {
    try {
      const { vendor, switchOver } = this.deps;
      const { isChargeable } = await handle.transaction((savepoint) =>
        this.deps.createServices(savepoint).imports.importRow(vendor, kind, values, { rowHash, switchOver }),
      );
      return isChargeable ? "CHARGEABLE" : "CREATED";
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

const takenProblem = rowProblem(
  "PARTNER_ID_TAKEN",
  "partnerId",
  "A row with this `partnerId` and other values was imported before, or stands above.",
);

const isUsable = ({ problems }: FileRow): boolean => problems.length === 0;

/** The hash of a row's values, in any order of its fields. */
const hashRow = (written: object | null): string =>
  createHash("sha256").update(JSON.stringify(written, sortKeys)).digest("base64url");

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
