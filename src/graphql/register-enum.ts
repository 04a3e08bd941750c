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

registerVocabularyEnum(Actor, "Actor", "Who did what a timeline, a history or an order log tells.", {
  CUSTOMER: "The payer.",
  MANAGER: "The merchant, or a system that acts with its token.",
  SYSTEM: "Recoup by itself.",
});

registerVocabularyEnum(RecurringInterval, "RecurringInterval", "Unit of a billing cycle, of a trial or of a term.", {
  DAY: "Days.",
  WEEK: "Weeks.",
  MONTH: "Months; a cycle that began on the 31st ends on the last day of shorter months.",
  YEAR: "Years.",
});
