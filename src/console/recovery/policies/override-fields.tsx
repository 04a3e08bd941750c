import { Button, Checkbox, Fieldset, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { billingWords } from "../../billing/words.texts.ts";
import type { PaymentMethod } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { MEANINGS, recoveryWords } from "../words.texts.ts";
import { editorTexts } from "./editor.texts.ts";
import { PlanFields } from "./plan-fields.tsx";
import { QuietHoursFields } from "./quiet-hours-fields.tsx";
import { DEFAULT_PLAN, type OverrideForm } from "./terms-form.ts";

const METHODS: readonly PaymentMethod[] = ["CARD_BILL", "CMS_BILL", "CELLPHONE_BILL", "SIMPLE_PAY"];

interface OverrideFieldsProps {
  number: number;
  override: OverrideForm;
  onChange: (override: OverrideForm) => void;
  onRemove: () => void;
}

/** One exception: its conditions, and what it changes. */
export function OverrideFields({ number, override, onChange, onRemove }: OverrideFieldsProps) {
  const texts = useTexts(editorTexts);
  const { reasons } = useTexts(recoveryWords);
  const { methods } = useTexts(billingWords);
  const change = (changed: Partial<OverrideForm>) => onChange({ ...override, ...changed });
  const { paymentMethod } = override;
  // A method that this list does not offer is kept.
  const offered = paymentMethod === "" || METHODS.includes(paymentMethod) ? METHODS : [...METHODS, paymentMethod];
  return (
    <Fieldset legend={texts.exception(number)}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            label={texts.reason}
            value={override.reasonClass}
            onChange={({ currentTarget }) =>
              change({ reasonClass: MEANINGS.find((one) => one === currentTarget.value) ?? "" })
            }
            data={[
              { value: "", label: texts.anyReason },
              ...MEANINGS.map((value) => ({ value, label: reasons[value] })),
            ]}
          />
          <NativeSelect
            label={texts.method}
            value={paymentMethod}
            onChange={({ currentTarget }) =>
              change({ paymentMethod: offered.find((one) => one === currentTarget.value) ?? "" })
            }
            data={[
              { value: "", label: texts.anyMethod },
              ...offered.map((value) => ({ value, label: methods[value] })),
            ]}
          />
        </SimpleGrid>
        <TextInput
          label={texts.country}
          value={override.country}
          onChange={({ currentTarget }) => change({ country: currentTarget.value.toUpperCase() })}
        />
        <Checkbox
          label={texts.ownPlan}
          checked={override.plan !== undefined}
          onChange={({ currentTarget }) => change({ plan: currentTarget.checked ? DEFAULT_PLAN : undefined })}
        />
        {override.plan && <PlanFields plan={override.plan} onChange={(plan) => change({ plan })} />}
        <QuietHoursFields hours={override} onChange={change} />
        <div>
          <Button variant="default" size="xs" onClick={onRemove}>
            {texts.removeException(number)}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}
