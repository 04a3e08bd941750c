import { useEffect, useId, useRef, type ReactNode } from "react";
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import type { RequestError } from "../graphql/request-error.ts";
import { useTexts } from "../language/language.tsx";
import { ProblemNotice } from "../parts/notices.tsx";
import { actionsTexts } from "./actions.texts.ts";

interface ActionDialogProps {
  title: string;
  /** What the action changes and what it does not, one sentence each. */
  consequences: readonly string[];
  /** The name of the button that does it. */
  confirm: string;
  /** Whether its choices are complete. Defaults to true. */
  isComplete?: boolean;
  isRunning: boolean;
  problem: RequestError | undefined;
  onConfirm: () => void;
  onClose: () => void;
  /** The choices of the action. */
  children?: ReactNode;
}

/** Says what an action does before it is done. The browser's own dialog keeps the focus and closes by Escape. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, consequences, confirm, isComplete = true, isRunning, problem, onConfirm, onClose, children } = props;
  const texts = useTexts(actionsTexts);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="action" aria-labelledby={id} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <Stack>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {children}
          <div>
            <Text fw={600} size="sm">
              {texts.consequences}
            </Text>
            <ul>
              {consequences.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </div>
          <ProblemNotice problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => dialog.current?.close()}>
              {texts.back}
            </Button>
            <Button type="submit" loading={isRunning} disabled={!isComplete}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </dialog>
  );
}
