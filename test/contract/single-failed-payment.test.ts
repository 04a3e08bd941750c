import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { createCoverFixture } from "../support/cover-mutations.ts";
import { startGateway } from "../support/test-gateway.ts";

/* The page that follows one failed payment: its operations are sent in order, and the answers are those of the page. */

const page = readFileSync(projectFile("docs/one-failed-payment.md"), "utf8");
const steps = [...page.matchAll(/```graphql\n(.*?)```\n\n```json\n(.*?)```/gs)].map(([, query, answer]) => ({
  query: query!,
  answer: JSON.parse(answer!) as unknown,
}));

test("every operation of the page answers what the page says", async () => {
  expect(steps).toHaveLength([...page.matchAll(/^```graphql$/gm)].length);
  expect(steps).toHaveLength(6);
  const gateway = await startGateway({ now: "2026-03-01T09:30:00.000Z" });
  const shop = await createCoverFixture(gateway);
  for (const { query, answer } of steps) {
    const variables = query.includes("$decisionId") ? { decisionId: await newestDecision() } : shop;
    expect(await gateway.queryRawData(query, { ...variables })).toEqual(answer);
  }

  async function newestDecision(): Promise<string> {
    const asked = '{ coverOrder(partnerOrderId: "renewal-2026-03") { cover { decision { id } } } }';
    return (await gateway.queryData(asked)).coverOrder!.cover!.decision!.id;
  }
});
