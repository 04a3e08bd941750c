import { lookup, Resolver } from "node:dns/promises";
import { isLocalName, type DestinationRules } from "./webhook.destination.ts";

/** An address of a host. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** A host name that has no address, or that nobody could resolve. Its message is for the merchant. */
export class HostNotResolved extends Error {}

const LOOPBACK: HostAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** Each server is asked twice, so that a name takes some seconds at most. */
const QUERY = { timeout: 2_000, tries: 2 };

/** The codes for names that exist nowhere, and for machines without a name server. */
const UNKNOWN_CODES: ReadonlySet<string | undefined> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/**
 * Resolves a host name by name servers, without the system's resolver: that one occupies one of the few threads that the
 * whole process shares until a name server answers, so that slow names of one vendor would hold up everybody. Only where
 * private addresses are allowed, an unknown name is looked up by the system too, which also reads the file of hosts.
 * @throws HostNotResolved.
 */
export async function resolveHost(host: string, { allowsPrivate }: DestinationRules): Promise<HostAddress[]> {
  if (isLocalName(host)) return LOOPBACK;
  const resolver = new Resolver(QUERY);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [...toAddresses(v4, 4), ...toAddresses(v6, 6)];
  if (found.length > 0) return found;
  const isUnknown = [v4, v6].every(
    (result) => result.status === "rejected" && UNKNOWN_CODES.has((result.reason as NodeJS.ErrnoException).code),
  );
  if (!isUnknown) throw new HostNotResolved("The host name could not be resolved.");
  const local = allowsPrivate ? await lookup(host, { all: true }).catch(() => []) : [];
  if (local.length === 0) throw new HostNotResolved("The host name has no address.");
  return local.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

const toAddresses = (result: PromiseSettledResult<string[]>, family: 4 | 6): HostAddress[] =>
  result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
