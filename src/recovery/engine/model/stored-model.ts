import { createHash } from "node:crypto";
import { cellBlocks, cellClasses, cellCount, featureVersion } from "./cells.ts";
import { spreadOverCells, type FittedWeights, type WeightPrior } from "./training/fit-model.ts";
import { RetryModel } from "./retry-model.ts";

/** A model as JSON: what is exported, imported, shipped and kept. */
export interface StoredModel {
  /** Version of the cells that its weights belong to. */
  features: string;
  /** Number of attempts that it was fitted on. */
  tries: number;
  /** The worlds that they are from, if they were simulated. */
  worlds: string[];
  /** Natural logarithm of the usual amount of each currency. */
  usualAmounts: Record<string, number>;
  /** One for each cell, in the order of the cells. */
  weights: number[];
  /** Variance of each block of cells, as a prior for the next model. */
  blockVariances: number[];
  /** Variance of each weight; absent in a prior, whose weights are as uncertain as their block. */
  variances?: number[];
  /** Number of attempts that taught the law of each class of declines; absent in models that do not know it. */
  classTries?: Record<string, number>;
}

/** The model cannot be used; the message says why. */
export class InvalidModelError extends Error {}

const FRACTION_DIGITS = 1e5;
const MAX_WEIGHT = 100;
/** A fit gives variances between a hundred thousandth and nine; squares and sums of these are finite. */
const MIN_VARIANCE = 1e-6;
const MAX_VARIANCE = 100;
/** What a column of whole numbers holds. */
const MAX_TRIES = 2_147_483_647;
const round = (value: number): number => Math.round(value * FRACTION_DIGITS) / FRACTION_DIGITS;
/** Small variances keep their digits. */
const roundVariance = (value: number): number => Number(value.toPrecision(5));

/** Fitted weights as a stored model. `asPrior` leaves out how well each weight is known, because that is of its own data. */
export function toStoredModel(
  { weights, variances, blockVariances, classTries }: FittedWeights,
  about: Pick<StoredModel, "tries" | "worlds" | "usualAmounts">,
  asPrior = false,
): StoredModel {
  const rounded = Object.entries(about.usualAmounts).map(([currency, usual]) => [currency, round(usual)] as const);
  return {
    features: featureVersion,
    tries: about.tries,
    worlds: about.worlds,
    usualAmounts: Object.fromEntries(rounded.sort(([a], [b]) => (a < b ? -1 : 1))),
    weights: Array.from(weights, round),
    blockVariances: Array.from(blockVariances, roundVariance),
    classTries: Object.fromEntries(cellClasses.map((name, index) => [name, Math.round(classTries[index] ?? 0)])),
    ...(!asPrior && { variances: Array.from(variances, roundVariance) }),
  };
}

/** What identifies a model: the digest of all that it says. */
export const modelVersionOf = (model: StoredModel): string =>
  createHash("sha256").update(JSON.stringify(model)).digest("hex").slice(0, 16);

/**
 * A model from JSON.
 * @throws InvalidModelError if it is of other features, cut, or has a number that no fit gives.
 */
export function readStoredModel(value: unknown): RetryModel {
  const model = checkModel(value);
  const variances = model.variances
    ? Float64Array.from(model.variances)
    : spreadOverCells(Float64Array.from(model.blockVariances));
  const weights = Float64Array.from(model.weights);
  const ownTries = model.variances ? model.tries : 0;
  return new RetryModel({
    ...{ version: modelVersionOf(model), weights, variances, usualAmounts: model.usualAmounts },
    ...{ classTries: toClassTries(model), ownTries },
  });
}

/** What a model expects of the weights of the next one. */
export const toPrior = (model: StoredModel): WeightPrior => ({
  means: Float64Array.from(model.weights),
  blockVariances: Float64Array.from(model.blockVariances),
  classTries: toClassTries(model),
});

const toClassTries = ({ classTries = {} }: StoredModel): Float64Array =>
  Float64Array.from(cellClasses, (name) => classTries[name] ?? 0);

/** @throws InvalidModelError if a model from JSON cannot be used. */
export function checkModel(value: unknown): StoredModel {
  if (typeof value !== "object" || value === null) throw new InvalidModelError("The model is not a JSON object.");
  const model = value as Partial<Record<keyof StoredModel, unknown>>;
  if (model.features !== featureVersion)
    throw new InvalidModelError(
      `The model is of the features ${String(model.features)}; this version has ${featureVersion}. Train it again.`,
    );
  requireNumbers("weights", model.weights, cellCount, (weight) => Math.abs(weight) <= MAX_WEIGHT);
  requireNumbers("blockVariances", model.blockVariances, cellBlocks.length, isBlockVariance);
  if (model.variances !== undefined)
    requireNumbers("variances", model.variances, cellCount, (one) => one >= 0 && one <= MAX_VARIANCE);
  const { usualAmounts, tries, worlds, classTries = {} } = model;
  if (typeof classTries !== "object" || classTries === null || !Object.values(classTries).every(isCount))
    throw new InvalidModelError("classTries must be an object of numbers from 0.");
  if (typeof usualAmounts !== "object" || usualAmounts === null || !Object.values(usualAmounts).every(Number.isFinite))
    throw new InvalidModelError("usualAmounts must be an object of numbers.");
  if (typeof tries !== "number" || !Number.isInteger(tries) || tries < 0 || tries > MAX_TRIES || !Array.isArray(worlds))
    throw new InvalidModelError(`tries must be a whole number from 0 to ${MAX_TRIES}, and worlds a list.`);
  return value as StoredModel;
}

const isBlockVariance = (variance: number): boolean => variance >= MIN_VARIANCE && variance <= MAX_VARIANCE;
const isCount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0;

function requireNumbers(name: string, value: unknown, length: number, isValid: (one: number) => boolean): void {
  if (!Array.isArray(value) || value.length !== length)
    throw new InvalidModelError(`${name} must be a list of ${length} numbers: the file may be cut.`);
  const bad = value.findIndex((one) => typeof one !== "number" || !Number.isFinite(one) || !isValid(one));
  if (bad >= 0) throw new InvalidModelError(`${name}[${bad}] must be a number that a fit can give.`);
}
