import { useState } from "react";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "urql";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { useAction } from "../actions/use-action.ts";
import type { CustomerDetailQuery, UpdateCustomerInput } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { REGIONS, UPDATE_CUSTOMER } from "./customer-actions.query.ts";
import { customerActionsTexts } from "./customer-actions.texts.ts";
import { useRegionName } from "./use-region-name.ts";

export type EditedCustomer = Pick<
  NonNullable<CustomerDetailQuery["customer"]>,
  "id" | "name" | "email" | "phone" | "username" | "region" | "marketingEmail" | "marketingSms" | "marketingMessenger"
>;

interface CustomerForm {
  name: string;
  email: string;
  phone: string;
  username: string;
  /** Code of the region; an empty text without one. */
  region: string;
  marketingEmail: boolean;
  marketingSms: boolean;
  marketingMessenger: boolean;
}

const toForm = ({ username, region, ...customer }: EditedCustomer): CustomerForm => ({
  ...customer,
  username: username ?? "",
  region: region?.code ?? "",
});

/** The fields that differ; an emptied login name or region is removed. */
function toChanges(form: CustomerForm, stored: CustomerForm): Omit<UpdateCustomerInput, "id"> {
  const { name, email, phone, username, region, marketingEmail, marketingSms, marketingMessenger } = form;
  return {
    ...(name !== stored.name && { name }),
    ...(email !== stored.email && { email }),
    ...(phone !== stored.phone && { phone }),
    ...(username !== stored.username && { username: username.trim() === "" ? null : username }),
    ...(region !== stored.region && { region: region === "" ? null : region }),
    ...(marketingEmail !== stored.marketingEmail && { marketingEmail }),
    ...(marketingSms !== stored.marketingSms && { marketingSms }),
    ...(marketingMessenger !== stored.marketingMessenger && { marketingMessenger }),
  };
}

/** Edits what a customer is reached by; only what was changed is sent. */
export function EditCustomerDialog({ customer, onClose }: { customer: EditedCustomer; onClose: () => void }) {
  const texts = useTexts(customerActionsTexts);
  const regionName = useRegionName();
  const [{ data }] = useQuery({ query: REGIONS });
  const [stored] = useState(() => toForm(customer));
  const [form, setForm] = useState(stored);
  const { isRunning, problem, run } = useAction(UPDATE_CUSTOMER);
  const changes = toChanges(form, stored);
  const change = (changed: Partial<CustomerForm>) => setForm({ ...form, ...changed });
  const confirm = async () => {
    if (await run({ input: { id: customer.id, ...changes } })) onClose();
  };
  const textField = (name: "name" | "email" | "phone" | "username", label: string, type?: "email" | "tel") => (
    <TextInput
      label={label}
      type={type}
      autoComplete="off"
      value={form[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  const consentField = (name: "marketingEmail" | "marketingSms" | "marketingMessenger", label: string) => (
    <Checkbox
      label={label}
      checked={form[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
    />
  );
  return (
    <ActionDialog
      title={texts.editTitle}
      confirm={texts.save}
      consequences={[texts.editNew, texts.editOld]}
      isComplete={form.name.trim() !== "" && Object.keys(changes).length > 0}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {textField("name", texts.name)}
      {textField("email", texts.email, "email")}
      {textField("phone", texts.phone, "tel")}
      {textField("username", texts.username)}
      <NativeSelect
        label={texts.region}
        value={form.region}
        onChange={({ currentTarget }) => change({ region: currentTarget.value })}
        data={[
          { value: "", label: texts.noRegion },
          // The stored one is shown before the list is there.
          ...(data?.regions ?? (customer.region ? [customer.region] : [])).map((region) => ({
            value: region.code,
            label: regionName(region),
          })),
        ]}
      />
      {consentField("marketingEmail", texts.marketingEmail)}
      {consentField("marketingSms", texts.marketingSms)}
      {consentField("marketingMessenger", texts.marketingMessenger)}
    </ActionDialog>
  );
}
