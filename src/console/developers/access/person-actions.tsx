import { useState } from "react";
import { Button, Group } from "@mantine/core";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { useAction } from "../../actions/use-action.ts";
import type { PeopleQuery } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { CHANGE_ROLE, REMOVE_PERSON, RESEND, RESET_FACTOR } from "./access.query.ts";
import { accessTexts } from "./access.texts.ts";
import { RoleSelect } from "./role-select.tsx";

interface PersonProps {
  person: PeopleQuery["people"]["nodes"][number];
}

type ActionName = "resend" | "changeRole" | "resetFactor" | "remove";

/** Buttons to invite a person again, to change the role and to remove the person; each says first what it does. */
export function PersonActions({ person }: PersonProps) {
  const texts = useTexts(accessTexts);
  const [open, setOpen] = useState<ActionName>();
  const titles = {
    resend: texts.resendOf(person.email),
    changeRole: texts.changeRoleOf(person.email),
    resetFactor: texts.resetFactorOf(person.email),
    remove: texts.removeOf(person.email),
  };
  const names: readonly ActionName[] = [
    ...(person.state === "INVITED" ? (["resend"] as const) : []),
    "changeRole",
    ...(person.hasSecondFactor ? (["resetFactor"] as const) : []),
    "remove",
  ];
  return (
    <Group gap="xs">
      {names.map((name) => (
        <Button key={name} size="xs" variant="default" aria-label={titles[name]} onClick={() => setOpen(name)}>
          {texts[name]}
        </Button>
      ))}
      {open && (
        <PersonDialog key={open} name={open} title={titles[open]} person={person} onClose={() => setOpen(undefined)} />
      )}
    </Group>
  );
}

function PersonDialog({
  name,
  title,
  person,
  onClose,
}: PersonProps & { name: ActionName; title: string; onClose: () => void }) {
  const texts = useTexts(accessTexts);
  const [role, setRole] = useState(person.role);
  const resend = useAction(RESEND);
  const changeRole = useAction(CHANGE_ROLE);
  const resetFactor = useAction(RESET_FACTOR);
  const remove = useAction(REMOVE_PERSON);
  const input = { personId: person.id };
  const dialogs = {
    resend: { action: resend, consequences: [texts.resendRule], run: () => resend.run({ input }) },
    changeRole: {
      action: changeRole,
      consequences: [texts.roleRule],
      run: () => changeRole.run({ input: { ...input, role } }),
    },
    resetFactor: {
      action: resetFactor,
      consequences: [texts.resetFactorRule],
      run: () => resetFactor.run({ input }),
    },
    remove: {
      action: remove,
      consequences: [person.state === "INVITED" ? texts.withdrawRule : texts.removeRule],
      run: () => remove.run({ input }),
    },
  };
  const { action, consequences, run } = dialogs[name];
  const confirm = async () => {
    if (await run()) onClose();
  };
  return (
    <ActionDialog
      title={title}
      confirm={texts[name]}
      consequences={consequences}
      isComplete={name !== "changeRole" || role !== person.role}
      isRunning={action.isRunning}
      problem={action.problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {name === "changeRole" && <RoleSelect role={role} onChange={setRole} />}
    </ActionDialog>
  );
}
