import { useState } from "react";
import { Alert, NativeSelect } from "@mantine/core";
import { useQuery } from "urql";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { useAction } from "../actions/use-action.ts";
import { billingWords, methodDetails } from "../billing/words.texts.ts";
import type { PayOrderMutation } from "../generated/operations.ts";
import { toRequestError } from "../graphql/request-error.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { amountDue } from "./amount-due.ts";
import { CHARGEABLE_ORDER, PAY_ORDER } from "./order-actions.query.ts";
import { orderActionsTexts } from "./order-actions.texts.ts";

/** The payment that a charge made. */
export type ChargedPayment = PayOrderMutation["payOrder"]["payment"];

interface ChargeDialogProps {
  orderId: string;
  onDone: (payment: ChargedPayment) => void;
  onClose: () => void;
}

/** Charges an unpaid order to a payment method that its customer stored. */
export function ChargeDialog({ orderId, onDone, onClose }: ChargeDialogProps) {
  const texts = useTexts(orderActionsTexts);
  const { methods: methodNames } = useTexts(billingWords);
  const { money } = useFormats();
  const [{ data, error }] = useQuery({
    query: CHARGEABLE_ORDER,
    variables: { id: orderId },
    // A method may have been stored, or a part paid, since the page was loaded.
    requestPolicy: "network-only",
  });
  const order = data?.order;
  const methods = order?.customer.paymentMethods ?? [];
  const [chosenId, setChosenId] = useState<string>();
  const method = methods.find(({ id }) => id === chosenId) ?? methods[0];
  const { isRunning, problem, run } = useAction(PAY_ORDER);
  const nameOf = (one: (typeof methods)[number]) =>
    [methodNames[one.paymentMethod], methodDetails(one)].filter(Boolean).join(", ");
  const confirm = async () => {
    if (!method) return;
    const done = await run({ input: { orderId, storedMethodId: String(method.databaseId) } });
    if (!done) return;
    onDone(done.payOrder.payment);
    onClose();
  };
  const consequences =
    !order || !method
      ? []
      : [
          texts.charged(money(amountDue(order), order.currency), nameOf(method)),
          order.type === "RECURRING" ? texts.renewalPaid : texts.orderPaid,
          texts.declined,
          ...(order.type === "RECURRING" ? [texts.notByPolicy] : []),
        ];
  return (
    <ActionDialog
      title={texts.chargeTitle}
      confirm={texts.chargeTitle}
      consequences={order ? (method ? consequences : [texts.noMethod]) : [texts.loadingMethods]}
      isComplete={method !== undefined}
      isRunning={isRunning}
      problem={problem ?? (error && toRequestError(error))}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {method && (
        <NativeSelect
          label={texts.method}
          value={method.id}
          onChange={({ currentTarget }) => setChosenId(currentTarget.value)}
          data={methods.map((one) => ({ value: one.id, label: nameOf(one) }))}
        />
      )}
    </ActionDialog>
  );
}

/** Says that a charge did not succeed; nothing if it did. */
export function ChargeOutcome({ payment }: { payment: ChargedPayment }) {
  const texts = useTexts(orderActionsTexts);
  if (payment.state === "SUCCEEDED") return null;
  const reason = [payment.errorCode, payment.errorMessage].filter(Boolean).join(", ");
  return (
    <Alert color="yellow" role="status">
      {payment.state === "FAILED" ? texts.wasDeclined(reason) : texts.isOpen}
    </Alert>
  );
}
