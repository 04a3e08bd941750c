import { createContext, use, useMemo, useState, type ReactNode } from "react";

interface Session {
  /** The API token that the console sends; undefined before a sign-in. */
  token: string | undefined;
  signIn: (token: string) => void;
  signOut: () => void;
}

const STORAGE_KEY = "recoup.token";

const SessionContext = createContext<Session | undefined>(undefined);

/** Keeps the token in the tab's storage: it ends with the tab, and no other tab or origin reads it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [token, setToken] = useState(() => sessionStorage.getItem(STORAGE_KEY) ?? undefined);
  const session = useMemo(
    () => ({
      token,
      signIn: (entered: string) => {
        sessionStorage.setItem(STORAGE_KEY, entered);
        setToken(entered);
      },
      signOut: () => {
        sessionStorage.removeItem(STORAGE_KEY);
        setToken(undefined);
      },
    }),
    [token],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("There is no session here.");
  return session;
}
