import { useEffect, useState } from "react";
import { Alert, Code, Stack, Text } from "@mantine/core";
import { renderSVG } from "uqr";
import { useTexts } from "../language/language.tsx";
import { Page } from "../parts/page.tsx";
import { Section } from "../parts/section.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useSession } from "../session/session.tsx";
import { accountTexts } from "./account.texts.ts";
import {
  confirmFactor,
  removeFactor,
  requestState,
  startFactor,
  type FactorState,
  type OfferedSecret,
} from "./second-factor-requests.ts";
import { TextRequestForm } from "./text-request-form.tsx";

/** The account of the signed-in person: the second factor. */
export default function AccountPage() {
  const texts = useTexts(accountTexts);
  const { access } = useSession();
  return (
    <Page title={texts.title}>{access?.kind === "PERSON" ? <SecondFactor /> : <Text>{texts.tokenOnly}</Text>}</Page>
  );
}

function SecondFactor() {
  const texts = useTexts(accountTexts);
  const [state, setState] = useState<FactorState>();
  const [hasFailed, setFailed] = useState(false);
  const [offered, setOffered] = useState<OfferedSecret>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([]);
  useEffect(() => {
    void requestState().then((result) => (result.isAccepted ? setState(result.answer) : setFailed(true)));
  }, []);
  if (hasFailed)
    return (
      <Alert color="red" role="alert">
        {texts.noAnswer}
      </Alert>
    );
  if (!state) return <Text role="status">{texts.loading}</Text>;
  return (
    <Section
      title={texts.factor}
      aside={<StateBadge tone={state.isOn ? "good" : "neutral"}>{state.isOn ? texts.isOn : texts.isOff}</StateBadge>}
    >
      <Stack>
        <Text size="sm">{texts.introduction}</Text>
        {recoveryCodes.length > 0 && (
          <Alert color="blue" title={texts.recovery} role="status">
            <Stack gap="xs">
              <Text size="sm">{texts.recoveryHint}</Text>
              <Code block>{recoveryCodes.join("\n")}</Code>
            </Stack>
          </Alert>
        )}
        {state.isOn ? (
          <>
            <Text size="sm">{texts.codesLeft(state.recoveryCodesLeft)}</Text>
            <TextRequestForm
              key="remove"
              kind="code"
              label={texts.code}
              description={texts.removeHint}
              button={texts.remove}
              request={removeFactor}
              onAnswer={(answer) => {
                setRecoveryCodes([]);
                setState(answer);
              }}
            />
          </>
        ) : offered ? (
          <TextRequestForm
            key="confirm"
            kind="code"
            label={texts.code}
            button={texts.confirm}
            request={confirmFactor}
            onAnswer={(codes) => {
              setOffered(undefined);
              setRecoveryCodes(codes);
              setState({ isOn: true, recoveryCodesLeft: codes.length });
            }}
          >
            <SecretPicture offered={offered} />
          </TextRequestForm>
        ) : (
          <TextRequestForm
            key="start"
            kind="password"
            label={texts.password}
            description={texts.passwordHint}
            button={texts.begin}
            request={startFactor}
            onAnswer={setOffered}
          />
        )}
      </Stack>
    </Section>
  );
}

/** The secret as a picture for the camera of a phone, and as text. Cameras need dark on light, in a dark page, too. */
function SecretPicture({ offered: { secret, uri } }: { offered: OfferedSecret }) {
  const texts = useTexts(accountTexts);
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
  return (
    <>
      <Text size="sm">{texts.scan}</Text>
      <img src={picture} alt={texts.picture} width={220} height={220} />
      <Text size="sm">
        {texts.key}: <Code>{secret.replace(/.{4}(?=.)/g, "$& ")}</Code>
      </Text>
    </>
  );
}
