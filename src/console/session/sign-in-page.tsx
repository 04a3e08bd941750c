import { useState, type SubmitEvent } from "react";
import { Alert, Button, Divider, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { usePageTitle } from "../parts/page-title.ts";
import { Preferences } from "../shell/preferences.tsx";
import { isDemoOffered, requestDemoToken } from "./demo-session.ts";
import { sessionTexts } from "./session.texts.ts";
import { useSession } from "./session.tsx";

/** Asks for an API token. `problem` says why the last one was not accepted. */
export function SignInPage({ problem }: { problem?: string | undefined }) {
  const texts = useTexts(sessionTexts);
  const { signIn } = useSession();
  const [token, setToken] = useState("");
  const [error, setError] = useState(problem);
  usePageTitle(texts.title);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (token.trim() === "") setError(texts.tokenMissing);
    else signIn(token.trim());
  };
  const openDemo = async () => {
    const demoToken = await requestDemoToken().catch(() => undefined);
    if (demoToken === undefined) setError(texts.demoUnavailable);
    else signIn(demoToken);
  };

  return (
    <div className="sign-in">
      <header className="sign-in-header">
        <span className="brand">Recoup</span>
        <Preferences />
      </header>
      <main>
        <Paper withBorder radius="lg" p="xl">
          <Stack>
            <div>
              <Title order={1} size="h2">
                {texts.title}
              </Title>
              <Text c="dimmed">{texts.introduction}</Text>
            </div>
            {error !== undefined && (
              <Alert color="red" role="alert">
                {error}
              </Alert>
            )}
            <form onSubmit={submit} noValidate>
              <Stack>
                <PasswordInput
                  label={texts.token}
                  description={texts.tokenHint}
                  value={token}
                  onChange={({ currentTarget }) => setToken(currentTarget.value)}
                  autoComplete="off"
                  spellCheck={false}
                  aria-invalid={error !== undefined}
                />
                <Button type="submit" size="md">
                  {texts.signIn}
                </Button>
              </Stack>
            </form>
            {isDemoOffered() && (
              <>
                <Divider label={texts.or} />
                <Text size="sm" c="dimmed">
                  {texts.demoHint}
                </Text>
                <Button variant="default" size="md" onClick={() => void openDemo()}>
                  {texts.openDemo}
                </Button>
              </>
            )}
          </Stack>
        </Paper>
      </main>
    </div>
  );
}
