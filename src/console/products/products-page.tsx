import { useQuery } from "urql";
import type { ProductStatus } from "../generated/operations.ts";
import { billingWords, PRODUCT_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { ListPage, useListRequest } from "../parts/list-page.tsx";
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
  const { slice, state, keyword } = useListRequest(STATES);
  const [result, retry] = useQuery({ query: PRODUCTS, variables: { ...slice, filter: { status: state, keyword } } });
  return (
    <ListPage
      title={texts.title}
      search={{ hint: texts.searchHint }}
      states={STATES}
      stateLabel={texts.status}
      stateNames={words.products}
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
        { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => day(createdAt) },
      ]}
    />
  );
}
