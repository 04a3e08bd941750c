import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { TimelineSection } from "../billing/timeline-section.tsx";
import { billingWords, PRODUCT_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useApiLanguage, useTexts } from "../language/language.tsx";
import { Facts } from "../parts/facts.tsx";
import { RecordPage } from "../parts/record-page.tsx";
import { Section } from "../parts/section.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TableSection } from "../parts/table-section.tsx";
import { useVendor } from "../session/vendor.tsx";
import { Permitted } from "../session/permitted.tsx";
import { ProductActions } from "./product-actions.tsx";
import { PRODUCT_DETAIL } from "./products.query.ts";
import { productsTexts } from "./products.texts.ts";

/** A product without plans gets its first one. */
const AFTER_ADDITIONS = { additionalTypenames: ["PricePlan"] };

/** One product with its price plans, and what happened to them. */
export default function ProductPage({ id }: { id: string }) {
  const texts = useTexts(productsTexts);
  const words = useTexts(billingWords);
  const { money, day, count } = useFormats();
  const { currency } = useVendor();
  const [result, retry] = useQuery({
    query: PRODUCT_DETAIL,
    variables: { id, language: useApiLanguage() },
    context: AFTER_ADDITIONS,
  });
  const found = result.data?.product;
  return (
    <RecordPage
      title={found ? found.name || found.code : undefined}
      list={{ path: "/products", name: texts.title, back: texts.back }}
      result={result}
      record={found}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {(product) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack gap="lg">
            <Permitted area="CATALOGUE">
              <ProductActions product={product} />
            </Permitted>
            <Section
              title={texts.details}
              aside={<StateBadge tone={PRODUCT_TONES[product.status]}>{words.products[product.status]}</StateBadge>}
            >
              <Facts
                facts={[
                  [texts.summary, product.summary],
                  [texts.code, product.code],
                  [texts.sku, product.sku],
                  [texts.type, words.productTypes[product.type]],
                  [texts.stock, product.quantity === null ? texts.unlimited : count(product.quantity)],
                  [texts.categories, product.categories.map(({ name }) => name).join(", ")],
                  [
                    texts.options,
                    product.optionGroups
                      .map(({ name, options }) => `${name}: ${options.map((option) => option.name).join(", ")}`)
                      .join("; "),
                  ],
                  [texts.reason, product.reasonOfReject],
                  [texts.created, day(product.createdAt)],
                ]}
              />
            </Section>
            <TableSection
              title={texts.plans}
              empty={texts.noPlans}
              rows={product.prices}
              columns={[
                { title: texts.plan, cell: ({ planName, code }) => planName || code },
                { title: texts.type, isWideOnly: true, cell: ({ type }) => texts.planTypes[type] },
                { title: texts.price, isNumber: true, cell: ({ price }) => money(price, currency) },
                {
                  title: texts.cycle,
                  cell: ({ recurring }) =>
                    recurring ? words.every(recurring.interval, recurring.intervalCount) : texts.once,
                },
              ]}
            />
          </Stack>
          <TimelineSection steps={product.timeline.nodes} />
        </SimpleGrid>
      )}
    </RecordPage>
  );
}
