import { useState } from "react";
import { Button, Group } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useAction } from "../actions/use-action.ts";
import type { OrderItemStatus, OrderType } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { CANCEL_ORDER } from "./order-actions.query.ts";
import { orderActionsTexts } from "./order-actions.texts.ts";
import { ReasonField, reasonOf } from "./reason-field.tsx";
import { RefundDialog } from "./refund-dialog.tsx";

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
