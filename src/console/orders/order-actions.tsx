import { useState } from "react";
import { Button, Group } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useAction } from "../actions/use-action.ts";
import type { OrderItemStatus, OrderItemType, OrderType, PaymentState } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { useVendor } from "../session/vendor.tsx";
import { amountDue } from "./amount-due.ts";
import { ChargeDialog, ChargeOutcome, type ChargedPayment } from "./charge-dialog.tsx";
import { CANCEL_ORDER } from "./order-actions.query.ts";
import { orderActionsTexts } from "./order-actions.texts.ts";
import { ReasonField, reasonOf } from "./reason-field.tsx";
import { RefundDialog } from "./refund-dialog.tsx";

/** What decides whether an order can be charged. */
export interface ChargeableOrder {
  id: string;
  type: OrderType;
  amount: string;
  paidAmount: string;
  leftAmount: string;
  currency: string;
  /** The newest payment; null if there is none. */
  payment: { state: PaymentState } | null;
  items: readonly { type: OrderItemType; status: OrderItemStatus; amount: string }[];
}

interface ActionsProps {
  order: ChargeableOrder;
}

const UNPAID: readonly OrderItemStatus[] = ["CREATED", "DEPOSIT_WAITING", "PAYMENT_FAILURE"];

/** Whether an unpaid order can be charged: an open payment is waited for. */
export const canCharge = ({ items, payment, ...order }: ChargeableOrder): boolean =>
  items.some(({ status }) => UNPAID.includes(status)) &&
  payment?.state !== "PENDING" &&
  payment?.state !== "UNKNOWN" &&
  Number(amountDue({ ...order, items })) > 0;

/** Buttons to charge, cancel or refund an order; each says first what it does. */
export function OrderActions({ order }: ActionsProps) {
  const texts = useTexts(orderActionsTexts);
  const { actions } = useTexts(actionsTexts);
  const [open, setOpen] = useState<"charge" | "cancel" | "refund">();
  const [charged, setCharged] = useState<ChargedPayment>();
  const close = () => setOpen(undefined);
  const { permittedAreas } = useVendor();
  const mayTakeMoney = permittedAreas.includes("MONEY");
  const isChargeable = mayTakeMoney && canCharge(order);
  const isPaid = Number(order.leftAmount) > 0;
  const canRefund = mayTakeMoney && isPaid;
  // A failed renewal is cancelled with its subscription.
  const canCancel =
    permittedAreas.includes("SUPPORT") &&
    !isPaid &&
    order.type !== "RECURRING" &&
    order.items.some(({ status }) => UNPAID.includes(status));
  if (!isChargeable && !canRefund && !canCancel) return charged ? <ChargeOutcome payment={charged} /> : null;
  return (
    <>
      <Group role="group" aria-label={actions} gap="xs">
        {isChargeable && (
          <Button variant="default" onClick={() => setOpen("charge")}>
            {texts.charge}
          </Button>
        )}
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
        {open === "charge" && <ChargeDialog orderId={order.id} onDone={setCharged} onClose={close} />}
        {open === "cancel" && <CancelDialog order={order} onClose={close} />}
        {open === "refund" && <RefundDialog order={order} onClose={close} />}
      </Group>
      {charged && <ChargeOutcome payment={charged} />}
    </>
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
