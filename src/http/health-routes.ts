import type { FastifyInstance } from "fastify";

/** `/livez`: the process runs. `/readyz`: it can do its work, so a balancer may send some. */
export function addHealthRoutes(server: FastifyInstance, isReady: () => Promise<boolean>): void {
  server.get("/livez", { config: { open: true } }, async () => ({ status: "alive" }));
  server.get("/readyz", { config: { open: true } }, async (_request, reply) => {
    if (await isReady()) return { status: "ready" };
    return reply.code(503).header("retry-after", "1").send({ status: "not ready" });
  });
}
