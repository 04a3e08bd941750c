import { createContext, use, useMemo, useState, type ReactNode } from "react";
import { endSession } from "./sign-in-requests.ts";
import { PERSON_KEY, readStoredAccess, TOKEN_KEY, type Access } from "./stored-access.ts";

interface Session {
  /** Undefined before a sign-in. */
  access: Access | undefined;
  useToken: (token: string) => void;
  usePerson: () => void;
  signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Keeps the access of the tab. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [access, setAccess] = useState(readStoredAccess);
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

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("There is no session here.");
  return session;
}
