import { useState } from "react";
import { Button, Group, NativeSelect } from "@mantine/core";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { useAction } from "../../actions/use-action.ts";
import { useTexts } from "../../language/language.tsx";
import { REVOKE_KEY, ROTATE_KEY } from "./access.query.ts";
import { accessTexts, type KeyState } from "./access.texts.ts";

const GRACES = ["0", "24", "168"] as const;

interface ActionsProps {
  apiKey: { id: string; name: string };
  /** Shows the token of the new key. */
  onToken: (token: string) => void;
}

/** Buttons to rotate and to revoke a valid key; each says first what it does. */
export function KeyActions({ state, ...props }: ActionsProps & { state: KeyState }) {
  const texts = useTexts(accessTexts);
  const [open, setOpen] = useState<"rotate" | "revoke">();
  const { name } = props.apiKey;
  if (state === "REVOKED" || state === "EXPIRED") return <>–</>;
  const close = () => setOpen(undefined);
  return (
    <Group gap="xs">
      {state === "ACTIVE" && (
        <Button size="xs" variant="default" aria-label={texts.rotateOf(name)} onClick={() => setOpen("rotate")}>
          {texts.rotate}
        </Button>
      )}
      <Button size="xs" variant="default" aria-label={texts.revokeOf(name)} onClick={() => setOpen("revoke")}>
        {texts.revoke}
      </Button>
      {open === "rotate" && <RotateDialog {...props} onClose={close} />}
      {open === "revoke" && <RevokeDialog {...props} onClose={close} />}
    </Group>
  );
}

function RotateDialog({ apiKey, onToken, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(accessTexts);
  const [grace, setGrace] = useState("24");
  const { isRunning, problem, run } = useAction(ROTATE_KEY);
  const confirm = async () => {
    const data = await run({ input: { keyId: apiKey.id, graceHours: Number(grace) } });
    if (!data) return;
    onToken(data.rotateApiKey.token);
    onClose();
  };
  return (
    <ActionDialog
      title={texts.rotateOf(apiKey.name)}
      confirm={texts.rotate}
      consequences={[texts.rotateRule, texts.graceRule(grace)]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <NativeSelect
        label={texts.grace}
        value={grace}
        onChange={({ currentTarget }) => setGrace(currentTarget.value)}
        data={GRACES.map((value) => ({ value, label: texts.graces[value] }))}
      />
    </ActionDialog>
  );
}

function RevokeDialog({ apiKey, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(accessTexts);
  const { isRunning, problem, run } = useAction(REVOKE_KEY);
  const confirm = async () => {
    if (await run({ input: { keyId: apiKey.id } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.revokeOf(apiKey.name)}
      confirm={texts.revoke}
      consequences={[texts.revokeRule]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
