import { Button, Group, Text } from "@mantine/core";
import { gql, useQuery } from "urql";
import type { FilteredCustomerQuery, FilteredCustomerQueryVariables } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { useFilter } from "./filters.tsx";
import { partsTexts } from "./parts.texts.ts";
import { TextLink } from "./text-link.tsx";

const FILTERED_CUSTOMER = gql<FilteredCustomerQuery, FilteredCustomerQueryVariables>(/* GraphQL */ `
  query FilteredCustomer($id: ID!) {
    customer(id: $id) {
      id
      name
      email
    }
  }
`);

/** The number of the customer to whose records the address limits a list; undefined for all. */
export function useCustomerFilter(): string | undefined {
  const [value] = useFilter("customer");
  return /^\d{1,15}$/.test(value) ? value : undefined;
}

/** Says whose records a list shows, and lifts the limit. A customer's page links to such lists. */
export function CustomerFilter() {
  const texts = useTexts(partsTexts);
  const id = useCustomerFilter();
  const [, change] = useFilter("customer");
  const [{ data }] = useQuery({ query: FILTERED_CUSTOMER, variables: { id: id ?? "" }, pause: id === undefined });
  if (id === undefined) return null;
  const name = data?.customer?.name || data?.customer?.email || id;
  return (
    <Group gap="xs">
      <Text component="span">
        {texts.onlyOf} <TextLink to={`/customers/${id}`}>{name}</TextLink>
      </Text>
      <Button variant="default" size="xs" onClick={() => change("")}>
        {texts.allCustomers}
      </Button>
    </Group>
  );
}
