import { useState } from "react";
import { Button, Group } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useAction } from "../actions/use-action.ts";
import type { PaymentState } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { ChargeDialog, ChargeOutcome, type ChargedPayment } from "../orders/charge-dialog.tsx";
import { orderActionsTexts } from "../orders/order-actions.texts.ts";
import { canCharge, type ChargeableOrder } from "../orders/order-actions.tsx";
import { RefundDialog } from "../orders/refund-dialog.tsx";
import { CONFIRM_DEPOSIT } from "./payments.query.ts";
import { paymentsTexts } from "./payments.texts.ts";

interface ActionsProps {
  payment: {
    state: PaymentState;
    /** The account to pay into; null if none is awaited. */
    vbank: object | null;
    order: ChargeableOrder & { code: string };
  };
}

/** Buttons to refund a payment by its order, to charge its order again, and to confirm a deposit; none if its state permits none. */
export function PaymentActions({ payment: { state, vbank, order } }: ActionsProps) {
  const texts = useTexts(paymentsTexts);
  const { refund, chargeAgain } = useTexts(orderActionsTexts);
  const { actions } = useTexts(actionsTexts);
  const [open, setOpen] = useState<"refund" | "deposit" | "charge">();
  const [charged, setCharged] = useState<ChargedPayment>();
  const close = () => setOpen(undefined);
  const canRefund = state === "SUCCEEDED" && Number(order.leftAmount) > 0;
  const awaitsDeposit = state === "PENDING" && vbank !== null;
  const isChargeable = state === "FAILED" && canCharge(order);
  if (!canRefund && !awaitsDeposit && !isChargeable) return charged ? <ChargeOutcome payment={charged} /> : null;
  return (
    <>
      <Group role="group" aria-label={actions} gap="xs">
        {canRefund && (
          <Button variant="default" onClick={() => setOpen("refund")}>
            {refund}
          </Button>
        )}
        {awaitsDeposit && (
          <Button variant="default" onClick={() => setOpen("deposit")}>
            {texts.confirmDeposit}
          </Button>
        )}
        {isChargeable && (
          <Button variant="default" onClick={() => setOpen("charge")}>
            {chargeAgain}
          </Button>
        )}
        {open === "charge" && <ChargeDialog orderId={order.id} onDone={setCharged} onClose={close} />}
        {open === "refund" && <RefundDialog order={order} onClose={close} />}
        {open === "deposit" && <DepositDialog order={order} onClose={close} />}
      </Group>
      {charged && <ChargeOutcome payment={charged} />}
    </>
  );
}

function DepositDialog({ order, onClose }: { order: { id: string; code: string }; onClose: () => void }) {
  const texts = useTexts(paymentsTexts);
  const { isRunning, problem, run } = useAction(CONFIRM_DEPOSIT);
  const confirm = async () => {
    if (await run({ input: { orderId: order.id } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.confirmDeposit}
      confirm={texts.confirmDeposit}
      consequences={[texts.depositPaid(order.code), texts.depositChecked]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
