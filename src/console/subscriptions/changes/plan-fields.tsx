import { useState } from "react";
import { NativeSelect } from "@mantine/core";
import type { PlanChangeMoment } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { useVendor } from "../../session/vendor.tsx";
import { changesTexts } from "./changes.texts.ts";
import type { FieldsProps } from "./change-dialog.tsx";
import { changeableItems, planChoices } from "./possible-changes.ts";

/** Other plans of the items, and when they begin. */
export function PlanFields({ subscription, onChange }: FieldsProps) {
  const texts = useTexts(changesTexts);
  const { day, money } = useFormats();
  const { currency } = useVendor();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [when, setWhen] = useState<PlanChangeMoment>("NOW");
  const items = changeableItems(subscription)
    .map((item) => {
      const plans = planChoices(item, subscription);
      const planned = plans.find(({ code }) => code === item.nextPricePlan?.code)?.code;
      return { item, plans, planned, initial: planned ?? item.priceCode };
    })
    .filter(({ plans }) => plans.length > 0);
  const report = (plans: Readonly<Record<string, string>>, moment: PlanChangeMoment) => {
    setChosen(plans);
    setWhen(moment);
    // The current plan withdraws a planned change.
    const changes = items.flatMap(({ item: { code }, initial }) => {
      const priceCode = plans[code] ?? initial;
      return priceCode === initial ? [] : [{ itemCode: code, priceCode }];
    });
    onChange(changes.length === 0 ? undefined : { plan: { changes, when: moment } });
  };
  return (
    <>
      {items.map(({ item, plans, planned, initial }) => (
        <NativeSelect
          key={item.code}
          label={texts.planOf(item.name)}
          value={chosen[item.code] ?? initial}
          onChange={({ currentTarget }) => report({ ...chosen, [item.code]: currentTarget.value }, when)}
          data={plans.map(({ code, planName, price }) => {
            const name = `${planName || code}, ${money(price, currency)}`;
            const label = code === item.priceCode ? texts.current(name) : code === planned ? texts.planned(name) : name;
            return { value: code, label };
          })}
        />
      ))}
      <NativeSelect
        label={texts.when}
        value={when}
        onChange={({ currentTarget }) => report(chosen, currentTarget.value === "NOW" ? "NOW" : "PERIOD_END")}
        data={[
          { value: "NOW", label: texts.now },
          { value: "PERIOD_END", label: texts.periodEnd(day(subscription.currentPeriodEnd)) },
        ]}
      />
    </>
  );
}
