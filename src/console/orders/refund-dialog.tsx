import { useState } from "react";
import { TextInput } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { useAction } from "../actions/use-action.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { REFUND_ORDER } from "./order-actions.query.ts";
import { orderActionsTexts } from "./order-actions.texts.ts";
import { ReasonField, reasonOf } from "./reason-field.tsx";
import { subtractDecimals } from "./subtract-decimals.ts";

interface RefundDialogProps {
  order: { id: string; leftAmount: string; currency: string };
  onClose: () => void;
}

/** Pays back a part of an order, or the whole rest. */
export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const texts = useTexts(orderActionsTexts);
  const { money } = useFormats();
  const [amount, setAmount] = useState(order.leftAmount);
  const [reason, setReason] = useState("");
  const { isRunning, problem, run } = useAction(REFUND_ORDER);
  const left = subtractDecimals(order.leftAmount, amount.trim());
  const confirm = async () => {
    if (left === undefined) return;
    const isWhole = Number(left) === 0;
    const input = { orderId: order.id, amount: isWhole ? undefined : amount.trim(), reason: reasonOf(reason) };
    if (await run({ input })) onClose();
  };
  return (
    <ActionDialog
      title={texts.refundTitle}
      confirm={texts.refundTitle}
      consequences={
        left === undefined
          ? [texts.noAmount]
          : [
              texts.paidBack(money(amount.trim(), order.currency)),
              texts.left(money(left, order.currency)),
              texts.services,
            ]
      }
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <TextInput
        label={texts.amount}
        description={texts.amountHint(order.currency)}
        inputMode="decimal"
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        error={left === undefined ? texts.noAmount : undefined}
      />
      <ReasonField reason={reason} onChange={setReason} />
    </ActionDialog>
  );
}
