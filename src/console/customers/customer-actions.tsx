import { useState } from "react";
import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useAction } from "../actions/use-action.ts";
import { toRequestError, type RequestError } from "../graphql/request-error.ts";
import { useTexts } from "../language/language.tsx";
import { ProblemNotice } from "../parts/notices.tsx";
import { Permitted } from "../session/permitted.tsx";
import { ERASE_CUSTOMER, EXPORT_CUSTOMER } from "./customer-actions.query.ts";
import { customerActionsTexts } from "./customer-actions.texts.ts";
import { EditCustomerDialog, type EditedCustomer } from "./edit-customer-dialog.tsx";

interface ActionsProps {
  customer: EditedCustomer & { code: string; erasedAt: string | null };
}

/** Buttons to edit a customer, to export the data, and to erase it; those that the caller may use. */
export function CustomerActions({ customer }: ActionsProps) {
  const texts = useTexts(customerActionsTexts);
  const { actions } = useTexts(actionsTexts);
  const [isErasing, setErasing] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const { isRunning, problem, savedAs, exportData } = useExport(customer);
  return (
    <Stack gap="xs">
      <Group role="group" aria-label={actions} gap="xs">
        {customer.erasedAt === null && (
          <Permitted area="SUPPORT">
            <Button variant="default" onClick={() => setEditing(true)}>
              {texts.edit}
            </Button>
          </Permitted>
        )}
        <Button variant="default" loading={isRunning} onClick={() => void exportData()}>
          {texts.export}
        </Button>
        {customer.erasedAt === null && (
          <Permitted area="ADMIN">
            <Button variant="default" onClick={() => setErasing(true)}>
              {texts.erase}
            </Button>
          </Permitted>
        )}
        <Text size="sm" role="status">
          {isRunning ? texts.exporting : savedAs !== undefined && texts.exported(savedAs)}
        </Text>
      </Group>
      <ProblemNotice problem={problem} />
      {isEditing && <EditCustomerDialog customer={customer} onClose={() => setEditing(false)} />}
      {isErasing && <EraseDialog customer={customer} onClose={() => setErasing(false)} />}
    </Stack>
  );
}

/** Requests the data anew at each click, since it may have changed, and saves it as a file. */
function useExport({ id, code }: ActionsProps["customer"]) {
  const client = useClient();
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<RequestError>();
  const [savedAs, setSavedAs] = useState<string>();
  const exportData = async () => {
    setRunning(true);
    setProblem(undefined);
    setSavedAs(undefined);
    const { data, error } = await client.query(EXPORT_CUSTOMER, { id }, { requestPolicy: "network-only" }).toPromise();
    setRunning(false);
    if (error) setProblem(toRequestError(error));
    if (!data?.exportCustomerData) return;
    const file = `${code}.json`;
    saveFile(file, JSON.stringify(data.exportCustomerData, null, 2));
    setSavedAs(file);
  };
  return { isRunning, problem, savedAs, exportData };
}

/** Saves a text as a file of the browser's downloads. */
function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

function EraseDialog({ customer, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(customerActionsTexts);
  const [typedCode, setTypedCode] = useState("");
  const [cancelSubscriptions, setCancelSubscriptions] = useState(false);
  const { isRunning, problem, run } = useAction(ERASE_CUSTOMER);
  const confirmCode = typedCode.trim();
  const confirm = async () => {
    if (await run({ input: { customerId: customer.id, confirmCode, cancelSubscriptions } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.eraseTitle}
      confirm={texts.confirm}
      consequences={[texts.people, texts.messages, texts.payers, texts.books, texts.open, texts.final]}
      isComplete={confirmCode === customer.code}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <Checkbox
        label={texts.cancelSubscriptions}
        checked={cancelSubscriptions}
        onChange={({ currentTarget }) => setCancelSubscriptions(currentTarget.checked)}
      />
      <TextInput
        label={texts.code}
        description={texts.codeHint(customer.code)}
        autoComplete="off"
        value={typedCode}
        onChange={({ currentTarget }) => setTypedCode(currentTarget.value)}
      />
    </ActionDialog>
  );
}
