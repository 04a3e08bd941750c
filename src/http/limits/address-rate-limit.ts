import { isIPv6 } from "node:net";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { overLimit } from "../../kernel/refusals.ts";

const WINDOW_SECONDS = 60;

/** Counts the requests from one client address per minute, in this process. */
export class AddressRateLimit {
  private readonly limiter: RateLimiterMemory;

  /** `what` is the subject of the refusal's sentence: "wrong tokens". */
  constructor(
    points: number,
    private readonly subject: string,
  ) {
    this.limiter = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  }

  /** Counts one. @throws a Refusal TOO_MANY_REQUESTS beyond the limit. */
  async consume(address: string): Promise<void> {
    try {
      await this.limiter.consume(clientNetworkOf(address));
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const seconds = Math.max(1, Math.ceil(limit.msBeforeNext / 1000));
      throw overLimit(
        "TOO_MANY_REQUESTS",
        `Too many ${this.subject} came from this address; wait ${seconds} seconds.`,
        seconds,
      );
    }
  }
}

/** The client of an address: an IPv4 address, or the first 64 bits of an IPv6 address, which one client can have to itself. */
export function clientNetworkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill("0"), ...(tail ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(":");
}
