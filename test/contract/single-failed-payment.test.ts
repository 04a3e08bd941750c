import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asset } from "../../src/kernel/project-files.ts";
import { openShop } from "../support/cover-mutations.ts";
import { startGateway } from "../support/test-gateway.ts";

/* The page that follows one failed payment: its operations are sent in their order, its answers are those that come. */

const page = readFileSync(asset("docs/one-failed-payment.md"), "utf8");
const steps = [...page.matchAll(/```graphql\n(.*?)```\n\n```json\n(.*?)```/gs)].map(([, query, answer]) => ({
  query: query!,
  answer: JSON.parse(answer!) as unknown,
}));

test("every operation of the page answers what the page says", async () => {
  expect(steps).toHaveLength([...page.matchAll(/^```graphql$/gm)].length);
  expect(steps).toHaveLength(6);
  const gateway = await startGateway({ now: "2026-03-01T09:30:00.000Z" });
  const shop = await openShop(gateway);
  for (const { query, answer } of steps) {
    const variables = query.includes("$decisionId") ? { decisionId: await newestDecision() } : shop;
    expect(await gateway.data(query, { ...variables })).toEqual(answer);
  }

  async function newestDecision(): Promise<string> {
    const asked = '{ coverOrder(partnerOrderId: "renewal-2026-03") { cover { decision { id } } } }';
    return (await gateway.data(asked)).coverOrder.cover.decision.id as string;
  }
});
