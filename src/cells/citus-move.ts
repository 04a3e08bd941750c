import postgres from "postgres";
import { OperationError } from "../operations/operation-error.ts";

/** Where a schema was moved, and how long that took. */
export interface NodeMove {
  node: string;
  milliseconds: number;
}

/**
 * Lets Citus move a schema to another of its nodes: it copies the rows by logical replication while they are read and written, and locks
 * them for the last moment only. @throws an OperationError if the cluster has no such node.
 */
export async function moveToNode(url: string, schema: string, node: string): Promise<NodeMove> {
  const session = postgres(url, { max: 1, prepare: false, fetch_types: false, onnotice: () => undefined });
  try {
    const nodes = await session<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node where isactive and shouldhaveshards`;
    const target = nodes.find(({ host, port }) => `${host}:${port}` === node);
    if (!target)
      throw new OperationError(
        "CELL_NOT_OPEN",
        `The cluster has no such node. Its nodes are ${nodes.map(({ host, port }) => `${host}:${port}`).join(", ")}.`,
      );
    const startedAt = performance.now();
    await session.unsafe("set statement_timeout = 0");
    await session`select citus_schema_move(${schema}::regnamespace, ${target.host}::text, ${target.port}::integer)`;
    return { node, milliseconds: Math.round(performance.now() - startedAt) };
  } finally {
    await session.end({ timeout: 5 });
  }
}
