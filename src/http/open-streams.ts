import type { ApiKeyRepository } from "../vendors/keys/api-key.repository.ts";
import { overLimit, type Refusal } from "../kernel/refusals.ts";
import { tokenInvalid, vendorDisabled } from "./authentication/secret-token.ts";

/** The limits of open streams in one process. */
export interface StreamLimits {
  perKey: number;
  perVendor: number;
  perProcess: number;
  /** The interval at which the keys of open streams are checked, in milliseconds. */
  checkIntervalMs: number;
  /** A stream whose reader takes nothing for this time is closed, in milliseconds. */
  maxStallMs: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  perKey: 20,
  perVendor: 100,
  perProcess: 2_000,
  checkIntervalMs: 2_000,
  maxStallMs: 60_000,
};

const RETRY_AFTER_SECONDS = 10;

/** The time that a stream has to send its last message. */
const LAST_MESSAGE_MS = 2_000;

/** Ends a stream without its completion: the client connects again, after so many milliseconds. */
export class StreamInterruption extends Error {
  override readonly name = "StreamInterruption";
  constructor(readonly retryMs: number) {
    super("the stream was interrupted");
  }
}

/** The key that a stream was opened with. */
interface StreamOwner {
  vendorId: number;
  keyId: number;
  /** Closes the connection at once. */
  disconnect: () => void;
}

/** One open stream. */
export class OpenStream {
  private readonly ending = new AbortController();
  private stalledSince: number | undefined;
  private resumeReading: (() => void) | undefined;

  constructor(readonly owner: StreamOwner) {}

  /** Aborts when the stream ends. Its reason is a Refusal, a StreamInterruption, or undefined if the caller disconnected. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** The reason why the stream ends; undefined if it does not, or if the caller disconnected. */
  get endReason(): Refusal | StreamInterruption | undefined {
    return this.ending.signal.aborted ? (this.ending.signal.reason as Refusal | StreamInterruption) : undefined;
  }

  end(reason?: Refusal | StreamInterruption): void {
    if (this.ending.signal.aborted) return;
    this.ending.abort(reason ?? null);
    this.markTaken();
    if (reason) setTimeout(() => this.owner.disconnect(), LAST_MESSAGE_MS).unref();
  }

  /** Waits until the connection has taken the last message, so that at most one message of a stream is in memory. */
  async waitUntilTaken(): Promise<void> {
    if (this.signal.aborted) return;
    this.stalledSince = performance.now();
    await new Promise<void>((resolve) => (this.resumeReading = resolve));
  }

  markTaken(): void {
    this.stalledSince = undefined;
    this.resumeReading?.();
  }

  /** True if the reader has taken nothing for so long. */
  isStalledFor(milliseconds: number): boolean {
    return this.stalledSince !== undefined && performance.now() - this.stalledSince > milliseconds;
  }
}

/** The dependencies of the registry. */
interface OpenStreamsOptions {
  keys: ApiKeyRepository;
  limits: StreamLimits;
  onFault: (error: unknown) => void;
}

/**
 * The open streams of a process: limits their number, and ends those whose key was revoked, whose vendor was disabled or
 * whose reader takes nothing. One statement checks the keys of all streams.
 */
export class OpenStreams {
  private readonly streams = new Set<OpenStream>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(private readonly options: OpenStreamsOptions) {}

  /** Registers a stream. @throws a Refusal TOO_MANY_STREAMS, also if the process is about to stop. */
  add(owner: StreamOwner): OpenStream {
    this.requireRoom(owner);
    const stream = new OpenStream(owner);
    this.streams.add(stream);
    stream.signal.addEventListener("abort", () => this.remove(stream));
    this.timer ??= setInterval(() => void this.checkStreams(), this.options.limits.checkIntervalMs).unref();
    return stream;
  }

  /** Ends all streams; their clients connect again, to another process or after the restart. */
  stop(): void {
    this.isStopping = true;
    for (const stream of this.streams) stream.end(new StreamInterruption(1_000));
  }

  private remove(stream: OpenStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private requireRoom({ vendorId, keyId }: StreamOwner): void {
    const { perKey, perVendor, perProcess } = this.options.limits;
    const refuse = (sentence: string) =>
      overLimit(
        "TOO_MANY_STREAMS",
        `${sentence} Close one, or wait ${RETRY_AFTER_SECONDS} seconds.`,
        RETRY_AFTER_SECONDS,
      );
    const owners = [...this.streams].map(({ owner }) => owner).filter((owner) => owner.vendorId === vendorId);
    if (owners.filter((owner) => owner.keyId === keyId).length >= perKey)
      throw refuse(`The key has ${perKey} open streams, which is the limit.`);
    if (owners.length >= perVendor) throw refuse(`The vendor has ${perVendor} open streams, which is the limit.`);
    if (this.isStopping || this.streams.size >= perProcess) throw refuse("The process has no room for another stream.");
  }

  private async checkStreams(): Promise<void> {
    for (const stream of this.streams) {
      if (!stream.isStalledFor(this.options.limits.maxStallMs)) continue;
      stream.end();
      stream.owner.disconnect();
    }
    const owners = new Map([...this.streams].map(({ owner }) => [owner.keyId, owner]));
    try {
      const valid = await this.options.keys.statusesOf([...owners.values()]);
      const enabled = new Map(valid.map(({ keyId, isVendorEnabled }) => [keyId, isVendorEnabled]));
      for (const stream of this.streams) {
        const { keyId } = stream.owner;
        // A stream that was opened meanwhile is checked the next time.
        if (owners.has(keyId) && enabled.get(keyId) !== true)
          stream.end(enabled.has(keyId) ? vendorDisabled() : tokenInvalid());
      }
    } catch (error) {
      // Without the database there are no events either. The next check finds the key.
      this.options.onFault(error);
    }
  }
}
