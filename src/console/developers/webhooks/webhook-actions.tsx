import { useState } from "react";
import { Button, Group } from "@mantine/core";
import { useLocation } from "wouter";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { actionsTexts } from "../../actions/actions.texts.ts";
import { useAction } from "../../actions/use-action.ts";
import { useTexts } from "../../language/language.tsx";
import { DELETE_WEBHOOK, DISABLE_WEBHOOK, ENABLE_WEBHOOK, ROTATE_SECRET, TEST_WEBHOOK } from "./webhooks.query.ts";
import { webhooksTexts } from "./webhooks.texts.ts";

interface ActionsProps {
  endpoint: { id: string; enabled: boolean };
  /** Shows a new secret. */
  onSecret: (secret: string) => void;
}

type ActionName = "test" | "disable" | "enable" | "rotate" | "delete";

/** Buttons to test, disable, enable and delete an endpoint and to replace its secret; each says first what it does. */
export function WebhookActions({ endpoint, onSecret }: ActionsProps) {
  const texts = useTexts(webhooksTexts);
  const { actions } = useTexts(actionsTexts);
  const [open, setOpen] = useState<ActionName>();
  const names: readonly ActionName[] = endpoint.enabled
    ? ["test", "rotate", "disable", "delete"]
    : ["enable", "rotate", "delete"];
  return (
    <Group role="group" aria-label={actions} gap="xs">
      {names.map((name) => (
        <Button key={name} variant="default" onClick={() => setOpen(name)}>
          {texts[name]}
        </Button>
      ))}
      {open && (
        <WebhookDialog
          key={open}
          name={open}
          endpoint={endpoint}
          onSecret={onSecret}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Group>
  );
}

function WebhookDialog({
  name,
  endpoint,
  onSecret,
  onClose,
}: ActionsProps & { name: ActionName; onClose: () => void }) {
  const texts = useTexts(webhooksTexts);
  const [, navigate] = useLocation();
  const test = useAction(TEST_WEBHOOK);
  const disable = useAction(DISABLE_WEBHOOK);
  const enable = useAction(ENABLE_WEBHOOK);
  const rotate = useAction(ROTATE_SECRET);
  const remove = useAction(DELETE_WEBHOOK);
  const input = { endpointId: endpoint.id };
  const dialogs = {
    test: {
      action: test,
      title: texts.test,
      consequences: [texts.testRule, texts.testNoEvent],
      run: () => test.run({ input }),
    },
    disable: {
      action: disable,
      title: texts.disableTitle,
      consequences: [texts.disableRule, texts.disableEvents],
      run: () => disable.run({ input }),
    },
    enable: {
      action: enable,
      title: texts.enableTitle,
      consequences: [texts.enableRule],
      run: () => enable.run({ input }),
    },
    rotate: {
      action: rotate,
      title: texts.rotate,
      consequences: [texts.rotateRule],
      run: async () => {
        const data = await rotate.run({ input });
        if (data) onSecret(data.rotateWebhookSecret.secret);
        return data;
      },
    },
    delete: {
      action: remove,
      title: texts.deleteTitle,
      consequences: [texts.deleteRule],
      run: async () => {
        const data = await remove.run({ input });
        if (data) navigate("/developers");
        return data;
      },
    },
  };
  const { action, title, consequences, run } = dialogs[name];
  const confirm = async () => {
    if (await run()) onClose();
  };
  return (
    <ActionDialog
      title={title}
      confirm={title}
      consequences={consequences}
      isRunning={action.isRunning}
      problem={action.problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
