import { useState, type SubmitEvent } from "react";
import { Button, PasswordInput, Stack } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { sessionTexts } from "./session.texts.ts";
import { useSession } from "./session.tsx";

/** Asks for an API token. */
export function TokenForm({ onProblem }: { onProblem: (problem: string) => void }) {
  const texts = useTexts(sessionTexts);
  const { useToken } = useSession();
  const [token, setToken] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (token.trim() === "") onProblem(texts.tokenMissing);
    else useToken(token.trim());
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <PasswordInput
          label={texts.token}
          description={texts.tokenHint}
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" size="md">
          {texts.signIn}
        </Button>
      </Stack>
    </form>
  );
}
