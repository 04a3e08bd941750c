import { once } from "node:events";
import { createReadStream, type WriteStream } from "node:fs";
import { access, open } from "node:fs/promises";
import { basename } from "node:path";
import { finished } from "node:stream/promises";
import type { Database } from "../database/client.ts";
import { constraintRefusalOf } from "../database/database-errors.ts";
import { buildGatewaySchema } from "../graphql/schema.ts";
import { createServices } from "../graphql/services.ts";
import { ImportRun, type ImportCounts } from "../import/import-run.ts";
import type { FileKind } from "../import/import.rows.ts";
import type { RowRefusal } from "../import/import.refusal.ts";
import { formatOfFile, readRows } from "../import/row-reader.ts";
import { rowTypesOf } from "../import/row-types.ts";
import { clockAhead, systemClock } from "../kernel/clock.ts";
import { parseIsoInstant } from "../kernel/instants.ts";
import { Refusal } from "../kernel/refusals.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { VendorRepository, type VendorRecord } from "../vendors/vendor.repository.ts";
import { InvalidArgumentsError, toPath, type ArgumentErrors } from "./argument-errors.ts";
import { defineCommand, toTableLines } from "./command.ts";
import { operatorCaller } from "../vendors/people/caller.ts";
import { withDatabase } from "./command-database.ts";

/** The options of files, in the order in which they are imported. */
const fileOptions = {
  customers: "CUSTOMER",
  products: "PRODUCT",
  "price-plans": "PRICE_PLAN",
  "payment-methods": "PAYMENT_METHOD",
  subscriptions: "SUBSCRIPTION",
  "failed-payments": "PAST_TRY",
} as const satisfies Record<string, FileKind>;

const fileOption = (noun: string) =>
  ({ type: "string", valueHint: "file", description: `File of ${noun}: .csv or .jsonl` }) as const;

interface NamedFile {
  kind: FileKind;
  name: string;
  path: string;
}

/** `recoup import`: brings what a merchant had with another system. */
export const importCommand = defineCommand(
  {
    name: "import",
    description:
      "Imports customers, products, price plans, stored payment methods, subscriptions and past failed payments from CSV or JSON lines. Rows are known by the merchant's ids, so that an import that was interrupted is run again. docs/import.md describes the files.",
  },
  {
    vendor: { type: "string", valueHint: "uuid", description: "Vendor that the records are created for (required)" },
    customers: fileOption("customers"),
    products: fileOption("products"),
    "price-plans": fileOption("price plans"),
    "payment-methods": fileOption("stored payment methods"),
    subscriptions: fileOption("running subscriptions"),
    "failed-payments": fileOption("past failed payments, a row a try"),
    "switch-over": {
      type: "string",
      valueHint: "time",
      description: "Time since which Recoup charges the imported subscriptions (required with --subscriptions)",
    },
    refused: {
      type: "string",
      default: "refused.jsonl",
      valueHint: "file",
      description: "File that receives the refused rows with their reasons; it is replaced",
    },
    "dry-run": { type: "boolean", description: "Count what would be created, and store nothing" },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    const uuid = errors.readUuid("vendor", args.vendor);
    const refusedPath = toPath(errors.readText("refused", args.refused));
    const files: NamedFile[] = [];
    for (const [option, kind] of Object.entries(fileOptions)) {
      const given = args[option as keyof typeof fileOptions];
      if (given === undefined) continue;
      const path = toPath(errors.readText(option, given));
      errors.check(formatOfFile(path) !== undefined, `--${option} must be a file whose name ends with .csv or .jsonl.`);
      errors.check(await isReadable(path), `--${option}: the file cannot be read.`);
      errors.check(path !== refusedPath, `--refused must not be the file of --${option}, which it would replace.`);
      files.push({ kind, name: basename(path), path });
    }
    const switchOver = readSwitchOver(args["switch-over"], args.subscriptions !== undefined, errors);
    const names = Object.keys(fileOptions).map((option) => `--${option}`);
    errors.check(files.length > 0, `At least one file is required: ${names.join(", ")}.`);
    errors.throwIfAny();
    const isDryRun = args["dry-run"] === true;
    await withDatabase(
      args.json,
      async (database, vault) => {
        const vendor = await new VendorRepository(database.handle).byUuid(uuid ?? "");
        if (!vendor) throw new InvalidArgumentsError(["--vendor: there is no vendor with this uuid."]);
        const refusals = await RefusalFile.create(refusedPath).catch((error: unknown) => {
          const { code = "no code" } = error as NodeJS.ErrnoException;
          throw new InvalidArgumentsError([`--refused: the file cannot be written (${code}).`]);
        });
        const counts = await importFiles(database, vault, vendor, { files, isDryRun, refusals, switchOver });
        await refusals.close();
        // The rest was imported; a script that checks the exit code stops here.
        if (refusals.count > 0) process.exitCode = 1;
        const rows = counts.map(({ kind, created, known, refused, chargeable, file }) => [
          kind,
          created,
          known,
          refused,
          kind === "SUBSCRIPTION" || kind === "PAYMENT_METHOD" ? chargeable : null,
          file,
        ]);
        const charges = counts.flatMap(({ firstChargeAt }) =>
          firstChargeAt ? [`first charge by Recoup: ${firstChargeAt.toISOString()}`] : [],
        );
        const isTrainingRequested = !isDryRun && counts.some(hasTries);
        const title = isDryRun ? "dry run: nothing was stored" : "imported";
        return {
          lines: [
            ...toTableLines(
              ["kind", isDryRun ? "wouldBeCreated" : "created", "known", "refused", "chargeable", "file"],
              rows,
            ),
            ...charges,
            ...(isTrainingRequested ? ["a training of the recovery model was requested"] : []),
            refusals.count > 0 ? `${title}; reasons of refused rows: ${args.refused}` : title,
          ],
          json: {
            ...{ vendor: vendor.uuid, dryRun: isDryRun, files: counts, reasons: refusals.count },
            trainingRequested: isTrainingRequested,
          },
        };
      },
      { vendorUuid: uuid },
    );
  },
);

