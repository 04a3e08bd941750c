import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { RetryPlanKind } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { editorTexts } from "./editor.texts.ts";
import { policiesTexts } from "./policies.texts.ts";
import { isWholeNumber, readDays, type PlanForm } from "./terms-form.ts";

const KINDS: readonly RetryPlanKind[] = ["LADDER", "EVEN", "SMART"];

interface PlanFieldsProps {
  plan: PlanForm;
  onChange: (plan: PlanForm) => void;
}

/** The fields of a plan: its kind, and the numbers that this kind has. */
export function PlanFields({ plan, onChange }: PlanFieldsProps) {
  const texts = useTexts(editorTexts);
  const { kinds } = useTexts(policiesTexts);
  const numberField = (name: "maxRetries" | "windowInDays") => (
    <TextInput
      label={texts[name]}
      inputMode="numeric"
      value={plan[name]}
      onChange={({ currentTarget }) => onChange({ ...plan, [name]: currentTarget.value })}
      error={isWholeNumber(plan[name]) ? undefined : texts.numberUnreadable}
    />
  );
  return (
    <>
      <NativeSelect
        label={texts.kind}
        value={plan.kind}
        onChange={({ currentTarget }) =>
          onChange({ ...plan, kind: KINDS.find((one) => one === currentTarget.value) ?? "LADDER" })
        }
        data={KINDS.map((value) => ({ value, label: kinds[value] }))}
      />
      {plan.kind === "LADDER" ? (
        <TextInput
          label={texts.days}
          description={texts.daysHint}
          value={plan.days}
          onChange={({ currentTarget }) => onChange({ ...plan, days: currentTarget.value })}
          error={readDays(plan.days) ? undefined : texts.daysUnreadable}
        />
      ) : (
        <SimpleGrid cols={2}>
          {numberField("maxRetries")}
          {numberField("windowInDays")}
        </SimpleGrid>
      )}
    </>
  );
}
