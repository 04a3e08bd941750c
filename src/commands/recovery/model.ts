import { readFile } from "node:fs/promises";
import { required } from "../../kernel/required-values.ts";
import { InvalidModelError, readStoredModel, type StoredModel } from "../../recovery/engine/model/stored-model.ts";
import { publishedModel, publishedPrior } from "../../recovery/models/published-prior.ts";
import type { VendorRecord } from "../../vendors/vendor.repository.ts";
import { toPath, type ArgumentErrors } from "../argument-errors.ts";
import { defineCommand, type CommandGroup, toRecordOutput, toTableLines, type CommandOutput } from "../command.ts";
import { runInTransaction, type CommandServices } from "../command-database.ts";

const vendorOption = {
  type: "string",
  valueHint: "uuid",
  description: "Vendor whose models are meant; a child vendor has those of its parent (required)",
} as const;
const jsonOption = { type: "boolean", description: "Print one JSON object" } as const;

/** More text than any model has. */
const MAX_FILE_SIZE = 4_000_000;

/** Runs work for the family of the vendor that was named, once nothing is wrong with the arguments. */
async function runForFamily(
  uuid: string | undefined,
  json: boolean | undefined,
  errors: ArgumentErrors,
  work: (familyId: number, tools: CommandServices, vendor: VendorRecord) => Promise<CommandOutput>,
): Promise<void> {
  const vendorUuid = errors.readUuid("vendor", uuid);
  errors.throwIfAny();
  await runInTransaction(
    json,
    async (tools) => {
      const vendor = await tools.read.vendors.byUuid(required(vendorUuid, "--vendor"));
      errors.check(vendor !== undefined, "--vendor: there is no vendor with this uuid.");
      errors.throwIfAny();
      const { id, parentId } = required(vendor, "the vendor");
      return work(parentId ?? id, tools, required(vendor, "the vendor"));
    },
    { vendorUuid },
  );
}

const list = defineCommand(
  {
    name: "list",
    description: "Lists the models of a vendor's family, the newest first, that of its country and the published one",
  },
  { vendor: vendorOption, json: jsonOption },
  async (args, errors) => {
    await runForFamily(args.vendor, args.json, errors, async (familyId, { read }, { uuid }) => {
      const [stored, active] = [
        await read.recoveryModels.list.slice(
          familyId,
          {},
          { first: MAX_LISTED },
          { field: "MADE_AT", direction: "DESC" },
        ),
        await read.recoveryModels.latestActivation(familyId),
      ];
      const pooled = await read.recoveryModels.pooledModelOf(familyId);
      const models = [
        ...stored.rows.map(({ row: { version, features, tries, triesFrom, triesUntil, madeAt } }) => ({
          ...{ version, source: "VENDOR", features, tries, triesFrom, triesUntil, madeAt },
          isActive: version === active?.model.version,
        })),
        ...(pooled
          ? [
              {
                ...{ version: pooled.version, source: "COUNTRY", features: pooled.features, tries: pooled.tries },
                ...{ triesFrom: null, triesUntil: null, madeAt: pooled.madeAt, isActive: active === undefined },
              },
            ]
          : []),
        {
          ...{ version: publishedModel().version, source: "PUBLISHED", features: publishedPrior().features },
          ...{ tries: publishedPrior().tries, triesFrom: null, triesUntil: null, madeAt: null },
          isActive: active === undefined && pooled === undefined,
        },
      ];
      const headings = ["version", "source", "features", "tries", "triesFrom", "triesUntil", "madeAt", "isActive"];
      return {
        lines: toTableLines(
          headings,
          models.map((model) => Object.values(model)),
        ),
        json: { vendor: uuid, models },
      };
    });
  },
);

/** More models of a family are not listed. */
const MAX_LISTED = 100;

