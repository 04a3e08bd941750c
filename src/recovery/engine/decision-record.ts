import { toAmount } from "../../kernel/amounts.ts";
import type { ZoneRules } from "../../kernel/zone-rules.ts";
import type { OtherAttempt, RecoveryCase } from "./recovery-case.ts";
import { decideRetry, engineVersion, equivalentEngineVersions } from "./decide-retry.ts";
import type { Decision } from "./decision.ts";
import { declinesVersion } from "./decline-table.ts";
import type { Policy } from "./policy.ts";
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
}

/** A value as JSON has it: instants and amounts as text. */
export const toStoredJson = (value: object): StoredJson => JSON.parse(JSON.stringify(value)) as StoredJson;

/** The inputs of a decision that is taken today. */
export const toDecisionInputs = (facts: RecoveryCase, policy: Policy, now: Date): DecisionInputs => ({
  case: facts,
  policy,
  rulebookVersion: currentRulebook.version,
  declinesVersion,
  engineVersion,
  now,
});

/** A value whose instants and amounts are text. */
type Serialized<T> = { [K in keyof T]: T[K] extends readonly (infer Item)[] ? Serialized<Item>[] : unknown };

const parseInstant = (value: unknown): Date => new Date(value as string);
const parseInstantOrNull = (value: unknown): Date | null => (value === null ? null : parseInstant(value));

/** A policy that was written down. */
export function readPolicy(value: StoredJson): Policy {
  const policy = value as unknown as Policy;
  return { ...policy, tryPrice: policy.tryPrice === null ? null : toAmount(policy.tryPrice as unknown as string) };
}

/** The clocks that a decision was taken by. */
export function readZone({ zone }: StoredJson): ZoneRules {
  const rules = zone as ZoneRules;
  return { ...rules, offsets: rules.offsets.map((offset) => ({ ...offset, from: parseInstant(offset.from) })) };
}

/** Facts of an older version have neither other attempts on the same card nor an instant of the attempt. */
function readCase(value: StoredJson): RecoveryCase {
  const stored = value as unknown as Serialized<RecoveryCase>;
  const storedOtherAttempts = (value["alongside"] as Serialized<OtherAttempt>[] | undefined) ?? [];
  const withDates = <T>(list: Serialized<T>[]) =>
    list.map((one) => ({ ...one, at: parseInstant((one as { at: unknown }).at) }) as T);
  return {
    ...(value as unknown as RecoveryCase),
    amount: toAmount(stored.amount as string),
    zone: readZone(value),
    windowStart: parseInstant(stored.windowStart),
    attempts: withDates(stored.attempts),
    alongside: withDates<OtherAttempt>(storedOtherAttempts).map((one) => ({
      ...one,
      amount: toAmount(String(one.amount)),
    })),
    events: withDates(stored.events),
    promised: parseInstantOrNull(stored.promised),
    due: parseInstantOrNull(stored.due ?? null),
    used: parseInstantOrNull(stored.used),
  };
}

/**
 * Replays a stored decision; undefined if it was made with tables, a model or steps that this version of the engine
 * does not have.
 */
export function replayStoredDecision(inputs: StoredJson, modelVersion: string | null): Decision | undefined {
  const stored = inputs as unknown as Serialized<DecisionInputs>;
  if (stored.rulebookVersion !== currentRulebook.version || stored.declinesVersion !== declinesVersion)
    return undefined;
  const version = stored.engineVersion as string;
  if ((version !== engineVersion && !equivalentEngineVersions.includes(version)) || modelVersion !== null)
    return undefined;
  const facts = readCase(stored.case as StoredJson);
  return decideRetry(facts, readPolicy(stored.policy as StoredJson), currentRulebook, null, parseInstant(stored.now));
}
