import { sendJson, textAt } from "../session/sign-in-requests.ts";

/** An answer of the gateway; the problem is its own sentence, undefined if it did not answer. */
export type FactorAnswer<Answer> =
  { isAccepted: true; answer: Answer } | { isAccepted: false; problem: string | undefined };

export interface FactorState {
  isOn: boolean;
  recoveryCodesLeft: number;
}

export interface OfferedSecret {
  secret: string;
  uri: string;
}

async function send<Answer>(
  path: string,
  input: object,
  read: (body: object) => Answer,
): Promise<FactorAnswer<Answer>> {
  const response = await sendJson(`/console/second-factor${path}`, input).catch(() => undefined);
  const body: unknown = await response?.json().catch(() => undefined);
  if (!response?.ok || typeof body !== "object" || body === null)
    return { isAccepted: false, problem: textAt(body, "errorMessage") };
  return { isAccepted: true, answer: read(body) };
}

const readState = (body: object): FactorState => ({
  isOn: "isOn" in body && body.isOn === true,
  recoveryCodesLeft: "recoveryCodesLeft" in body ? Number(body.recoveryCodesLeft) : 0,
});

/** Requests whether the second factor of the signed-in person is on. */
export const requestState = () => send("", {}, readState);

/** Requests a secret for an authenticator app. It counts after a code of it. */
export const startFactor = (password: string) =>
  send("/start", { password }, (body): OfferedSecret => ({
    secret: textAt(body, "secret") ?? "",
    uri: textAt(body, "uri") ?? "",
  }));

/** Switches the factor on. The answer has the recovery codes. */
export const confirmFactor = (code: string) =>
  send("/confirm", { code }, (body) =>
    "recoveryCodes" in body && Array.isArray(body.recoveryCodes) ? body.recoveryCodes.map(String) : [],
  );

/** Switches the factor off with a code. */
export const removeFactor = (code: string) => send("/remove", { code }, readState);
