import { useState } from "react";
import { Button, Group, TextInput } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useAction } from "../actions/use-action.ts";
import type { OrderItemStatus, OrderType } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { CANCEL_ORDER, REFUND_ORDER } from "./order-actions.query.ts";
import { orderActionsTexts } from "./order-actions.texts.ts";
import { subtractDecimals } from "./subtract-decimals.ts";

interface ActionsProps {
  order: {
    id: string;
    type: OrderType;
    leftAmount: string;
    currency: string;
    items: readonly { status: OrderItemStatus }[];
  };
}

const UNPAID: readonly OrderItemStatus[] = ["CREATED", "DEPOSIT_WAITING", "PAYMENT_FAILURE"];

/** Buttons to cancel or refund an order; each says first what it does. */
export function OrderActions({ order }: ActionsProps) {
  const texts = useTexts(orderActionsTexts);
  const { actions } = useTexts(actionsTexts);
  const [open, setOpen] = useState<"cancel" | "refund">();
  const close = () => setOpen(undefined);
  const canRefund = Number(order.leftAmount) > 0;
  // A failed renewal is cancelled with its subscription.
  const canCancel =
    !canRefund && order.type !== "RECURRING" && order.items.some(({ status }) => UNPAID.includes(status));
  return (
    <Group role="group" aria-label={actions} gap="xs">
      {canCancel && (
        <Button variant="default" onClick={() => setOpen("cancel")}>
          {texts.cancel}
        </Button>
      )}
      {canRefund && (
        <Button variant="default" onClick={() => setOpen("refund")}>
          {texts.refund}
        </Button>
      )}
      {open === "cancel" && <CancelDialog order={order} onClose={close} />}
      {open === "refund" && <RefundDialog order={order} onClose={close} />}
    </Group>
  );
}

function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  const texts = useTexts(actionsTexts);
  return (
    <TextInput
      label={texts.reason}
      description={texts.reasonHint}
      value={reason}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

const reasonOf = (reason: string) => (reason.trim() === "" ? undefined : reason);

function CancelDialog({ order, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(orderActionsTexts);
  const [reason, setReason] = useState("");
  const { isRunning, problem, run } = useAction(CANCEL_ORDER);
  const confirm = async () => {
    if (await run({ input: { orderId: order.id, reason: reasonOf(reason) } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.cancel}
      confirm={texts.cancel}
      consequences={[texts.unpaid, texts.stock, texts.final]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <ReasonField reason={reason} onChange={setReason} />
    </ActionDialog>
  );
}

function RefundDialog({ order, onClose }: ActionsProps & { onClose: () => void }) {
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
