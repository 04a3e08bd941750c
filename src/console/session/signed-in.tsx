import { useMemo, type ReactNode } from "react";
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
  }
`);

/** The vendor's time is requested again when its clock was moved. */
const AFTER_CLOCK_CHANGES = { additionalTypenames: ["AdvanceTestClockPayload"] };

/** Refusals after which another token is needed. */
const DENIALS = new Set(["TOKEN_INVALID", "TOKEN_MISSING", "VENDOR_DISABLED"]);

/** Shows its children once the token is accepted, and the sign-in page until then. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { token } = useSession();
  if (token === undefined) return <SignInPage />;
  return (
    <SignedInClient key={token} token={token}>
      {children}
    </SignedInClient>
  );
}

function SignedInClient({ token, children }: { token: string; children: ReactNode }) {
  const client = useMemo(() => createGraphqlClient(token), [token]);
  return (
    <Provider value={client}>
      <VendorGate>{children}</VendorGate>
    </Provider>
  );
}

function VendorGate({ children }: { children: ReactNode }) {
  const texts = useTexts(sessionTexts);
  const [{ data, error }, retry] = useQuery({ query: VENDOR, context: AFTER_CLOCK_CHANGES });
  const problem = error && toRequestError(error);
  if (problem?.code !== undefined && DENIALS.has(problem.code)) return <SignInPage problem={problem.message} />;
  if (data) return <VendorContext value={data.vendor}>{children}</VendorContext>;
  if (error) return <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />;
  return (
    <p className="signing-in" role="status">
      {texts.loading}
    </p>
  );
}
