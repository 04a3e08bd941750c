import { registerEnumType } from "type-graphql";
import { Actor, RecurringInterval } from "../../schema/vocabulary.ts";

/** Makes a closed list of words a GraphQL enum; each word says what it means. The schema shows the lists that it uses. */
export function registerVocabularyEnum<W extends string>(
  words: Readonly<Record<W, W>>,
  name: string,
  description: string,
  meanings: Readonly<Record<W, string>>,
): void {
  const described = Object.entries<string>(meanings).map(([word, meaning]) => [word, { description: meaning }]);
  registerEnumType(words, {
    name,
    description,
    valuesConfig: Object.fromEntries(described) as Record<W, { description: string }>,
  });
}

/* The words that every module uses. */

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
