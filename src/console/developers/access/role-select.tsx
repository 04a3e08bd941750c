import { NativeSelect } from "@mantine/core";
import type { PersonRole } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { oneOf } from "../../parts/filters.tsx";
import { accessTexts } from "./access.texts.ts";

const ROLES: readonly PersonRole[] = ["OWNER", "FINANCE", "SUPPORT", "READ_ONLY"];

/** Chooses a role, and says what it permits. */
export function RoleSelect({ role, onChange }: { role: PersonRole; onChange: (role: PersonRole) => void }) {
  const texts = useTexts(accessTexts);
  return (
    <NativeSelect
      label={texts.role}
      description={texts.roleHints[role]}
      value={role}
      onChange={({ currentTarget }) => onChange(oneOf(ROLES, currentTarget.value) ?? role)}
      data={ROLES.map((value) => ({ value, label: texts.roles[value] }))}
    />
  );
}
