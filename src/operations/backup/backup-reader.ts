import { END_OF_ROWS } from "./backup.format.ts";

const NEWLINE = "\n";
/** The end of rows with the newline before it, which ends the last row or the line of the table. */
const END_AFTER_NEWLINE = NEWLINE + END_OF_ROWS;

/** Reads the lines and the rows of a backup, of which only a chunk at a time is in memory. */
export class BackupReader {
  private rest: Buffer = Buffer.alloc(0);
  private readonly chunks: AsyncIterator<Buffer, unknown>;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** The next line. @throws if there is none. */
  async readLine(): Promise<string> {
    let searched = 0;
    for (;;) {
      const at = this.rest.indexOf(NEWLINE, searched);
      if (at >= 0) return this.take(at + 1).toString("utf8", 0, at);
      searched = this.rest.length;
      await this.readMore();
    }
  }

  /** The rows up to their end. */
  async *readRows(): AsyncGenerator<Buffer> {
    while (this.rest.length < END_OF_ROWS.length) await this.readMore();
    if (this.rest.indexOf(END_OF_ROWS) === 0) return void this.take(END_OF_ROWS.length);
    for (;;) {
      const at = this.rest.indexOf(END_AFTER_NEWLINE);
      if (at >= 0) {
        yield this.take(at + NEWLINE.length);
        return void this.take(END_OF_ROWS.length);
      }
      // A part of the end may have been read.
      const complete = this.rest.length - END_AFTER_NEWLINE.length;
      if (complete > 0) yield this.take(complete);
      await this.readMore();
    }
  }

  /** @throws if anything follows: the checksum of the file is behind it. */
  async readEnd(): Promise<void> {
    const { done } = await this.chunks.next();
    if (done !== true || this.rest.length > 0) throw new Error("something follows its end");
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return taken;
  }

  private async readMore(): Promise<void> {
    const next = await this.chunks.next();
    if (next.done === true) throw new Error("it ends too early");
    this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
  }
}
