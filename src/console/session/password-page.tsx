import { useState, type SubmitEvent } from "react";
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { Link } from "wouter";
import { useTexts } from "../language/language.tsx";
import { sessionTexts } from "./session.texts.ts";
import { SignInFrame } from "./sign-in-frame.tsx";
import { requestPasswordLink, setPassword, type PasswordAnswer } from "./sign-in-requests.ts";

/** Requests a link to set a new password or, if the page was opened by such a link or by an invitation, sets it. */
export default function PasswordPage({ isInvitation = false }: { isInvitation?: boolean }) {
  const texts = useTexts(sessionTexts);
  // The link's token stands after the #, which browsers send to no server.
  const [token] = useState(() => window.location.hash.slice(1));
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isDone, setDone] = useState(false);
  const [isSending, setSending] = useState(false);
  const isRequest = token === "" && !isInvitation;
  const introduction = isInvitation ? texts.invitationIntroduction : texts.newPasswordIntroduction;
  const done = isInvitation ? texts.invitationAccepted : texts.passwordChanged;
  const passwordLabel = isInvitation ? texts.password : texts.newPassword;

  const send = async (): Promise<PasswordAnswer> =>
    isRequest ? requestPasswordLink(text.trim()) : setPassword(token, text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim() === "") return setProblem(isRequest ? texts.emailMissing : texts.newPasswordMissing);
    setSending(true);
    void send().then(({ isAccepted, problem: refusal }) => {
      setSending(false);
      setProblem(isAccepted ? undefined : (refusal ?? texts.noAnswer));
      setDone(isAccepted);
    });
  };

  return (
    <SignInFrame
      title={isInvitation ? texts.invitation : texts.newPassword}
      introduction={isRequest ? texts.linkIntroduction : introduction}
      problem={problem}
    >
      {isDone ? (
        <Text role="status">{isRequest ? texts.linkSent : done}</Text>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            {isRequest ? (
              <TextInput
                label={texts.email}
                type="email"
                value={text}
                onChange={({ currentTarget }) => setText(currentTarget.value)}
                autoComplete="username"
              />
            ) : (
              <PasswordInput
                label={passwordLabel}
                description={texts.newPasswordHint}
                value={text}
                onChange={({ currentTarget }) => setText(currentTarget.value)}
                autoComplete="new-password"
              />
            )}
            <Button type="submit" size="md" loading={isSending}>
              {isRequest ? texts.sendLink : texts.savePassword}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} href="/" size="sm" underline="always">
        {texts.toSignIn}
      </Anchor>
    </SignInFrame>
  );
}
