import { useState } from "react";
import { Button } from "@mantine/core";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { useAction } from "../../actions/use-action.ts";
import { useTexts } from "../../language/language.tsx";
import { REDELIVER } from "./webhooks.query.ts";
import { webhooksTexts } from "./webhooks.texts.ts";

interface RedeliverProps {
  delivery: { id: string; eventType: string };
}

/** Sends a delivery once more, after its dialog said so. */
export function RedeliverButton({ delivery }: RedeliverProps) {
  const texts = useTexts(webhooksTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={texts.redeliverOf(delivery.eventType)}
        onClick={() => setOpen(true)}
      >
        {texts.redeliver}
      </Button>
      {isOpen && <RedeliverDialog delivery={delivery} onClose={() => setOpen(false)} />}
    </>
  );
}

function RedeliverDialog({ delivery, onClose }: RedeliverProps & { onClose: () => void }) {
  const texts = useTexts(webhooksTexts);
  const { isRunning, problem, run } = useAction(REDELIVER);
  const confirm = async () => {
    if (await run({ input: { deliveryId: delivery.id } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.redeliverOf(delivery.eventType)}
      confirm={texts.redeliver}
      consequences={[texts.redeliverRule]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
