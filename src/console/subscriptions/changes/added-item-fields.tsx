import { useState } from "react";
import { NativeSelect, Text, TextInput } from "@mantine/core";
import { useQuery } from "urql";
import type { AddSubscriptionItemInput, OrderableProductsQuery } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { useRested } from "../../parts/use-rested.ts";
import { useVendor } from "../../session/vendor.tsx";
import { ORDERABLE_PRODUCTS } from "./changes.query.ts";
import { changesTexts } from "./changes.texts.ts";
import { chargeablePlans, quantityOf, type ChangeableSubscription } from "./possible-changes.ts";

interface AddedItemFieldsProps {
  subscription: ChangeableSubscription;
  /** Gets the item; undefined while it is incomplete. */
  onChange: (item: AddSubscriptionItemInput | undefined) => void;
}

type Product = OrderableProductsQuery["products"]["nodes"][number];

interface AddedItemForm {
  product: Product | undefined;
  priceCode: string;
  /** The chosen option of each group, in order; 0 where none is chosen. */
  optionIds: readonly number[];
  quantity: string;
}

const NO_ITEM: AddedItemForm = { product: undefined, priceCode: "", optionIds: [], quantity: "1" };

function toItem({ product, priceCode, optionIds, quantity }: AddedItemForm): AddSubscriptionItemInput | undefined {
  const entered = quantityOf(quantity);
  if (!product || priceCode === "" || entered === undefined || optionIds.includes(0)) return undefined;
  return { productCode: product.code, priceCode, optionIds: [...optionIds], quantity: entered };
}

/** A product that joins the subscription, with a plan of its billing cycle and one option of each group. */
export function AddedItemFields({ subscription, onChange }: AddedItemFieldsProps) {
  const texts = useTexts(changesTexts);
  const { money } = useFormats();
  const { currency } = useVendor();
  const [keyword, setKeyword] = useState("");
  const [form, setForm] = useState(NO_ITEM);
  const rested = useRested(keyword.trim());
  const [{ data }] = useQuery({
    query: ORDERABLE_PRODUCTS,
    variables: { keyword: rested === "" ? undefined : rested },
  });
  const found = data?.products.nodes.filter(({ prices }) => chargeablePlans(prices, subscription).length > 0);
  const { product, priceCode, optionIds, quantity } = form;
  const plans = product ? chargeablePlans(product.prices, subscription) : [];
  const report = (changed: Partial<AddedItemForm>) => {
    const next = { ...form, ...changed };
    setForm(next);
    onChange(toItem(next));
  };
  const chooseProduct = (code: string) => {
    const chosen = found?.find((one) => one.code === code);
    const [plan] = chosen ? chargeablePlans(chosen.prices, subscription) : [];
    report({ product: chosen, priceCode: plan?.code ?? "", optionIds: chosen?.optionGroups.map(() => 0) ?? [] });
  };
  // The chosen product stays in the list when another search does not find it.
  const listed = [...(found ?? []), ...(product && !found?.some(({ code }) => code === product.code) ? [product] : [])];
  return (
    <>
      <TextInput
        type="search"
        label={texts.find}
        placeholder={texts.findHint}
        value={keyword}
        onChange={({ currentTarget }) => setKeyword(currentTarget.value)}
      />
      {found?.length === 0 && (
        <Text size="sm" role="status">
          {texts.noProduct}
        </Text>
      )}
      <NativeSelect
        label={texts.product}
        value={product?.code ?? ""}
        onChange={({ currentTarget }) => chooseProduct(currentTarget.value)}
        data={[
          { value: "", label: texts.chooseProduct },
          ...listed.map(({ code, name }) => ({ value: code, label: name || code })),
        ]}
      />
      {plans.length > 0 && (
        <NativeSelect
          label={texts.plan}
          value={priceCode}
          onChange={({ currentTarget }) => report({ priceCode: currentTarget.value })}
          data={plans.map(({ code, planName, price }) => ({
            value: code,
            label: `${planName || code}, ${money(price, currency)}`,
          }))}
        />
      )}
      {product?.optionGroups.map(({ id, name, options }, place) => (
        <NativeSelect
          key={id}
          label={name}
          value={String(optionIds[place] ?? 0)}
          onChange={({ currentTarget }) =>
            // Options of later groups can depend on this one.
            report({
              optionIds: optionIds.map((one, at) =>
                at < place ? one : at === place ? Number(currentTarget.value) : 0,
              ),
            })
          }
          data={[
            { value: "0", label: "–" },
            ...options
              .filter(({ parent }) => parent === null || optionIds.includes(parent))
              .map((option) => ({ value: String(option.databaseId), label: option.name })),
          ]}
        />
      ))}
      {product && (
        <TextInput
          label={texts.quantity}
          inputMode="numeric"
          value={quantity}
          onChange={({ currentTarget }) => report({ quantity: currentTarget.value })}
          error={quantityOf(quantity) === undefined ? texts.wholeNumber : undefined}
        />
      )}
    </>
  );
}
