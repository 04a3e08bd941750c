import type { FastifyInstance } from "fastify";

/** Whether each cell answers, by its name. One that is down makes the process no less ready for the others. */
export type CellStates = Readonly<Record<string, "ready" | "down">>;

/** `/livez`: the process runs. `/readyz`: it can do its work, so a balancer may send some. */
export function addHealthRoutes(
  server: FastifyInstance,
  isReady: () => Promise<boolean>,
  cellStates?: () => Promise<CellStates>,
): void {
  server.get("/livez", { config: { open: true } }, async () => ({ status: "alive" }));
  server.get("/readyz", { config: { open: true } }, async (_request, reply) => {
    if (!(await isReady())) return reply.code(503).header("retry-after", "1").send({ status: "not ready" });
    const cells = (await cellStates?.()) ?? {};
    return { status: "ready", ...(Object.keys(cells).length > 0 && { cells }) };
  });
}
