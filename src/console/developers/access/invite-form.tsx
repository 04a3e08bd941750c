import { useState } from "react";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useAction } from "../../actions/use-action.ts";
import type { PersonRole } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { ProblemNotice } from "../../parts/notices.tsx";
import { Section } from "../../parts/section.tsx";
import { INVITE } from "./access.query.ts";
import { accessTexts } from "./access.texts.ts";
import { RoleSelect } from "./role-select.tsx";

/** Invites a person by mail. */
export function InviteForm() {
  const texts = useTexts(accessTexts);
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<PersonRole>("SUPPORT");
  const [invited, setInvited] = useState<string>();
  const { isRunning, problem, run } = useAction(INVITE);
  const invite = async () => {
    setInvited(undefined);
    const data = await run({ input: { email: email.trim(), role } });
    if (!data) return;
    setInvited(data.invitePerson.person.email);
    setEmail("");
  };
  return (
    <Section title={texts.invitePerson}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
      >
        <Stack>
          <TextInput
            label={texts.email}
            type="email"
            required
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <RoleSelect role={role} onChange={setRole} />
          <ProblemNotice problem={problem} />
          {invited !== undefined && (
            <Text size="sm" role="status">
              {texts.invited(invited)}
            </Text>
          )}
          <div>
            <Button type="submit" loading={isRunning}>
              {texts.invite}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}
