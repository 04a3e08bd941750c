/** A program's token, or a person's session, whose cookie no script can read. */
export type Access = { kind: "TOKEN"; token: string } | { kind: "PERSON"; startedAt: number };

/** In the tab's storage: it ends with the tab, and no other tab or origin reads it. */
export const TOKEN_KEY = "recoup.token";

/** Says that the browser has a session's cookie, so that a first visit does not begin with a refused request. */
export const PERSON_KEY = "recoup.person";

/** The access that this tab or browser had before. */
export function readStoredAccess(): Access | undefined {
  const token = sessionStorage.getItem(TOKEN_KEY);
  if (token !== null) return { kind: "TOKEN", token };
  return localStorage.getItem(PERSON_KEY) === null ? undefined : { kind: "PERSON", startedAt: Date.now() };
}
