import { createContext, use, useMemo, useState, type ReactNode } from "react";
import { endSession } from "./sign-in-requests.ts";

/** A program's token, or a person's session, whose cookie no script can read. */
export type Access = { kind: "TOKEN"; token: string } | { kind: "PERSON"; startedAt: number };

interface Session {
  /** Undefined before a sign-in. */
  access: Access | undefined;
  useToken: (token: string) => void;
  usePerson: () => void;
  signOut: () => void;
}

const TOKEN_KEY = "recoup.token";

/** Says that the browser has a session's cookie, so that a first visit does not begin with a refused request. */
const PERSON_KEY = "recoup.person";

const SessionContext = createContext<Session | undefined>(undefined);

/** Keeps the token in the tab's storage: it ends with the tab, and no other tab or origin reads it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [access, setAccess] = useState(storedAccess);
  const session = useMemo<Session>(
    () => ({
      access,
      useToken: (token) => {
        sessionStorage.setItem(TOKEN_KEY, token);
        setAccess({ kind: "TOKEN", token });
      },
      usePerson: () => {
        sessionStorage.removeItem(TOKEN_KEY);
        localStorage.setItem(PERSON_KEY, "yes");
        setAccess({ kind: "PERSON", startedAt: Date.now() });
      },
      signOut: () => {
        sessionStorage.removeItem(TOKEN_KEY);
        if (access?.kind === "PERSON") {
          localStorage.removeItem(PERSON_KEY);
          void endSession();
        }
        setAccess(undefined);
      },
    }),
    [access],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

function storedAccess(): Access | undefined {
  const token = sessionStorage.getItem(TOKEN_KEY);
  if (token !== null) return { kind: "TOKEN", token };
  return localStorage.getItem(PERSON_KEY) === null ? undefined : { kind: "PERSON", startedAt: Date.now() };
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("There is no session here.");
  return session;
}
