import { useMemo, useState, type ReactNode } from "react";
import { gql, Provider, useQuery } from "urql";
import { createGraphqlClient } from "../graphql/client.ts";
import { toRequestError } from "../graphql/request-error.ts";
import type { SignedInVendorQuery, SignedInVendorQueryVariables } from "../generated/operations.ts";
import { useTexts } from "../language/language.tsx";
import { ErrorNotice } from "../parts/notices.tsx";
import { sessionTexts } from "./session.texts.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { useSession } from "./session.tsx";
import { VendorContext } from "./vendor.tsx";

const VENDOR = gql<SignedInVendorQuery, SignedInVendorQueryVariables>(/* GraphQL */ `
  query SignedInVendor {
    vendor {
      id
      name
      currency
      zoneId
      sandbox
      now
    }
    permittedAreas
  }
`);

/** The vendor's time is requested again when its clock was moved. */
const AFTER_CLOCK_CHANGES = { additionalTypenames: ["AdvanceTestClockPayload"] };

/** Refusals after which another token is needed. */
const DENIALS = new Set(["TOKEN_INVALID", "TOKEN_MISSING", "VENDOR_DISABLED"]);

/** Shows its children once the token or the session is accepted, and the sign-in page until then. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { access } = useSession();
  if (access === undefined) return <SignInPage />;
  const token = access.kind === "TOKEN" ? access.token : undefined;
  return (
    <SignedInClient key={access.kind === "TOKEN" ? token : access.startedAt} token={token}>
      {children}
    </SignedInClient>
  );
}

function SignedInClient({ token, children }: { token: string | undefined; children: ReactNode }) {
  const texts = useTexts(sessionTexts);
  const [hasEnded, setEnded] = useState(false);
  const client = useMemo(
    () => createGraphqlClient(token, ({ code }) => setEnded((ended) => ended || isEndOfSession(token, code))),
    [token],
  );
  // The session can end while a page is open.
  if (hasEnded) return <SignInPage problem={texts.sessionEnded} />;
  return (
    <Provider value={client}>
      <VendorGate>{children}</VendorGate>
    </Provider>
  );
}

/** Whether a person must sign in again: the session ended, or another tab signed out and the cookie is gone. */
const isEndOfSession = (token: string | undefined, code: string | undefined): boolean =>
  token === undefined && (code === "SESSION_ENDED" || code === "TOKEN_MISSING");

function VendorGate({ children }: { children: ReactNode }) {
  const texts = useTexts(sessionTexts);
  const [{ data, error }, retry] = useQuery({ query: VENDOR, context: AFTER_CLOCK_CHANGES });
  const problem = error && toRequestError(error);
  if (problem?.code !== undefined && DENIALS.has(problem.code)) return <SignInPage problem={problem.message} />;
  if (data)
    return <VendorContext value={{ ...data.vendor, permittedAreas: data.permittedAreas }}>{children}</VendorContext>;
  if (error) return <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />;
  return (
    <p className="signing-in" role="status">
      {texts.loading}
    </p>
  );
}
