import ipaddr from "ipaddr.js";
import { parseUrl } from "../kernel/parsed-url.ts";

/** The classes of a destination: public, private (loopback and private networks), or never allowed. */
export type DestinationClass = "PUBLIC" | "PRIVATE" | "FORBIDDEN";

/** What a vendor's endpoints may be. */
export interface DestinationRules {
  /** Whether `http:` is allowed, which nobody can read only on the way to oneself. */
  allowsHttp: boolean;
  /** Whether loopback and private addresses are allowed. */
  allowsPrivate: boolean;
}

/**
 * Addresses at which machines in a cloud find their credentials. Most clouds use link-local 169.254.169.254, which is
 * forbidden with its network; these lie in networks that would be private or public.
 */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  "fd00:ec2::254",
  "fd20:ce::254",
  "100.100.100.200",
  "168.63.129.16",
]);

const PRIVATE_RANGES: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);

/** Global unicast: the only IPv6 addresses that are public. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Ports below this are refused, but for those of http and https: they belong to mail, shells and other services. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/** Classifies an IP address in the notation of a resolver. Anything else is forbidden. */
export function classifyAddress(text: string): DestinationClass {
  if (!ipaddr.isValid(text)) return "FORBIDDEN";
  const address = embeddedAddressOf(ipaddr.process(text));
  if (METADATA_ADDRESSES.has(address.toString())) return "FORBIDDEN";
  const range = address.range();
  if (PRIVATE_RANGES.has(range)) return "PRIVATE";
  if (range !== "unicast") return "FORBIDDEN";
  return address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST) ? "FORBIDDEN" : "PUBLIC";
}

/** The IPv4 address that a gateway of NAT64 or 6to4 would send to, or the address itself. */
function embeddedAddressOf(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === "rfc6052") return new ipaddr.IPv4(bytes.slice(12));
  return range === "6to4" ? new ipaddr.IPv4(bytes.slice(2, 6)) : address;
}

/** Whether the rules allow an address. */
export const isAddressAllowed = (address: string, { allowsPrivate }: DestinationRules): boolean => {
  const destination = classifyAddress(address);
  return destination === "PUBLIC" || (destination === "PRIVATE" && allowsPrivate);
};

/** The IP address that the host of a URL is, in any notation; undefined for a name. */
function addressOfHost({ hostname }: URL): string | undefined {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(host) ? host : undefined;
}

/** Whether a name is one of this machine, without asking a resolver. */
export const isLocalName = (host: string): boolean => /(?:^|[.])localhost[.]?$/.test(host);

/**
 * Says why a text cannot be the URL of an endpoint; undefined if it can. Names are not resolved here: each connection
 * checks the address that it uses.
 */
export function destinationError(text: string, rules: DestinationRules): string | undefined {
  // A URL is parsed without blanks and line breaks, so it would be shown and sent in two notations.
  const url = /[\s\p{Cc}]/u.test(text) ? undefined : parseUrl(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    return "must be an http or https URL without blanks, such as https://shop.example.com/webhooks.";
  if (url.protocol === "http:" && !rules.allowsHttp) return "must be an https URL; only a sandbox can use http.";
  if (url.username !== "" || url.password !== "")
    return "must have no user or password; verify the signature of the webhook instead.";
  if (url.hash !== "") return "must have no fragment: it would not be sent.";
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (port !== 443 && port !== 80 && port < FIRST_UNPRIVILEGED_PORT)
    return "must have the port 80, 443, or one from 1024 on.";
  const address = addressOfHost(url) ?? (isLocalName(url.hostname) ? "127.0.0.1" : undefined);
  if (address === undefined || isAddressAllowed(address, rules)) return undefined;
  return classifyAddress(address) === "PRIVATE"
    ? "must not be a loopback or private address. A sandbox can use one if the operator sets WEBHOOK_ALLOW_PRIVATE=true."
    : "must be a public address; link-local, metadata, multicast and unspecified addresses are never allowed.";
}
