import { useState } from "react";
import { NativeSelect, TextInput } from "@mantine/core";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { changesTexts } from "./changes.texts.ts";
import type { FieldsProps } from "./change-dialog.tsx";
import { changeableItems, isMetered, quantityOf } from "./possible-changes.ts";

/** The number of units that may be used of a metered item. */
export function QuotaFields({ subscription, onChange }: FieldsProps) {
  const texts = useTexts(changesTexts);
  const { count } = useFormats();
  const items = changeableItems(subscription).filter(isMetered);
  const [itemCode, setItemCode] = useState(items[0]?.code ?? "");
  const [units, setUnits] = useState("");
  const allowed = items.find(({ code }) => code === itemCode)?.allowedUnits ?? null;
  const quota = quantityOf(units);
  const report = (code: string, text: string) => {
    setItemCode(code);
    setUnits(text);
    const entered = quantityOf(text);
    onChange(entered === undefined ? undefined : { quota: { itemCode: code, quota: entered } });
  };
  return (
    <>
      <NativeSelect
        label={texts.item}
        value={itemCode}
        onChange={({ currentTarget }) => report(currentTarget.value, units)}
        data={items.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <TextInput
        label={texts.quota}
        description={allowed === null ? texts.noQuota : texts.quotaNow(count(Number(allowed)))}
        inputMode="numeric"
        value={units}
        onChange={({ currentTarget }) => report(itemCode, currentTarget.value)}
        error={units !== "" && quota === undefined ? texts.wholeNumber : undefined}
      />
    </>
  );
}
