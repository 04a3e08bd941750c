import { useState } from "react";
import { Button, Checkbox, Fieldset, Group, NativeSelect, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { useAction } from "../actions/use-action.ts";
import type { PublishMethod } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { subtractDecimals } from "../orders/subtract-decimals.ts";
import { useVendor } from "../session/vendor.tsx";
import { editInvoiceTexts } from "./edit-invoice.texts.ts";
import {
  isFormComplete,
  isPrice,
  isQuantity,
  sumOfLines,
  toInvoiceChanges,
  toInvoiceForm,
  type EditedInvoice,
  type InvoiceForm,
  type LineForm,
} from "./invoice-form.ts";
import { UPDATE_INVOICE } from "./invoices.query.ts";
import { fromLocalTime } from "./local-time.ts";

const CHANNELS: readonly PublishMethod[] = ["EMAIL", "SMS", "MESSENGER"];

/** Edits a draft: its lines, discount, dates, channels and note. Only what was changed is sent. */
export function EditInvoiceDialog({ invoice, onClose }: { invoice: EditedInvoice; onClose: () => void }) {
  const texts = useTexts(editInvoiceTexts);
  const { zoneId } = useVendor();
  const [stored] = useState(() => toInvoiceForm(invoice, zoneId));
  const [form, setForm] = useState(stored);
  const { isRunning, problem, run } = useAction(UPDATE_INVOICE);
  const changes = toInvoiceChanges(form, stored, zoneId);
  const change = (changed: Partial<InvoiceForm>) => setForm({ ...form, ...changed });
  const confirm = async () => {
    if (await run({ input: { invoiceId: invoice.id, ...changes } })) onClose();
  };
  const isComplete = isFormComplete(form);
  const consequences = useConsequences(form, invoice);
  return (
    <ActionDialog
      title={texts.title}
      confirm={texts.save}
      consequences={isComplete ? consequences : [texts.incomplete]}
      isComplete={isComplete && Object.keys(changes).length > 0}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <LineFields lines={form.lines} currency={invoice.currency} onChange={(lines) => change({ lines })} />
      <TextInput
        label={texts.discount(invoice.currency)}
        inputMode="decimal"
        value={form.discount}
        onChange={({ currentTarget }) => change({ discount: currentTarget.value })}
      />
      <TextInput
        type="datetime-local"
        label={texts.deadline}
        description={texts.inZone(zoneId)}
        value={form.deadline}
        onChange={({ currentTarget }) => change({ deadline: currentTarget.value })}
      />
      <NativeSelect
        label={texts.sending}
        value={form.isScheduled ? "RESERVATION" : "NOW"}
        onChange={({ currentTarget }) => change({ isScheduled: currentTarget.value === "RESERVATION" })}
        data={[
          { value: "NOW", label: texts.sentAtOnce },
          { value: "RESERVATION", label: texts.sentLater },
        ]}
      />
      {form.isScheduled && (
        <TextInput
          type="datetime-local"
          label={texts.sendAt}
          description={texts.inZone(zoneId)}
          value={form.sendAt}
          onChange={({ currentTarget }) => change({ sendAt: currentTarget.value })}
        />
      )}
      <Group role="group" aria-label={texts.channels}>
        {CHANNELS.map((channel) => (
          <Checkbox
            key={channel}
            label={texts.channelNames[channel]}
            checked={form.channels.includes(channel)}
            onChange={({ currentTarget }) =>
              change({
                channels: currentTarget.checked
                  ? [...form.channels, channel]
                  : form.channels.filter((one) => one !== channel),
              })
            }
          />
        ))}
      </Group>
      <Textarea
        label={texts.memo}
        value={form.memo}
        onChange={({ currentTarget }) => change({ memo: currentTarget.value })}
      />
    </ActionDialog>
  );
}

interface LineFieldsProps {
  lines: readonly LineForm[];
  currency: string;
  onChange: (lines: readonly LineForm[]) => void;
}

/** The lines: their prices and quantities, removed and added. */
function LineFields({ lines, currency, onChange }: LineFieldsProps) {
  const texts = useTexts(editInvoiceTexts);
  const { money } = useFormats();
  const [added, setAdded] = useState(0);
  const changeLine = (key: string, changed: Partial<LineForm>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changed } : line)));
  const add = () => {
    const empty = { codes: undefined, name: "", price: "", planPrice: undefined, quantity: "1", maximum: "" };
    onChange([...lines, { key: `added ${added}`, ...empty }]);
    setAdded(added + 1);
  };
  return (
    <>
      {lines.map(({ key, codes, name, price, planPrice, quantity, maximum }, index) => {
        const shown = name.trim() || texts.lineNumber(index + 1);
        return (
          <Fieldset key={key} legend={shown}>
            {codes === undefined && (
              <TextInput
                label={texts.lineName}
                value={name}
                onChange={({ currentTarget }) => changeLine(key, { name: currentTarget.value })}
              />
            )}
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
              <TextInput
                label={texts.price(currency)}
                inputMode="decimal"
                placeholder={planPrice && texts.planPrice(money(planPrice, currency))}
                value={price}
                onChange={({ currentTarget }) => changeLine(key, { price: currentTarget.value })}
                error={price.trim() !== "" && !isPrice(price) && texts.noPrice}
              />
              <TextInput
                label={texts.quantity}
                inputMode="numeric"
                value={quantity}
                onChange={({ currentTarget }) => changeLine(key, { quantity: currentTarget.value })}
                error={!isQuantity(quantity) && texts.noQuantity}
              />
              <TextInput
                label={texts.maximum}
                inputMode="numeric"
                placeholder={texts.fixed}
                value={maximum}
                onChange={({ currentTarget }) => changeLine(key, { maximum: currentTarget.value })}
                error={
                  maximum.trim() !== "" &&
                  (!isQuantity(maximum) || Number(maximum) < Number(quantity)) &&
                  texts.noMaximum
                }
              />
            </SimpleGrid>
            <Button
              variant="default"
              size="xs"
              mt="xs"
              onClick={() => onChange(lines.filter((line) => line.key !== key))}
            >
              {texts.remove(shown)}
            </Button>
          </Fieldset>
        );
      })}
      <div>
        <Button variant="default" size="xs" onClick={add}>
          {texts.add}
        </Button>
      </div>
    </>
  );
}

/** What the draft comes to, and when its customer gets it, one sentence each. */
function useConsequences(form: InvoiceForm, { currency, customer }: EditedInvoice): string[] {
  const texts = useTexts(editInvoiceTexts);
  const { money, time } = useFormats();
  const { zoneId, currency: baseCurrency } = useVendor();
  // A plan's price is in the vendor's currency.
  const isComparable = currency === baseCurrency || form.lines.every(({ price }) => price.trim() !== "");
  const sum = isComparable ? sumOfLines(form.lines) : undefined;
  const total = sum !== undefined && subtractDecimals(sum, form.discount.trim() || "0");
  const isRange = form.lines.some(({ maximum }) => maximum.trim() !== "");
  const sendAt = form.isScheduled ? fromLocalTime(form.sendAt, zoneId) : undefined;
  return [
    ...(total ? [isRange ? texts.totalFrom(money(total, currency)) : texts.total(money(total, currency))] : []),
    sendAt ? texts.staysScheduled(time(sendAt)) : texts.staysDraft,
    texts.noMessage(customer.name),
  ];
}