const exportModel = defineCommand(
  {
    name: "export",
    description: "Prints a model as JSON: that of a version, else the active one of the vendor's family",
  },
  {
    vendor: vendorOption,
    version: { type: "string", valueHint: "version", description: "Version of the model. Defaults to the active one" },
    json: { type: "boolean", description: "Print one JSON object, as the command does without it" },
  },
  async (args, errors) => {
    const version = args.version === undefined ? undefined : errors.readText("version", args.version);
    await runForFamily(args.vendor, false, errors, async (familyId, { read }) => {
      const content = await findContent(read, familyId, version);
      errors.check(content !== undefined, "--version: the vendor's family has no model of this version.");
      errors.throwIfAny();
      return { lines: [JSON.stringify(content)], json: {} };
    });
  },
);

async function findContent(
  { recoveryModels }: CommandServices["read"],
  familyId: number,
  version: string | undefined,
): Promise<object | undefined> {
  const wanted =
    version ??
    (await recoveryModels.latestActivation(familyId))?.model.version ??
    (await recoveryModels.pooledModelOf(familyId))?.version;
  if (wanted === undefined || wanted === publishedModel().version) return publishedPrior();
  const [found] = await recoveryModels.contentsOf(familyId, [wanted]);
  return found?.model;
}

const importModel = defineCommand(
  {
    name: "import",
    description:
      "Stores a model that was exported, for the vendor's family. It decides where a policy names its version: `model` of its terms",
  },
  {
    vendor: vendorOption,
    file: { type: "string", valueHint: "path", description: "File with the model as JSON (required)" },
    json: jsonOption,
  },
  async (args, errors) => {
    const name = errors.readText("file", args.file);
    const path = name === "" ? "" : toPath(name);
    const model = path === "" ? undefined : await readModelFile(path, errors);
    await runForFamily(args.vendor, args.json, errors, async (familyId, { read, now }, { uuid }) => {
      const { content, version } = required(model, "--file");
      await read.recoveryModels.add(familyId, {
        ...{ version, features: content.features, tries: content.tries, model: { ...content } },
        // The file does not say from when its retries are, nor what they were expected to be near.
        ...{ priorVersion: version, triesFrom: now, triesUntil: now, madeAt: now },
      });
      return toRecordOutput({ vendor: uuid, version, tries: content.tries });
    });
  },
);

async function readModelFile(
  path: string,
  errors: ArgumentErrors,
): Promise<{ content: StoredModel; version: string } | undefined> {
  try {
    const text = await readFile(path, "utf8");
    if (text.length > MAX_FILE_SIZE) throw new InvalidModelError("The file is larger than any model.");
    const content: unknown = JSON.parse(text);
    const { version } = readStoredModel(content);
    return { content: content as StoredModel, version };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError) errors.add("--file: this is not JSON; the file may be cut.");
    else if (error instanceof InvalidModelError) errors.add(`--file: ${message}`);
    else errors.add(`--file cannot be read (${code ?? message}).`);
    return undefined;
  }
}

/** Poolings of some weeks, however many countries have any. */
const MAX_POOLINGS = 200;

const poolings = defineCommand(
  { name: "poolings", description: "Lists what came of pooling the retries of countries, the newest first" },
  { json: jsonOption },
  async (args, errors) => {
    errors.throwIfAny();
    await runInTransaction(args.json, async ({ read }) => {
      const rows = (await read.recoveryPoolings.newest(MAX_POOLINGS)).map(
        ({ country, requestedAt, state, result, families, tries, version, failure, evaluation }) => ({
          ...{ country, requestedAt, state, result, families, tries, version, failure, evaluation },
        }),
      );
      const headings = ["country", "requestedAt", "state", "result", "families", "tries", "version", "failure"];
      return {
        lines: toTableLines(
          headings,
          rows.map(({ evaluation: _, ...row }) => Object.values(row)),
        ),
        json: { poolings: rows },
      };
    });
  },
);

/** `recoup recovery model`: models leave an installation as JSON and come into another one. */
export const modelCommands: CommandGroup = {
  meta: {
    name: "model",
    description: "Lists, exports and imports the models of recovery, and lists poolings.",
  },
  subCommands: { list, export: exportModel, import: importModel, poolings },
};
