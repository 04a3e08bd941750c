import { Group, Stack } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { CustomerFilter } from "./customer-filter.tsx";
import { oneOf, SelectFilter, useFilter } from "./filters.tsx";
import { ListResult, type ListResultProps } from "./list-result.tsx";
import { Page } from "./page.tsx";
import { useSlice, type SliceVariables } from "./paging.tsx";
import { partsTexts } from "./parts.texts.ts";
import { SearchFilter } from "./search-filter.tsx";
import { TextLink } from "./text-link.tsx";

interface ListRequest<State extends string> {
  slice: SliceVariables;
  /** The chosen state; undefined for all. */
  state: State | undefined;
  /** The searched text; undefined without a search. */
  keyword: string | undefined;
}

/** What the address requests of a list. */
export function useListRequest<State extends string>(states: readonly State[]): ListRequest<State> {
  const slice = useSlice();
  const [enteredState] = useFilter("state");
  const [keyword] = useFilter("search");
  return { slice, state: oneOf(states, enteredState), keyword: keyword === "" ? undefined : keyword };
}

interface ListPageProps<State extends string, Row> extends Omit<ListResultProps<Row>, "label"> {
  title: string;
  /** The page that this one belongs to. */
  parent?: { path: string; back: string };
  /** What the search searches; without it there is none. */
  search?: { label?: string; hint: string };
  /** Whether a customer's page links to it, limited to the customer's records. */
  hasCustomerFilter?: boolean;
  states: readonly State[];
  stateLabel: string;
  stateNames: Record<State, string>;
}

/** A page with a list: its search, its states, and its records in a table. */
export function ListPage<State extends string, Row extends { id: string }>(props: ListPageProps<State, Row>) {
  const { title, parent, search, hasCustomerFilter, states, stateLabel, stateNames, ...result } = props;
  const texts = useTexts(partsTexts);
  return (
    <Page title={title}>
      <Stack gap="md">
        {parent && (
          <div>
            <TextLink to={parent.path}>{parent.back}</TextLink>
          </div>
        )}
        <Group className="filters" align="flex-end">
          {search && <SearchFilter {...search} />}
          <SelectFilter
            name="state"
            label={stateLabel}
            all={texts.allStates}
            options={states.map((value) => ({ value, label: stateNames[value] }))}
          />
        </Group>
        {hasCustomerFilter && <CustomerFilter />}
        <ListResult label={title} {...result} />
      </Stack>
    </Page>
  );
}
