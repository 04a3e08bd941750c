import { useState } from "react";
import { Anchor, Button, Divider, Text } from "@mantine/core";
import { Link } from "wouter";
import { useTexts } from "../language/language.tsx";
import { isDemoOffered, requestDemo } from "./demo-session.ts";
import { PersonForm } from "./person-form.tsx";
import { sessionTexts } from "./session.texts.ts";
import { useSession } from "./session.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import type { Access } from "./stored-access.ts";
import { TokenForm } from "./token-form.tsx";

/** Signs a person in, or a program's token. `problem` says why the last access was not accepted. */
export function SignInPage({ problem }: { problem?: string | undefined }) {
  const texts = useTexts(sessionTexts);
  const { access, useToken } = useSession();
  const [form, setForm] = useState<Access["kind"]>(access?.kind ?? "PERSON");
  const [error, setError] = useState(problem);

  const openDemo = async () => {
    const demo = await requestDemo().catch(() => undefined);
    if (demo === undefined) setError(texts.demoUnavailable);
    else useToken(demo.token);
  };
  const switchForm = () => {
    setForm(form === "PERSON" ? "TOKEN" : "PERSON");
    setError(undefined);
  };

  return (
    <SignInFrame title={texts.title} introduction={texts.introduction} problem={error}>
      {form === "PERSON" ? (
        <>
          <PersonForm onProblem={setError} />
          <Anchor component={Link} href="/password" size="sm" underline="always">
            {texts.passwordForgotten}
          </Anchor>
        </>
      ) : (
        <TokenForm onProblem={setError} />
      )}
      <Anchor component="button" type="button" size="sm" underline="always" ta="start" onClick={switchForm}>
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
    </SignInFrame>
  );
}
