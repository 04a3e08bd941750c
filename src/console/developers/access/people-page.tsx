import { Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { ListResult } from "../../parts/list-result.tsx";
import { Page } from "../../parts/page.tsx";
import { useSlice } from "../../parts/paging.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { Permitted } from "../../session/permitted.tsx";
import { PEOPLE } from "./access.query.ts";
import { accessTexts, PERSON_TONES } from "./access.texts.ts";
import { InviteForm } from "./invite-form.tsx";
import { PersonActions } from "./person-actions.tsx";

/** An empty list gets its first person. */
const AFTER_INVITATIONS = { additionalTypenames: ["Person"] };

/** The people who use the console for the vendor, with a form that invites another one. */
export default function PeoplePage() {
  const texts = useTexts(accessTexts);
  const { time } = useFormats();
  const [result, retry] = useQuery({ query: PEOPLE, variables: useSlice(), context: AFTER_INVITATIONS });
  return (
    <Page title={texts.people}>
      <Stack gap="lg">
        <div>
          <TextLink to="/developers">{texts.back}</TextLink>
        </div>
        <ListResult
          label={texts.people}
          empty={texts.noPeople}
          result={result}
          connection={result.data?.people}
          onRetry={() => retry({ requestPolicy: "network-only" })}
          columns={[
            {
              title: texts.email,
              cell: ({ email, role }) => (
                <>
                  {email}
                  <Text size="xs" c="dimmed">
                    {texts.roles[role]}
                  </Text>
                </>
              ),
            },
            {
              title: texts.state,
              cell: ({ state }) => <StateBadge tone={PERSON_TONES[state]}>{texts.personStates[state]}</StateBadge>,
            },
            {
              title: texts.invitation,
              isWideOnly: true,
              cell: ({ invitationExpiresAt: until }) => (until === null ? "–" : texts.validUntil(time(until))),
            },
            { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => time(createdAt) },
            {
              title: texts.action,
              cell: (person) => (
                <Permitted area="ADMIN">
                  <PersonActions person={person} />
                </Permitted>
              ),
            },
          ]}
        />
        <Permitted area="ADMIN">
          <InviteForm />
        </Permitted>
      </Stack>
    </Page>
  );
}
