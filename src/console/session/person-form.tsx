import { useState, type SubmitEvent } from "react";
import { Button, NativeSelect, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { sessionTexts } from "./session.texts.ts";
import { useSession } from "./session.tsx";
import { startSession, type VendorChoice } from "./sign-in-requests.ts";

/** Asks for e-mail address and password, and for the vendor where both open accounts at several. */
export function PersonForm({ onProblem }: { onProblem: (problem: string | undefined) => void }) {
  const texts = useTexts(sessionTexts);
  const { usePerson } = useSession();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [vendors, setVendors] = useState<readonly VendorChoice[]>([]);
  const [vendor, setVendor] = useState<string>();
  /** The typed code; undefined until the gateway needs one. */
  const [code, setCode] = useState<string>();
  const [isSending, setSending] = useState(false);

  const signIn = async () => {
    if (email.trim() === "" || password === "") return onProblem(texts.credentialsMissing);
    setSending(true);
    const answer = await startSession({
      ...{ email: email.trim(), password, vendor },
      code: code === undefined || code.trim() === "" ? undefined : code.trim(),
    });
    setSending(false);
    if (answer.outcome === "SIGNED_IN") return usePerson();
    if (answer.outcome === "REFUSED") return onProblem(answer.problem ?? texts.noAnswer);
    onProblem(undefined);
    if (answer.outcome === "CODE_NEEDED") return setCode(code ?? "");
    setVendors(answer.vendors);
    setVendor(answer.vendors[0]?.uuid);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void signIn();
  };
  /** The choice belongs to the address and password that were sent. */
  const forgetVendors = () => {
    setVendors([]);
    setVendor(undefined);
    setCode(undefined);
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={texts.email}
          type="email"
          value={email}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
            forgetVendors();
          }}
          autoComplete="username"
        />
        <PasswordInput
          label={texts.password}
          value={password}
          onChange={({ currentTarget }) => {
            setPassword(currentTarget.value);
            forgetVendors();
          }}
          autoComplete="current-password"
        />
        {vendors.length > 0 && (
          <NativeSelect
            label={texts.vendor}
            description={texts.vendorHint}
            value={vendor}
            onChange={({ currentTarget }) => setVendor(currentTarget.value)}
            data={vendors.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          />
        )}
        {code !== undefined && (
          <TextInput
            label={texts.code}
            description={texts.codeHint}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            autoComplete="one-time-code"
            autoFocus
          />
        )}
        <Button type="submit" size="md" loading={isSending}>
          {texts.signIn}
        </Button>
      </Stack>
    </form>
  );
}
