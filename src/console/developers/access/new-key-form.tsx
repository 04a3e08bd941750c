import { useState } from "react";
import { Button, Checkbox, Fieldset, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useAction } from "../../actions/use-action.ts";
import type { KeyScope } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { ProblemNotice } from "../../parts/notices.tsx";
import { Section } from "../../parts/section.tsx";
import { CREATE_KEY } from "./access.query.ts";
import { accessTexts } from "./access.texts.ts";

const SCOPES: readonly KeyScope[] = ["READ", "WRITE", "RECOVERY", "ADMIN", "SESSIONS"];
const LIFETIMES = ["30", "90", "365", ""] as const;

/** Creates a key with scopes and a lifetime. */
export function NewKeyForm({ onToken }: { onToken: (token: string) => void }) {
  const texts = useTexts(accessTexts);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly KeyScope[]>(["READ"]);
  const [lifetime, setLifetime] = useState("90");
  const { isRunning, problem, run } = useAction(CREATE_KEY);
  const create = async () => {
    const lifetimeDays = lifetime === "" ? undefined : Number(lifetime);
    const data = await run({ input: { name: name.trim(), scopes: [...scopes], lifetimeDays } });
    if (!data) return;
    setName("");
    onToken(data.createApiKey.token);
    window.scrollTo({ top: 0 });
  };
  return (
    <Section title={texts.newKey}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            required
            maxLength={255}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Fieldset legend={texts.scopesLabel}>
            <Stack gap="xs">
              {SCOPES.map((scope) => (
                <Checkbox
                  key={scope}
                  label={texts.scopes[scope]}
                  description={texts.scopeHints[scope]}
                  checked={scopes.includes(scope)}
                  onChange={({ currentTarget }) =>
                    setScopes(SCOPES.filter((one) => (one === scope ? currentTarget.checked : scopes.includes(one))))
                  }
                />
              ))}
            </Stack>
          </Fieldset>
          <NativeSelect
            label={texts.lifetime}
            value={lifetime}
            onChange={({ currentTarget }) => setLifetime(currentTarget.value)}
            data={LIFETIMES.map((value) => ({ value, label: texts.lifetimes[value] }))}
          />
          <ProblemNotice problem={problem} />
          <div>
            <Button type="submit" loading={isRunning} disabled={scopes.length === 0}>
              {texts.createKey}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}
