import { registerEnumType } from "type-graphql";
import { Actor, RecurringInterval } from "../../schema/vocabulary.ts";
import { keysOf, toRecord } from "../kernel/typed-records.ts";

/**
 * Registers a closed list of words as a GraphQL enum, with a description of each word. The schema includes the lists
 * that it uses.
 */
export function registerVocabularyEnum<W extends string>(
  words: Readonly<Record<W, W>>,
  name: string,
  description: string,
  meanings: Readonly<Record<W, string>>,
): void {
  registerEnumType(words, {
    name,
    description,
    valuesConfig: toRecord(keysOf(meanings), (word) => ({ description: meanings[word] })),
  });
}

/* The enums that every module uses. */

registerVocabularyEnum(Actor, "Actor", "Actor of an entry in a timeline, a history or an order log.", {
  CUSTOMER: "The payer acted.",
  MANAGER: "The merchant acted, or a system that uses the merchant's token.",
  SYSTEM: "Recoup acted by itself.",
});

registerVocabularyEnum(RecurringInterval, "RecurringInterval", "Unit of a billing cycle, a trial or a term.", {
  DAY: "One calendar day.",
  WEEK: "One week.",
  MONTH: "One month. A cycle that began on the 31st ends on the last day of a shorter month.",
  YEAR: "One year.",
});
