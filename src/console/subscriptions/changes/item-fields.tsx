import { useState } from "react";
import { Button, Checkbox, Stack, TextInput } from "@mantine/core";
import type { AddSubscriptionItemInput } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { AddedItemFields } from "./added-item-fields.tsx";
import { changesTexts } from "./changes.texts.ts";
import type { FieldsProps } from "./change-dialog.tsx";
import {
  changeableItems,
  isMetered,
  quantityOf,
  type ChangeableItem,
  type SubscriptionChange,
} from "./possible-changes.ts";

interface ItemsForm {
  /** Entered quantities, by the codes of their items. */
  quantities: Readonly<Record<string, string>>;
  removed: readonly string[];
  isAdding: boolean;
  /** The item to add; undefined while its fields are incomplete. */
  added: AddSubscriptionItemInput | undefined;
}

/** The form as a change; undefined if it changes nothing or is incomplete. */
function toChange(items: readonly ChangeableItem[], form: ItemsForm): SubscriptionChange | undefined {
  const { quantities, removed, isAdding, added } = form;
  const change = [];
  for (const { code, quantity } of items) {
    if (removed.includes(code)) continue;
    const entered = quantityOf(quantities[code] ?? String(quantity));
    if (entered === undefined) return undefined;
    if (entered !== quantity) change.push({ itemCode: code, quantity: entered });
  }
  if (isAdding && !added) return undefined;
  const add = isAdding && added ? [added] : [];
  return change.length + removed.length + add.length === 0
    ? undefined
    : { items: { add, change, remove: [...removed] } };
}

/** Quantities of the items, items to remove, and one to add. */
export function ItemFields({ subscription, onChange }: FieldsProps) {
  const texts = useTexts(changesTexts);
  const items = changeableItems(subscription);
  const [form, setForm] = useState<ItemsForm>({ quantities: {}, removed: [], isAdding: false, added: undefined });
  const { quantities, removed, isAdding } = form;
  const report = (changed: Partial<ItemsForm>) => {
    const next = { ...form, ...changed };
    setForm(next);
    onChange(toChange(items, next));
  };
  return (
    <>
      {items.map((item) => {
        const { code, name, quantity } = item;
        const entered = quantities[code] ?? String(quantity);
        const isRemoved = removed.includes(code);
        return (
          <Stack key={code} gap="xs">
            {!isMetered(item) && (
              <TextInput
                label={texts.quantityOf(name)}
                inputMode="numeric"
                value={entered}
                disabled={isRemoved}
                onChange={({ currentTarget }) => report({ quantities: { ...quantities, [code]: currentTarget.value } })}
                error={quantityOf(entered) === undefined ? texts.wholeNumber : undefined}
              />
            )}
            <Checkbox
              label={texts.remove(name)}
              checked={isRemoved}
              onChange={() =>
                report({ removed: isRemoved ? removed.filter((one) => one !== code) : [...removed, code] })
              }
            />
          </Stack>
        );
      })}
      {isAdding && <AddedItemFields subscription={subscription} onChange={(added) => report({ added })} />}
      <div>
        <Button variant="default" size="xs" onClick={() => report({ isAdding: !isAdding, added: undefined })}>
          {isAdding ? texts.noAddition : texts.add}
        </Button>
      </div>
    </>
  );
}
