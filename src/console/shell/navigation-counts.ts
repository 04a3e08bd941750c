import { useEffect, useRef } from "react";
import { gql, useQuery } from "urql";
import { useLocation } from "wouter";
import type { NavigationCountsQuery, NavigationCountsQueryVariables } from "../generated/operations.ts";

const COUNTS = gql<NavigationCountsQuery, NavigationCountsQueryVariables>(/* GraphQL */ `
  query NavigationCounts {
    recoveries: covers(first: 1, filter: { states: [IN_PROGRESS] }) {
      totalCount
    }
    unpaid: subscriptions(first: 1, filter: { status: UNPAID }) {
      totalCount
    }
  }
`);

/** Changes of these records can change a count. */
const AFTER_CHANGES = { additionalTypenames: ["Cover", "Subscription", "AdvanceTestClockPayload"] };

/** Counts may be this old when another page is opened. */
const MAX_AGE_MILLISECONDS = 60_000;

/**
 * Recoveries in progress and subscriptions whose renewal failed; undefined until they are known. They are requested once,
 * after changes made here, and with another page at most once a minute: an open tab does not poll.
 */
export function useNavigationCounts(): { recoveries: number; unpaid: number } | undefined {
  const [{ data }, request] = useQuery({ query: COUNTS, context: AFTER_CHANGES, requestPolicy: "cache-first" });
  const [location] = useLocation();
  const requestedAt = useRef(Date.now());
  useEffect(() => {
    if (Date.now() - requestedAt.current < MAX_AGE_MILLISECONDS) return;
    requestedAt.current = Date.now();
    request({ requestPolicy: "network-only" });
  }, [location, request]);
  return data && { recoveries: data.recoveries.totalCount, unpaid: data.unpaid.totalCount };
}
