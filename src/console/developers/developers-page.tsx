import { Anchor, Stack } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { Page } from "../parts/page.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Section } from "../parts/section.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { useVendor } from "../session/vendor.tsx";
import { developersTexts } from "./developers.texts.ts";
import { TestClock } from "./test-clock.tsx";
import { WebhookEndpoints } from "./webhooks/webhook-endpoints.tsx";

/** Pages of the console, and pages that the gateway serves beside it. */
const PAGES = [
  ["keys", "/developers/keys", true],
  ["people", "/developers/people", true],
  ["deliveries", "/developers/deliveries", true],
  ["events", "/developers/events", true],
  ["outbox", "/developers/outbox", true],
  ["docs", "/docs", true],
  ["explorer", "/graphql", false],
  ["openApi", "/openapi.json", false],
  ["errors", "/docs/errors", false],
] as const;

/** What an integration's developer looks for. */
export default function DevelopersPage() {
  const texts = useTexts(developersTexts);
  const { sandbox } = useVendor();
  return (
    <Page title={texts.title}>
      <Stack gap="lg">
        <Section title={texts.explore}>
          <RecordTable
            label={texts.explore}
            rows={PAGES}
            keyOf={([page]) => page}
            columns={[
              {
                title: texts.page,
                cell: ([page, path, isOurs]) =>
                  isOurs ? (
                    <TextLink to={path}>{texts.links[page]}</TextLink>
                  ) : (
                    <Anchor href={path} underline="always" inherit>
                      {texts.links[page]}
                    </Anchor>
                  ),
              },
              { title: texts.content, cell: ([page]) => texts.linkHints[page] },
            ]}
          />
        </Section>
        <WebhookEndpoints />
        {sandbox && <TestClock />}
      </Stack>
    </Page>
  );
}
