import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { runMutation } from "../support/cover-mutations.ts";
import { startGateway } from "../support/test-gateway.ts";

/* The page about experiments: its operations are sent in order, and the answers are those of the page. */

const page = readFileSync(projectFile("docs/experiments.md"), "utf8");
const steps = [...page.matchAll(/```graphql\n(.*?)```\n\n```json\n(.*?)```/gs)].map(([, query, answer]) => ({
  query: query!,
  answer: JSON.parse(answer!) as unknown,
}));

test("every operation of the page answers what the page says", async () => {
  expect(steps).toHaveLength(4);
  const gateway = await startGateway({ now: "2026-03-01T09:30:00.000Z" });
  const terms = { plan: { kind: "EVEN", maxRetries: 8, windowInDays: 28 } };
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms });
  for (const { query, answer } of steps) {
    const newest = "{ recoveryExperiments(first: 1) { nodes { id } } }";
    const [experiment] = (await gateway.queryData(newest)).recoveryExperiments.nodes;
    const all = { policyId: String(policy.databaseId), experimentId: experiment?.id };
    const variables = Object.fromEntries(Object.entries(all).filter(([name]) => query.includes(`$${name}`)));
    expect(await gateway.queryRawData(query, variables)).toEqual(answer);
  }
});
