import type postgres from "postgres";
import { withDriverFixes } from "./driver.ts";
import { StatementNames, type NameLimits } from "./statement-names.ts";

/** A client of the driver, with the statements that its connections prepare by name. */
interface ClientGeneration {
  client: postgres.Sql;
  /** The client without the driver's problems. */
  fixed: postgres.Sql;
  names: StatementNames | null;
  openedAt: number;
}

/**
 * A client whose connections prepare a limited number of statements by name. The driver has no way to release one. If other
 * statements become frequent, the connections are therefore replaced, each when its work is done.
 */
export class RenewedClient {
  /** Always the current client. */
  readonly sql: postgres.Sql;
  private current: ClientGeneration;
  private readonly closing = new Set<Promise<void>>();

  constructor(
    private readonly connect: () => postgres.Sql,
    /** null behind a pooler, where no statement can be prepared by name. */
    private readonly limits: NameLimits | null,
  ) {
    this.current = this.openGeneration();
    this.sql = new Proxy(this.current.fixed, {
      get: (_first, key) => {
        if (key === "unsafe" || key === "begin") this.renewIfWorn();
        return Reflect.get(this.current.fixed, key) as unknown;
      },
    });
  }

  async end(timeoutSeconds: number): Promise<void> {
    await Promise.all([this.current.client.end({ timeout: timeoutSeconds }), ...this.closing]);
  }

  /** Closes all connections at once, which fails what is under way; the next statement opens others. */
  abandonConnections(): void {
    const { client } = this.current;
    this.replaceClient();
    void client.end({ timeout: 0 });
  }

  private openGeneration(): ClientGeneration {
    const client = this.connect();
    const names = this.limits && new StatementNames(this.limits);
    const fixed = withDriverFixes(client, (text) => names?.isNamed(text) ?? false);
    return { client, fixed, names, openedAt: performance.now() };
  }

  private renewIfWorn(): void {
    const { client, names, openedAt } = this.current;
    if (!this.limits || !names || names.rejections < this.limits.renewAfterRejections) return;
    if (performance.now() - openedAt < this.limits.renewAfterMs) return;
    this.replaceClient();
    const closed = this.closeWhenDone(client);
    this.closing.add(closed);
    void closed.finally(() => this.closing.delete(closed));
  }

  private replaceClient(): void {
    const { options } = this.current.client;
    this.current = this.openGeneration();
    // Drizzle sets the formats of values at the first client.
    Object.assign(this.current.client.options.parsers, options.parsers);
    Object.assign(this.current.client.options.serializers, options.serializers);
  }

  /** Closes a client when its work is done. It refuses new statements at once: those of this turn must have reached it. */
  private async closeWhenDone(client: postgres.Sql): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await client.end();
  }
}
