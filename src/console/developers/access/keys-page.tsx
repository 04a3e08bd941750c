import { useState } from "react";
import { Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import type { ApiKeysQuery } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { ListResult } from "../../parts/list-result.tsx";
import { Page } from "../../parts/page.tsx";
import { useSlice } from "../../parts/paging.tsx";
import { SecretNotice } from "../../parts/secret-notice.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { Permitted } from "../../session/permitted.tsx";
import { API_KEYS } from "./access.query.ts";
import { accessTexts, KEY_TONES, type KeyState } from "./access.texts.ts";
import { KeyActions } from "./key-actions.tsx";
import { NewKeyForm } from "./new-key-form.tsx";

type ApiKey = ApiKeysQuery["apiKeys"]["nodes"][number];

/** Keys expire by the real time, also those of a sandbox. */
function stateOf({ revokedAt, expiresAt, rotatedAt }: ApiKey): KeyState {
  if (revokedAt !== null) return "REVOKED";
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return "EXPIRED";
  return rotatedAt === null ? "ACTIVE" : "REPLACED";
}

/** An empty list gets its first key, and a rotated key its successor. */
const AFTER_CREATIONS = { additionalTypenames: ["ApiKey"] };

/** The vendor's keys, with a form for a new one. A token is shown once, above them. */
export default function KeysPage() {
  const texts = useTexts(accessTexts);
  const { time } = useFormats();
  const [token, setToken] = useState<string>();
  const [result, retry] = useQuery({ query: API_KEYS, variables: useSlice(), context: AFTER_CREATIONS });
  return (
    <Page title={texts.keys}>
      <Stack gap="lg">
        <div>
          <TextLink to="/developers">{texts.back}</TextLink>
        </div>
        {token !== undefined && <SecretNotice key={token} secret={token} texts={texts} />}
        <ListResult
          label={texts.keys}
          empty={texts.noKeys}
          result={result}
          connection={result.data?.apiKeys}
          onRetry={() => retry({ requestPolicy: "network-only" })}
          columns={[
            {
              title: texts.name,
              cell: ({ name, scopes }) => (
                <>
                  {name}
                  <Text size="xs" c="dimmed">
                    {scopes.map((scope) => texts.scopes[scope]).join(", ")}
                  </Text>
                </>
              ),
            },
            { title: texts.ending, isWideOnly: true, cell: ({ ending }) => `…${ending}` },
            {
              title: texts.state,
              cell: (key) => <StateBadge tone={KEY_TONES[stateOf(key)]}>{texts.keyStates[stateOf(key)]}</StateBadge>,
            },
            {
              title: texts.lastUsed,
              isWideOnly: true,
              isDate: true,
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : time(lastUsedAt)),
            },
            {
              title: texts.expires,
              isWideOnly: true,
              isDate: true,
              cell: ({ expiresAt }) => (expiresAt === null ? texts.never : time(expiresAt)),
            },
            { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => time(createdAt) },
            {
              title: texts.action,
              cell: (key) => (
                <Permitted area="ADMIN">
                  <KeyActions apiKey={key} state={stateOf(key)} onToken={setToken} />
                </Permitted>
              ),
            },
          ]}
        />
        <Permitted area="ADMIN">
          <NewKeyForm onToken={setToken} />
        </Permitted>
      </Stack>
    </Page>
  );
}
