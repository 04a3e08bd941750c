import type { Actor } from "../../schema/vocabulary.ts";
import { invalid } from "./refusals.ts";

/** A state machine, written down as a table. `T` are its triggers: verb phrases, which name mutations where a caller can ask for them. */
export interface StateMachine<S extends string, T extends string> {
  /** What has the states, as a sentence names it: "order item". */
  readonly noun: string;
  /** Who can pull each trigger; the first is the usual one. */
  readonly by: Readonly<Record<T, readonly [Actor, ...Actor[]]>>;
  /** How a thing comes to be, and in which state. */
  readonly births: Readonly<Partial<Record<T, S>>>;
  /** The GraphQL operation by which a caller asks for a trigger, for those that a caller can ask for. */
  readonly operations: Readonly<Partial<Record<T, string>>>;
  /** For each state, where its triggers lead. A state without any is final. */
  readonly moves: Readonly<Record<S, Readonly<Partial<Record<T, S>>>>>;
}

/** Answers what a state machine allows. */
export class StateTable<S extends string, T extends string> {
  constructor(readonly machine: StateMachine<S, T>) {}

  /** The triggers that lead on from a state. */
  legalFrom(state: S): T[] {
    return Object.keys(this.machine.moves[state]) as T[];
  }

  /**
   * The state that a trigger leads to.
   * @throws Refusal ILLEGAL_TRANSITION, whose `details.legal` names the operations that lead on; `of` says what is refused,
   * and where the request names it.
   */
  move(state: S, trigger: T, of?: { name: string; path?: string | undefined }): S {
    const to = this.machine.moves[state][trigger];
    if (to !== undefined) return to;
    const { noun, operations } = this.machine;
    const legal = [...new Set(this.legalFrom(state).flatMap((one) => operations[one] ?? []))];
    const others = legal.length > 0 ? `Possible now: ${legal.join(", ")}.` : "No operation leads on from there.";
    const subject = of ? `The ${noun} ${of.name}` : `This ${noun}`;
    const message = `${subject} is ${state}, so ${operations[trigger] ?? trigger} is not possible. ${others}`;
    throw invalid("ILLEGAL_TRANSITION", message, {
      legal,
      ...(of?.path !== undefined && { fields: [{ path: of.path, code: "REFUSED", message }] }),
    });
  }

  /** The same machine for things that never meet a trigger. */
  without(trigger: T): StateTable<S, T> {
    const moves = Object.fromEntries(
      Object.entries<Partial<Record<T, S>>>(this.machine.moves).map(([state, triggers]) => {
        const { [trigger]: _, ...others } = triggers;
        return [state, others];
      }),
    ) as StateMachine<S, T>["moves"];
    return new StateTable({ ...this.machine, moves });
  }
}
