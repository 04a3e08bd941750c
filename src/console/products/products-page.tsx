import { useMemo } from "react";
import { Group } from "@mantine/core";
import { useQuery } from "urql";
import type { ProductStatus } from "../generated/operations.ts";
import { billingWords, PRODUCT_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { oneOf, SelectFilter, useFilter } from "../parts/filters.tsx";
import { ListResult } from "../parts/list-result.tsx";
import { Page } from "../parts/page.tsx";
import { useSlice } from "../parts/paging.tsx";
import { SearchFilter } from "../parts/search-filter.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { PRODUCTS } from "./products.query.ts";
import { productsTexts } from "./products.texts.ts";

const STATES: readonly ProductStatus[] = ["SALE", "UNSOLD", "OUT_OF_STOCK", "WAITING_APPROVAL", "REJECTED"];

/** All products. */
export default function ProductsPage() {
  const texts = useTexts(productsTexts);
  const words = useTexts(billingWords);
  const { day, count } = useFormats();
  const slice = useSlice();
  const [keyword] = useFilter("search");
  const [enteredState] = useFilter("state");
  const status = oneOf(STATES, enteredState);
  const variables = useMemo(
    () => ({ ...slice, filter: { status, keyword: keyword === "" ? undefined : keyword } }),
    [slice, status, keyword],
  );
  const [result, retry] = useQuery({ query: PRODUCTS, variables });
  return (
    <Page title={texts.title}>
      <Group align="flex-end" mb="md">
        <SearchFilter hint={texts.searchHint} />
        <SelectFilter
          name="state"
          label={texts.status}
          all={texts.allStates}
          options={STATES.map((value) => ({ value, label: words.products[value] }))}
        />
      </Group>
      <ListResult
        label={texts.title}
        empty={texts.empty}
        result={result}
        connection={result.data?.products}
        onRetry={() => retry({ requestPolicy: "network-only" })}
        columns={[
          {
            title: texts.name,
            cell: ({ databaseId, name, code }) => (
              <TextLink to={`/products/${databaseId}`}>{name === "" ? code : name}</TextLink>
            ),
          },
          { title: texts.type, isWideOnly: true, cell: ({ type }) => words.productTypes[type] },
          {
            title: texts.status,
            cell: ({ status: shown }) => <StateBadge tone={PRODUCT_TONES[shown]}>{words.products[shown]}</StateBadge>,
          },
          {
            title: texts.stock,
            isNumber: true,
            cell: ({ quantity }) => (quantity === null ? texts.unlimited : count(quantity)),
          },
          { title: texts.plans, isNumber: true, isWideOnly: true, cell: ({ prices }) => count(prices.length) },
          { title: texts.created, isWideOnly: true, cell: ({ createdAt }) => day(createdAt) },
        ]}
      />
    </Page>
  );
}
