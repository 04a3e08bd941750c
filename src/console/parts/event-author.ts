import type { EventAuthorFragment } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { partsTexts } from "./parts.texts.ts";

/** The part of a document that the author of an event needs. */
export const EVENT_AUTHOR = /* GraphQL */ `
  fragment EventAuthor on EventAuthor {
    kind
    name
  }
`;

/** A function that says who caused an event, by name; `otherwise` stands for an event without an author. */
export function useAuthorText(): (author: EventAuthorFragment | null, otherwise: string) => string {
  const { authors } = useTexts(partsTexts);
  return (author, otherwise) => (author ? authors[author.kind](author.name ?? "") : otherwise);
}
