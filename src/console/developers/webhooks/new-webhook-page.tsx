import { useState } from "react";
import { Button, Stack, TextInput } from "@mantine/core";
import { useAction } from "../../actions/use-action.ts";
import { useTexts } from "../../language/language.tsx";
import { ProblemNotice } from "../../parts/notices.tsx";
import { Page } from "../../parts/page.tsx";
import { SecretNotice } from "../../parts/secret-notice.tsx";
import { Section } from "../../parts/section.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { developersTexts } from "../developers.texts.ts";
import { CREATE_WEBHOOK } from "./webhooks.query.ts";
import { webhooksTexts } from "./webhooks.texts.ts";

/** Creates a webhook endpoint, and shows its secret once. */
export default function NewWebhookPage() {
  const texts = useTexts(webhooksTexts);
  const { url: urlLabel } = useTexts(developersTexts);
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [types, setTypes] = useState("");
  const { isRunning, problem, data, run } = useAction(CREATE_WEBHOOK);
  const create = () => {
    const eventTypes = types.split(/[\s,]+/).filter(Boolean);
    return run({
      input: {
        url: url.trim(),
        description: description.trim() === "" ? undefined : description,
        eventTypes: eventTypes.length === 0 ? undefined : eventTypes,
      },
    });
  };
  const created = data?.createWebhookEndpoint;
  return (
    <Page title={texts.add}>
      <Stack gap="lg">
        <div>
          <TextLink to="/developers">{texts.back}</TextLink>
        </div>
        {created ? (
          <>
            <SecretNotice secret={created.secret} texts={texts} />
            <div>
              <TextLink to={`/developers/webhooks/${created.endpoint.databaseId}`}>{texts.open}</TextLink>
            </div>
          </>
        ) : (
          <Section title={texts.title}>
            <form
              onSubmit={(event) => {
                event.preventDefault();
                void create();
              }}
            >
              <Stack>
                <TextInput
                  label={urlLabel}
                  description={texts.urlHint}
                  inputMode="url"
                  required
                  value={url}
                  onChange={({ currentTarget }) => setUrl(currentTarget.value)}
                />
                <TextInput
                  label={texts.types}
                  description={texts.typesHint}
                  value={types}
                  onChange={({ currentTarget }) => setTypes(currentTarget.value)}
                />
                <TextInput
                  label={texts.description}
                  description={texts.descriptionHint}
                  value={description}
                  onChange={({ currentTarget }) => setDescription(currentTarget.value)}
                />
                <ProblemNotice problem={problem} />
                <div>
                  <Button type="submit" loading={isRunning}>
                    {texts.create}
                  </Button>
                </div>
              </Stack>
            </form>
          </Section>
        )}
      </Stack>
    </Page>
  );
}
