import type { Actor } from "../../schema/vocabulary.ts";
import { invalid } from "./refusals.ts";

/**
 * A state machine as a table. `T` are its triggers: verb phrases, which name mutations where a caller can request them.
 */
export interface StateMachineDefinition<S extends string, T extends string> {
  /** The entity that has the states, as used in sentences: "order item". */
  readonly noun: string;
  /** The actors of each trigger; the first is the usual one. */
  readonly actors: Readonly<Record<T, readonly [Actor, ...Actor[]]>>;
  /** The triggers that create an entity, and its first state. */
  readonly initialStates: Readonly<Partial<Record<T, S>>>;
  /** The GraphQL operation for each trigger that a caller can request. */
  readonly operations: Readonly<Partial<Record<T, string>>>;
  /** For each state, where its triggers lead. A state without any is final. */
  readonly transitions: Readonly<Record<S, Readonly<Partial<Record<T, S>>>>>;
}

/** Answers what a state machine allows. */
export class StateTable<S extends string, T extends string> {
  constructor(readonly definition: StateMachineDefinition<S, T>) {}

  /** The triggers that lead on from a state. */
  legalTriggersFrom(state: S): T[] {
    return Object.keys(this.definition.transitions[state]) as T[];
  }

  /**
   * The state after a trigger.
   * @throws Refusal ILLEGAL_TRANSITION, whose `details.legal` lists the legal operations; `of` names the refused
   * entity, and its path in the request.
   */
  transition(state: S, trigger: T, subject?: { name: string; path?: string | undefined }): S {
    const nextState = this.definition.transitions[state][trigger];
    if (nextState !== undefined) return nextState;
    const { noun, operations } = this.definition;
    const legal = [...new Set(this.legalTriggersFrom(state).flatMap((each) => operations[each] ?? []))];
    const alternatives =
      legal.length > 0 ? `Possible now: ${legal.join(", ")}.` : "No operation is possible from this state.";
    const subjectPhrase = subject ? `The ${noun} ${subject.name}` : `This ${noun}`;
    const message = `${subjectPhrase} is ${state}, so ${operations[trigger] ?? trigger} is not possible. ${alternatives}`;
    throw invalid("ILLEGAL_TRANSITION", message, {
      legal,
      ...(subject?.path !== undefined && { fields: [{ path: subject.path, code: "REFUSED", message }] }),
    });
  }

  /** The same machine for things that never meet a trigger. */
  withoutTrigger(trigger: T): StateTable<S, T> {
    const transitions = Object.fromEntries(
      Object.entries<Partial<Record<T, S>>>(this.definition.transitions).map(([state, triggers]) => {
        const { [trigger]: _, ...others } = triggers;
        return [state, others];
      }),
    ) as StateMachineDefinition<S, T>["transitions"];
    return new StateTable({ ...this.definition, transitions });
  }
}
