import { useState } from "react";
import { NativeSelect } from "@mantine/core";
import { billingWords } from "../../billing/words.texts.ts";
import { useTexts } from "../../language/language.tsx";
import { changesTexts } from "./changes.texts.ts";
import type { FieldsProps } from "./change-dialog.tsx";
import { cycleChoices, type Cycle } from "./possible-changes.ts";

/** Another billing cycle, from the next period on. */
export function IntervalFields({ subscription, onChange }: FieldsProps) {
  const texts = useTexts(changesTexts);
  const { every } = useTexts(billingWords);
  const cycles = cycleChoices(subscription);
  const [chosen, setChosen] = useState("");
  const nameOf = ({ interval, intervalCount }: Cycle) => every(interval, intervalCount);
  return (
    <NativeSelect
      label={texts.cycle}
      value={chosen}
      onChange={({ currentTarget: { value } }) => {
        setChosen(value);
        const cycle = cycles.find((one) => nameOf(one) === value);
        const { interval, intervalCount } = cycle ?? {};
        onChange(interval && intervalCount ? { interval: { interval, intervalCount } } : undefined);
      }}
      data={[{ value: "", label: texts.chooseCycle }, ...cycles.map(nameOf)]}
    />
  );
}
