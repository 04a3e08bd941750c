import { Button, Group } from "@mantine/core";
import { useSearchParams } from "wouter";
import type { SlicePositionFragment } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { partsTexts } from "./parts.texts.ts";

const PAGE_SIZE = 20;

/** The slice that the address names, as arguments of a connection. */
export interface SliceVariables {
  first?: number;
  after?: string;
  last?: number;
  before?: string;
}

/** The part of a list's document that its paging needs. */
export const SLICE_POSITION = /* GraphQL */ `
  fragment SlicePosition on PageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
`;

/** Reads the slice from the address, so that a page can be reloaded and sent to a colleague. */
export function useSlice(): SliceVariables {
  const [parameters] = useSearchParams();
  const before = parameters.get("before");
  const after = parameters.get("after");
  if (before !== null) return { last: PAGE_SIZE, before };
  return after === null ? { first: PAGE_SIZE } : { first: PAGE_SIZE, after };
}

/** The same place of a list that is shown from its end. */
export const reversedSlice = ({ first, after, last, before }: SliceVariables): SliceVariables => ({
  ...(first !== undefined && { last: first }),
  ...(after !== undefined && { before: after }),
  ...(last !== undefined && { first: last }),
  ...(before !== undefined && { after: before }),
});

/** Buttons to the slices before and after this one. */
export function Paging({ position }: { position: SlicePositionFragment }) {
  const texts = useTexts(partsTexts);
  const [, setParameters] = useSearchParams();
  const goTo = (name: "after" | "before", cursor: string | null) => () => {
    setParameters((previous) => {
      const parameters = new URLSearchParams(previous);
      parameters.delete("after");
      parameters.delete("before");
      if (cursor !== null) parameters.set(name, cursor);
      return parameters;
    });
    window.scrollTo(0, 0);
  };
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = position;
  if (!hasNextPage && !hasPreviousPage) return null;
  return (
    <Group component="nav" aria-label={texts.pages} justify="flex-end" mt="md" gap="xs">
      <Button variant="default" disabled={!hasPreviousPage} onClick={goTo("before", startCursor)}>
        {texts.previous}
      </Button>
      <Button variant="default" disabled={!hasNextPage} onClick={goTo("after", endCursor)}>
        {texts.next}
      </Button>
    </Group>
  );
}
