/** A vendor to choose where one address and password open accounts at several. */
export interface VendorChoice {
  uuid: string;
  name: string;
}

/** The answer to a sign-in; the problem is the gateway's own sentence, undefined if it did not answer. */
export type SignInAnswer =
  | { outcome: "SIGNED_IN" }
  | { outcome: "VENDOR_NEEDED"; vendors: readonly VendorChoice[] }
  | { outcome: "CODE_NEEDED" }
  | { outcome: "REFUSED"; problem: string | undefined };

/** Posts JSON to a route of the session. */
export const sendJson = (path: string, body: object): Promise<Response> =>
  fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** Signs a person in. The browser gets the session as a cookie that scripts cannot read. */
export async function startSession(credentials: {
  email: string;
  password: string;
  vendor: string | undefined;
  code: string | undefined;
}): Promise<SignInAnswer> {
  const response = await sendJson("/console/sign-in", credentials).catch(() => undefined);
  const body: unknown = await response?.json().catch(() => undefined);
  if (!response?.ok) return { outcome: "REFUSED", problem: textAt(body, "errorMessage") };
  if (typeof body === "object" && body !== null && "codeNeeded" in body) return { outcome: "CODE_NEEDED" };
  const vendors = vendorsIn(body);
  return vendors.length > 0 ? { outcome: "VENDOR_NEEDED", vendors } : { outcome: "SIGNED_IN" };
}

/** Ends the session. Without an answer the cookie stays until the session's idle limit. */
export async function endSession(): Promise<void> {
  await sendJson("/console/sign-out", {}).catch(() => undefined);
}

/** The answer to a request about a password; the problem is undefined if the gateway did not answer. */
export interface PasswordAnswer {
  isAccepted: boolean;
  problem: string | undefined;
}

/** Requests a mail with a link to set a new password. It is accepted for unknown addresses, too. */
export const requestPasswordLink = (email: string): Promise<PasswordAnswer> =>
  sendPasswordRequest("/console/password-link", { email });

/** Sets the password of the person who got a link. */
export const setPassword = (token: string, password: string): Promise<PasswordAnswer> =>
  sendPasswordRequest("/console/password", { token, password });

async function sendPasswordRequest(path: string, input: object): Promise<PasswordAnswer> {
  const response = await sendJson(path, input).catch(() => undefined);
  const body: unknown = await response?.json().catch(() => undefined);
  return { isAccepted: response?.ok ?? false, problem: textAt(body, "errorMessage") };
}

/** The text under a name of an answer; undefined if there is none. */
export function textAt(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : undefined;
}

function vendorsIn(body: unknown): VendorChoice[] {
  if (typeof body !== "object" || body === null || !("vendors" in body) || !Array.isArray(body.vendors)) return [];
  return body.vendors.map((vendor: unknown) => ({
    uuid: textAt(vendor, "uuid") ?? "",
    name: textAt(vendor, "name") ?? "",
  }));
}
