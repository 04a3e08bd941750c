import { useState } from "react";
import { Group, NativeSelect, TextInput } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { useAction } from "../actions/use-action.ts";
import { billingWords } from "../billing/words.texts.ts";
import type { RecurringInterval } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { useVendor } from "../session/vendor.tsx";
import { CREATE_PLAN } from "./product-actions.query.ts";
import { productActionsTexts } from "./product-actions.texts.ts";

const INTERVALS: readonly RecurringInterval[] = ["DAY", "WEEK", "MONTH", "YEAR"];
const PRICE = /^\d+(?:[.]\d+)?$/;
const COUNT = /^[1-9]\d{0,2}$/;

/** Asks for a price that is charged once or in each cycle; plans by units and usage have more terms than a dialog holds. */
export function PlanDialog({ productId, onClose }: { productId: string; onClose: () => void }) {
  const texts = useTexts(productActionsTexts);
  const { every } = useTexts(billingWords);
  const { money } = useFormats();
  const { currency } = useVendor();
  const [name, setName] = useState("");
  const [price, setPrice] = useState("");
  const [interval, setInterval] = useState<RecurringInterval | "">("MONTH");
  const [count, setCount] = useState("1");
  const { isRunning, problem, run } = useAction(CREATE_PLAN);
  const isRecurring = interval !== "";
  const isComplete = name.trim() !== "" && PRICE.test(price.trim()) && (!isRecurring || COUNT.test(count));
  const confirm = async () => {
    const input = {
      productId,
      plan: { name },
      price: price.trim(),
      type: isRecurring ? ("FLAT" as const) : ("ONE_TIME" as const),
      recurring: isRecurring ? { interval, intervalCount: Number(count) } : undefined,
    };
    if (await run({ input })) onClose();
  };
  return (
    <ActionDialog
      title={texts.addPlan}
      confirm={texts.addPlan}
      consequences={
        isComplete
          ? [
              isRecurring
                ? texts.recurringRule(money(price.trim(), currency), every(interval, Number(count)))
                : texts.onceRule(money(price.trim(), currency)),
              texts.planRule,
              texts.typeRule,
            ]
          : [texts.incomplete]
      }
      isComplete={isComplete}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <TextInput label={texts.planName} value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
      <TextInput
        label={texts.price(currency)}
        inputMode="decimal"
        value={price}
        onChange={({ currentTarget }) => setPrice(currentTarget.value)}
      />
      <Group grow align="flex-end">
        <NativeSelect
          label={texts.interval}
          value={interval}
          onChange={({ currentTarget }) => setInterval(INTERVALS.find((one) => one === currentTarget.value) ?? "")}
          data={[
            { value: "", label: texts.once },
            ...INTERVALS.map((value) => ({ value, label: texts.intervals[value] })),
          ]}
        />
        {isRecurring && (
          <TextInput
            label={texts.count}
            inputMode="numeric"
            value={count}
            onChange={({ currentTarget }) => setCount(currentTarget.value)}
          />
        )}
      </Group>
    </ActionDialog>
  );
}
