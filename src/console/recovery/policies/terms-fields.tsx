import { Button, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { FinalAction } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { useVendor } from "../../session/vendor.tsx";
import { editorTexts } from "./editor.texts.ts";
import { OverrideFields } from "./override-fields.tsx";
import { PlanFields } from "./plan-fields.tsx";
import { policiesTexts } from "./policies.texts.ts";
import { QuietHoursFields } from "./quiet-hours-fields.tsx";
import { DEFAULT_PLAN, hasSmartPlan, isAmount, type OverrideForm, type TermsForm } from "./terms-form.ts";

const FINAL_ACTIONS: readonly FinalAction[] = ["EXPIRE", "PAUSE", "CANCEL", "KEEP"];

const NEW_OVERRIDE: OverrideForm = {
  reasonClass: "INSUFFICIENT_FUNDS",
  country: "",
  paymentMethod: "",
  plan: DEFAULT_PLAN,
  quietFrom: "",
  quietUntil: "",
};

interface TermsFieldsProps {
  form: TermsForm;
  onChange: (form: TermsForm) => void;
}

/** All terms of a policy. */
export function TermsFields({ form, onChange }: TermsFieldsProps) {
  const texts = useTexts(editorTexts);
  const { finalActions } = useTexts(policiesTexts);
  const { currency } = useVendor();
  const change = (changed: Partial<TermsForm>) => onChange({ ...form, ...changed });
  const amountField = (name: "retryCost" | "explorationShare" | "explorationAmount", label: string, hint?: string) => (
    <TextInput
      label={label}
      description={hint}
      inputMode="decimal"
      value={form[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
      error={isAmount(form[name]) ? undefined : texts.amountUnreadable}
    />
  );
  return (
    <>
      <PlanFields plan={form.plan} onChange={(plan) => change({ plan })} />
      <QuietHoursFields hours={form} onChange={change} />
      {amountField("retryCost", texts.retryCost(currency), texts.retryCostHint)}
      <NativeSelect
        label={texts.finalAction}
        value={form.finalAction}
        onChange={({ currentTarget }) =>
          change({ finalAction: FINAL_ACTIONS.find((one) => one === currentTarget.value) ?? "" })
        }
        data={[
          { value: "", label: texts.finalActionDefault },
          ...FINAL_ACTIONS.map((value) => ({ value, label: finalActions[value] })),
        ]}
      />
      {hasSmartPlan(form) && (
        <>
          <TextInput
            label={texts.model}
            description={texts.modelHint}
            value={form.model}
            onChange={({ currentTarget }) => change({ model: currentTarget.value })}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {amountField("explorationShare", texts.explorationShare)}
            {amountField("explorationAmount", texts.explorationAmount(currency))}
          </SimpleGrid>
        </>
      )}
      <Stack gap="sm" role="group" aria-label={texts.exceptions}>
        <div>
          <Text fw={600}>{texts.exceptions}</Text>
          <Text size="sm" c="dimmed">
            {texts.exceptionsHint}
          </Text>
        </div>
        {form.overrides.map((override, index) => (
          <OverrideFields
            key={index}
            number={index + 1}
            override={override}
            onChange={(changed) =>
              change({ overrides: form.overrides.map((one, place) => (place === index ? changed : one)) })
            }
            onRemove={() => change({ overrides: form.overrides.filter((_, place) => place !== index) })}
          />
        ))}
        <div>
          <Button variant="default" size="xs" onClick={() => change({ overrides: [...form.overrides, NEW_OVERRIDE] })}>
            {texts.addException}
          </Button>
        </div>
      </Stack>
    </>
  );
}
