import { z } from "zod";
import {
  FinalAction,
  Initiator,
  ModelFallbackReason,
  ModelSource,
  Network,
  PaymentGateway,
  PaymentMethod,
  ReasonClass,
} from "../../../schema/vocabulary.ts";
import { toAmount } from "../../kernel/amounts.ts";
import type { ZoneRules } from "../../kernel/zone-rules.ts";
import type { RecoveryCase } from "./recovery-case.ts";
import { decideRetry, engineVersion, equivalentEngineVersions } from "./decide-retry.ts";
import type { Decision, ModelFallback } from "./decision.ts";
import { declinesVersion } from "./decline-table.ts";
import type { RetryModel } from "./model/retry-model.ts";
import { AUTOMATIC_MODEL, isSmart, type Policy } from "./policy.ts";
import { currentRulebook } from "./rulebook.ts";

/** A stored JSON object. */
export type StoredJson = Record<string, unknown>;

/**
 * The full input of a decision; the rulebook, the tables and the steps of the engine are identified by their versions.
 */
export interface DecisionInputs {
  case: RecoveryCase;
  policy: Policy;
  rulebookVersion: string;
  declinesVersion: string;
  engineVersion: string;
  now: Date;
  /** Absent where the model that should decide did. */
  fallback?: ModelFallback;
}

/** A value as JSON has it: instants and amounts as text. */
export const toStoredJson = (value: object): StoredJson => JSON.parse(JSON.stringify(value)) as StoredJson;

/** The inputs of a decision that is taken today. */
export const toDecisionInputs = (
  facts: RecoveryCase,
  policy: Policy,
  now: Date,
  fallback: ModelFallback | null = null,
): DecisionInputs => ({
  case: facts,
  policy,
  rulebookVersion: currentRulebook.version,
  declinesVersion,
  engineVersion,
  now,
  ...(fallback && { fallback }),
});

/*
 * Schemas of what is stored. Objects are loose: a newer version's fields survive when this version stores them again. The
 * parsed value has the instants and amounts that the text stands for. Text that is none throws: a decision is never
 * recomputed from facts that were misread.
 */

export const storedInstant = z.string().pipe(z.coerce.date());
const storedAmount = z.string().transform(toAmount);

const storedPlan = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("LADDER"), offsetsInDays: z.array(z.number()) }),
  z.looseObject({ kind: z.enum(["EVEN", "SMART"]), tries: z.number(), windowInDays: z.number() }),
]);
const storedQuietHours = z.looseObject({ from: z.number(), until: z.number() }).nullable();

const storedPolicy = z.looseObject({
  version: z.string(),
  plan: storedPlan,
  quietHours: storedQuietHours,
  overrides: z.array(
    z.looseObject({
      country: z.string().nullish(),
      paymentMethod: z.enum(PaymentMethod).nullish(),
      reasonClass: z.enum(ReasonClass).nullish(),
      plan: storedPlan.optional(),
      quietHours: storedQuietHours.optional(),
    }),
  ),
  exploration: z
    .looseObject({ share: z.number(), maxAmount: storedAmount.nullable(), currency: z.string().nullable() })
    .nullish(),
  // Policies of older versions name no model.
  model: z.string().default(AUTOMATIC_MODEL),
  tryPrice: storedAmount.nullable(),
  tryPriceCurrency: z.string().nullish(),
  finalAction: z.enum(FinalAction).nullable(),
}) satisfies z.ZodType<Policy>;

const storedZone = z.looseObject({
  zoneId: z.string(),
  offsets: z.array(z.looseObject({ from: storedInstant, aheadMs: z.number() })),
}) satisfies z.ZodType<ZoneRules>;

/** Facts of an older version have neither other attempts on the same card nor an instant of the attempt. */
const storedCase = z.looseObject({
  amount: storedAmount,
  currency: z.string(),
  country: z.string().nullable(),
  gateway: z.enum(PaymentGateway).nullable(),
  paymentMethod: z.enum(PaymentMethod).nullable(),
  zone: storedZone,
  windowStart: storedInstant,
  attempts: z.array(
    z.looseObject({
      at: storedInstant,
      initiator: z.enum(Initiator),
      code: z.string().nullable(),
      message: z.string().nullable(),
      adviceCode: z.string().nullable(),
      network: z.enum(Network).nullable(),
      mapped: z.enum(ReasonClass).nullish(),
    }),
  ),
  alongside: z
    .array(
      z.looseObject({
        at: storedInstant,
        network: z.enum(Network).nullable(),
        initiator: z.enum(Initiator),
        amount: storedAmount,
        currency: z.string(),
      }),
    )
    .default([]),
  events: z.array(z.looseObject({ at: storedInstant, kind: z.enum(["METHOD_CHANGED", "APPROVED_ELSEWHERE"]) })),
  promised: storedInstant.nullable(),
  due: storedInstant.nullable().default(null),
  used: storedInstant.nullable(),
  draws: z.looseObject({ key: z.string(), share: z.number() }).nullish(),
}) satisfies z.ZodType<RecoveryCase>;

const storedCaseWithoutHistory = storedCase.omit({ attempts: true, alongside: true, zone: true });

const storedFallback = z.looseObject({
  to: z.enum(ModelSource),
  reason: z.enum(ModelFallbackReason),
}) satisfies z.ZodType<ModelFallback>;

const storedInputs = z.object({
  case: storedCase,
  policy: storedPolicy,
  now: storedInstant,
  engineVersion: z.string(),
  fallback: storedFallback.optional(),
});
const inputsWithZone = z.object({ case: z.object({ zone: storedZone }) });

/** The model of a version; undefined where there is none. */
export type FindModel = (version: string) => RetryModel | undefined;

/** A stored policy. */
export const readPolicy = (value: StoredJson): Policy => storedPolicy.parse(value);

/** Stored facts of a case. */
export const readCase = (value: unknown): RecoveryCase => storedCase.parse(value);

/** Stored facts without the attempts and the zone, which a later decision of the case has. */
export const readCaseWithoutHistory = (value: unknown): Omit<RecoveryCase, "attempts" | "alongside" | "zone"> =>
  storedCaseWithoutHistory.parse(value);

/** The local times of the payer by which a decision was made. */
export const readZone = (inputs: StoredJson): ZoneRules => inputsWithZone.parse(inputs).case.zone;

/**
 * Replays a stored decision; undefined if it was made with tables, a model or steps that this version of the engine
 * does not have. `findModel` looks up a model by its version.
 */
export function replayStoredDecision(
  inputs: StoredJson,
  modelVersion: unknown,
  findModel: FindModel = () => undefined,
): Decision | undefined {
  const hasTheseTables =
    inputs["rulebookVersion"] === currentRulebook.version && inputs["declinesVersion"] === declinesVersion;
  const model = typeof modelVersion === "string" ? findModel(modelVersion) : null;
  if (!hasTheseTables || model === undefined) return undefined;
  const { case: facts, policy, now, engineVersion: version, fallback } = storedInputs.parse(inputs);
  return hasSameSteps(version, policy) ? decideRetry(facts, policy, currentRulebook, model, now, fallback) : undefined;
}

/** Whether this version takes the steps of an older one, under which SMART chose its times in another way. */
const hasSameSteps = (version: string, policy: Policy): boolean =>
  version === engineVersion || (equivalentEngineVersions.includes(version) && !isSmart(policy));
