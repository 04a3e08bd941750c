import { amountOf } from "../../kernel/amounts.ts";
import type { ZoneRules } from "../../kernel/zone-rules.ts";
import type { CardTry, RecoveryCase } from "./recovery-case.ts";
import { decide, engineVersion, sameAnswers } from "./decide-retry.ts";
import type { Decision } from "./decision.ts";
import { declinesVersion } from "./decline-table.ts";
import type { Policy } from "./policy.ts";
import { currentRulebook } from "./rulebook.ts";

/** What is kept as JSON. */
export type Written = Record<string, unknown>;

/** Everything that a decision follows from; the rulebook, the tables and the steps of the engine are known by their versions. */
export interface DecisionInputs {
  case: RecoveryCase;
  policy: Policy;
  rulebookVersion: string;
  declinesVersion: string;
  engineVersion: string;
  now: Date;
}

/** A value as JSON has it: instants and amounts as text. */
export const written = (value: object): Written => JSON.parse(JSON.stringify(value)) as Written;

/** The inputs of a decision that is taken today. */
export const inputsOf = (facts: RecoveryCase, policy: Policy, now: Date): DecisionInputs => ({
  case: facts,
  policy,
  rulebookVersion: currentRulebook.version,
  declinesVersion,
  engineVersion,
  now,
});

/** A value whose instants and amounts are text. */
type Told<T> = { [K in keyof T]: T[K] extends readonly (infer Item)[] ? Told<Item>[] : unknown };

const instant = (value: unknown): Date => new Date(value as string);
const instantOrNull = (value: unknown): Date | null => (value === null ? null : instant(value));

/** A policy that was written down. */
export function readPolicy(value: Written): Policy {
  const policy = value as unknown as Policy;
  return { ...policy, tryPrice: policy.tryPrice === null ? null : amountOf(policy.tryPrice as unknown as string) };
}

/** The clocks that a decision was taken by. */
export function readZone({ zone }: Written): ZoneRules {
  const rules = zone as ZoneRules;
  return { ...rules, offsets: rules.offsets.map((offset) => ({ ...offset, from: instant(offset.from) })) };
}

/** Facts of an older version have neither tries alongside nor an instant of the try. */
function readCase(value: Written): RecoveryCase {
  const told = value as unknown as Told<RecoveryCase>;
  const others = (value["alongside"] as Told<CardTry>[] | undefined) ?? [];
  const dated = <T>(list: Told<T>[]) => list.map((one) => ({ ...one, at: instant((one as { at: unknown }).at) }) as T);
  return {
    ...(value as unknown as RecoveryCase),
    amount: amountOf(told.amount as string),
    zone: readZone(value),
    windowStart: instant(told.windowStart),
    attempts: dated(told.attempts),
    alongside: dated<CardTry>(others).map((one) => ({ ...one, amount: amountOf(String(one.amount)) })),
    events: dated(told.events),
    promised: instantOrNull(told.promised),
    due: instantOrNull(told.due ?? null),
    used: instantOrNull(told.used),
  };
}

/**
 * Takes a written decision once more; undefined where it was taken by tables, by a model or by steps that this version of the
 * engine does not have.
 */
export function decideAgain(inputs: Written, modelVersion: string | null): Decision | undefined {
  const told = inputs as unknown as Told<DecisionInputs>;
  if (told.rulebookVersion !== currentRulebook.version || told.declinesVersion !== declinesVersion) return undefined;
  const version = told.engineVersion as string;
  if ((version !== engineVersion && !sameAnswers.includes(version)) || modelVersion !== null) return undefined;
  const facts = readCase(told.case as Written);
  return decide(facts, readPolicy(told.policy as Written), currentRulebook, null, instant(told.now));
}
