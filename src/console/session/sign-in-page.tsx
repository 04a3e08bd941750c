import { useState } from "react";
import { Alert, Anchor, Button, Divider, Paper, Stack, Text, Title } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { usePageTitle } from "../parts/page-title.ts";
import { Preferences } from "../shell/preferences.tsx";
import { isDemoOffered, requestDemoToken } from "./demo-session.ts";
import { PersonForm } from "./person-form.tsx";
import { sessionTexts } from "./session.texts.ts";
import { useSession, type Access } from "./session.tsx";
import { TokenForm } from "./token-form.tsx";

/** Signs a person in, or a program's token. `problem` says why the last access was not accepted. */
export function SignInPage({ problem }: { problem?: string | undefined }) {
  const texts = useTexts(sessionTexts);
  const { access, useToken } = useSession();
  const [form, setForm] = useState<Access["kind"]>(access?.kind ?? "PERSON");
  const [error, setError] = useState(problem);
  usePageTitle(texts.title);

  const openDemo = async () => {
    const demoToken = await requestDemoToken().catch(() => undefined);
    if (demoToken === undefined) setError(texts.demoUnavailable);
    else useToken(demoToken);
  };
  const switchForm = () => {
    setForm(form === "PERSON" ? "TOKEN" : "PERSON");
    setError(undefined);
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
            {form === "PERSON" ? <PersonForm onProblem={setError} /> : <TokenForm onProblem={setError} />}
            <Anchor component="button" type="button" size="sm" underline="always" onClick={switchForm}>
              {form === "PERSON" ? texts.useToken : texts.usePassword}
            </Anchor>
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