/** The switch-over; undefined if there is none. */
function readSwitchOver(given: string | undefined, isRequired: boolean, errors: ArgumentErrors): Date | undefined {
  if (given === undefined) {
    errors.check(!isRequired, "--switch-over is missing: the time since which Recoup charges the subscriptions.");
    return undefined;
  }
  try {
    if (!/T.*(?:z|[+-]\d{2}:\d{2})$/i.test(given)) throw new RangeError("no offset");
    return parseIsoInstant(given);
  } catch {
    errors.add("--switch-over must be a date and time with an offset, such as 2026-12-01T00:00:00+09:00.");
    return undefined;
  }
}

const isReadable = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function importFiles(
  database: Database,
  vault: SecretVault,
  vendor: VendorRecord,
  {
    files,
    isDryRun,
    refusals,
    switchOver,
  }: { files: readonly NamedFile[]; isDryRun: boolean; refusals: RefusalFile; switchOver: Date | undefined },
): Promise<ImportCounts[]> {
  const schema = buildGatewaySchema();
  const types = rowTypesOf(schema);
  const clock = clockAhead(systemClock, vendor.clockAheadMs);
  const runIn = async (transaction: Database["transaction"]): Promise<ImportCounts[]> => {
    const run = new ImportRun({
      transaction,
      createServices: (handle) =>
        createServices(handle, clock.now(), { vault, realNow: systemClock.now(), author: operatorCaller.author }),
      vendor,
      toRefusal: (error) => (error instanceof Refusal ? error : constraintRefusalOf(error)),
      switchOver: switchOver ?? clock.now(),
      onRefusal: (refusal) => refusals.add(refusal),
    });
    const counts: ImportCounts[] = [];
    for (const { kind, name, path } of files) {
      const rows = readRows(createReadStream(path), formatOfFile(path) ?? "CSV", types[kind], schema);
      counts.push(await run.importFile({ kind, name, rows }));
    }
    return counts;
  };
  if (isDryRun) return runAndRollBack(database, runIn);
  const counts = await runIn(database.transaction);
  // Known tries count too: an import that was killed has not requested it.
  if (counts.some(hasTries))
    await database.transaction((handle) =>
      createServices(handle, clock.now(), {
        vault,
        author: operatorCaller.author,
      }).recoveryTrainings.requestAfterImport(vendor),
    );
  return counts;
}

const hasTries = ({ kind, created, known }: ImportCounts): boolean => kind === "PAST_TRY" && created + known > 0;

/** Ends a dry run. */
class EndOfDryRun extends Error {
  constructor(readonly counts: ImportCounts[]) {
    super("rolled back");
  }
}

/** All files are one transaction, so that rows find those that they refer to. */
async function runAndRollBack(
  database: Database,
  runIn: (transaction: Database["transaction"]) => Promise<ImportCounts[]>,
): Promise<ImportCounts[]> {
  try {
    return await database.transaction(async (handle) => {
      throw new EndOfDryRun(await runIn((work) => work(handle)));
    });
  } catch (error) {
    if (error instanceof EndOfDryRun) return error.counts;
    throw error;
  }
}

/** The file of refused rows: a JSON object a line for each reason. */
class RefusalFile {
  /** The number of reasons. */
  count = 0;

  private constructor(private readonly stream: WriteStream) {}

  /** Opens the file before anything is imported: one that cannot be written is an error of the call. */
  static async create(path: string): Promise<RefusalFile> {
    return new RefusalFile((await open(path, "w")).createWriteStream());
  }

  async add(refusal: RowRefusal): Promise<void> {
    this.count++;
    if (!this.stream.write(`${JSON.stringify(refusal)}\n`)) await once(this.stream, "drain");
  }

  async close(): Promise<void> {
    this.stream.end();
    await finished(this.stream);
  }
}
