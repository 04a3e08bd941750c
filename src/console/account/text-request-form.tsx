import { useState, type ReactNode } from "react";
import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { accountTexts } from "./account.texts.ts";
import type { FactorAnswer } from "./second-factor-requests.ts";

interface TextRequestProps<Answer> {
  kind: "password" | "code";
  label: string;
  description?: string;
  button: string;
  request: (text: string) => Promise<FactorAnswer<Answer>>;
  onAnswer: (answer: Answer) => void;
  children?: ReactNode;
}

/** A form with one password or code, which is sent to the gateway. */
export function TextRequestForm<Answer>(props: TextRequestProps<Answer>) {
  const { kind, label, description, button, request, onAnswer, children } = props;
  const texts = useTexts(accountTexts);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  const submit = async () => {
    setSending(true);
    const result = await request(text.trim());
    setSending(false);
    if (result.isAccepted) return onAnswer(result.answer);
    setProblem(result.problem ?? texts.noAnswer);
  };
  const shared = {
    ...{ label, description, required: true, value: text, maw: "24rem" },
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value),
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        {children}
        {kind === "password" ? (
          <PasswordInput {...shared} autoComplete="current-password" />
        ) : (
          <TextInput {...shared} autoComplete="one-time-code" />
        )}
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <div>
          <Button type="submit" loading={isSending}>
            {button}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
