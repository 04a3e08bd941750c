import { useState } from "react";
import { Button, Group } from "@mantine/core";
import { gql } from "urql";
import { useLocation } from "wouter";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useAction } from "../actions/use-action.ts";
import type {
  DeleteInvoiceMutation,
  DeleteInvoiceMutationVariables,
  InvoiceStatus,
  SendInvoiceMutation,
  SendInvoiceMutationVariables,
} from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { useVendor } from "../session/vendor.tsx";
import { EditInvoiceDialog } from "./edit-invoice-dialog.tsx";
import type { EditedInvoice } from "./invoice-form.ts";
import { invoicesTexts } from "./invoices.texts.ts";

const SEND_INVOICE = gql<SendInvoiceMutation, SendInvoiceMutationVariables>(/* GraphQL */ `
  mutation SendInvoice($input: SendInvoiceInput!) {
    sendInvoice(input: $input) {
      invoice {
        id
        status
      }
    }
  }
`);

const DELETE_INVOICE = gql<DeleteInvoiceMutation, DeleteInvoiceMutationVariables>(/* GraphQL */ `
  mutation DeleteInvoice($input: DeleteInvoiceInput!) {
    deleteInvoice(input: $input) {
      deletedId
    }
  }
`);

interface ActionsProps {
  invoice: EditedInvoice & { status: InvoiceStatus };
}

const UNSENT: readonly InvoiceStatus[] = ["TEMPORARY", "RESERVATION", "SEND_FAIL"];

/** Buttons to send an invoice that was not sent, and to edit and delete a draft. */
export function InvoiceActions({ invoice }: ActionsProps) {
  const texts = useTexts(invoicesTexts);
  const { actions } = useTexts(actionsTexts);
  const [open, setOpen] = useState<"edit" | "send" | "delete">();
  const close = () => setOpen(undefined);
  if (!UNSENT.includes(invoice.status)) return null;
  return (
    <Group role="group" aria-label={actions} gap="xs">
      <Button variant="default" onClick={() => setOpen("send")}>
        {texts.send}
      </Button>
      {invoice.status === "TEMPORARY" && (
        <Button variant="default" onClick={() => setOpen("edit")}>
          {texts.edit}
        </Button>
      )}
      {invoice.status === "TEMPORARY" && (
        <Button variant="default" onClick={() => setOpen("delete")}>
          {texts.delete}
        </Button>
      )}
      {open === "edit" && <EditInvoiceDialog invoice={invoice} onClose={close} />}
      {open === "send" && <SendDialog invoice={invoice} onClose={close} />}
      {open === "delete" && <DeleteDialog invoice={invoice} onClose={close} />}
    </Group>
  );
}

function SendDialog({ invoice, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(invoicesTexts);
  const { time } = useFormats();
  const { now } = useVendor();
  const { isRunning, problem, run } = useAction(SEND_INVOICE);
  const { status, reservationAt, customer } = invoice;
  // Only a draft waits for its time.
  const scheduled = status === "TEMPORARY" && reservationAt !== null && reservationAt > now ? reservationAt : undefined;
  const confirm = async () => {
    if (await run({ input: { invoiceId: invoice.id } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.sendTitle}
      confirm={texts.sendTitle}
      consequences={
        scheduled === undefined
          ? [texts.sendNow(customer.name), texts.sendOrder, texts.sendFinal]
          : [texts.sendLater(time(scheduled))]
      }
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}

/** Deletes a draft and returns to the list, which requests its rows anew. */
function DeleteDialog({ invoice, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(invoicesTexts);
  const [, navigate] = useLocation();
  const { isRunning, problem, run } = useAction(DELETE_INVOICE);
  const confirm = async () => {
    if (await run({ input: { invoiceId: invoice.id } })) navigate("/invoices");
  };
  return (
    <ActionDialog
      title={texts.deleteTitle}
      confirm={texts.deleteTitle}
      consequences={[texts.deleteRule(invoice.customer.name), texts.deleteFinal]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
