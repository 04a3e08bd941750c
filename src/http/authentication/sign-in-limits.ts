import { createHash } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { overLimit } from "../../kernel/refusals.ts";
import { AddressRateLimit, clientNetworkOf } from "../limits/address-rate-limit.ts";

/** Calls that one client network may make in a minute, for any accounts. */
const MAX_CALLS_PER_MINUTE = 30;

/** Failures for one account from one network: a person who forgot the password. */
const FAILURES_FROM_NETWORK = { points: 10, duration: 15 * 60 };

/** Failures for one account from all networks. Beyond it, the account's owner waits too, so it is ten times as high. */
const FAILURES_OF_ACCOUNT = { points: 100, duration: 60 * 60 };

/** Limits how often passwords are tried, whether or not the account exists. Each gateway process counts for itself. */
export class SignInLimits {
  private readonly calls: AddressRateLimit;
  private readonly fromNetwork = new RateLimiterMemory(FAILURES_FROM_NETWORK);
  private readonly ofAccount = new RateLimiterMemory(FAILURES_OF_ACCOUNT);

  /** `subject` is the subject of the refusal's sentence: "sign-ins". */
  constructor(private readonly subject: string) {
    this.calls = new AddressRateLimit(MAX_CALLS_PER_MINUTE, subject);
  }

  /**
   * Counts an attempt for an account before it is made, so that concurrent ones count, too.
   * @returns a function that takes it back when it succeeded.
   * @throws a Refusal TOO_MANY_REQUESTS.
   */
  async consume(address: string, email: string): Promise<() => Promise<void>> {
    await this.calls.consume(address);
    const account = createHash("sha256").update(email.toLowerCase()).digest("base64");
    const both = `${account} ${clientNetworkOf(address)}`;
    try {
      await this.fromNetwork.consume(both);
      await this.ofAccount.consume(account);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const seconds = Math.max(1, Math.ceil(limit.msBeforeNext / 1000));
      throw overLimit(
        "TOO_MANY_REQUESTS",
        `Too many ${this.subject} were made for this e-mail address; wait ${seconds} seconds.`,
        seconds,
      );
    }
    return async () => {
      await this.fromNetwork.delete(both);
      await this.ofAccount.reward(account);
    };
  }
}
