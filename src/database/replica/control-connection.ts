import type postgres from "postgres";
import { firstOf } from "../../kernel/required-values.ts";

/**
 * A connection for questions about a server's state, beside the pool: neither slow statements nor a full pool delay them. Each is
 * answered in time or not at all.
 */
export class ControlConnection {
  private client: postgres.Sql | undefined;

  constructor(
    /** Opens a client with one connection. */
    private readonly connect: () => postgres.Sql,
    private readonly timeoutMs: number,
  ) {}

  /** The first row of a query. @throws an error where the server does not answer in time; what else was under way fails too. */
  async readRow<Row extends object>(query: string): Promise<Row> {
    const client = (this.client ??= this.connect());
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>((_, reject) => {
      const giveUp = () => {
        reject(new Error(`The server did not answer within ${this.timeoutMs} ms.`));
      };
      // After work that kept this process busy for so long, an answer that has arrived is read first.
      timer = setTimeout(() => setImmediate(giveUp), this.timeoutMs);
    });
    try {
      return firstOf(await Promise.race([client.unsafe<Row[]>(query), timedOut]));
    } catch (error) {
      if (this.client === client) this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connection at once; the next query opens another one. */
  close(): void {
    void this.client?.end({ timeout: 0 });
    this.client = undefined;
  }
}
