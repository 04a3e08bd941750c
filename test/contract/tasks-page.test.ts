import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { startDemo } from "../demo/demo-gateway.ts";
import type { RawData } from "../support/raw-data.ts";

/* The page of tasks: its operations are sent in order, each with the ids that the answers before it had. */

const page = readFileSync(projectFile("docs/guides/tasks.md"), "utf8");
const operations = [...page.matchAll(/```graphql\n(.*?)```/gs)].map(([, operation]) => operation!);
const nameOf = (operation: string) => /^(?:query|mutation) (\w+)/.exec(operation)![1]!;

test("every operation of the page has the effect that the page says", async () => {
  const gateway = await startDemo();
  const values: Record<string, string> = {};
  const answers: Record<string, RawData> = {};
  const run = async (operation: string) => {
    const variables = Object.fromEntries(Object.entries(values).filter(([name]) => operation.includes(`$${name}`)));
    const data = await gateway.queryRawData(operation, variables);
    answers[nameOf(operation)] = data;
    const order = data.createOrder?.order;
    const subscription = data.payOrder?.order.subscriptions[0];
    if (order) values["orderId"] = order.id;
    if (subscription) Object.assign(values, { subscriptionId: subscription.id, itemCode: subscription.items[0].code });
    if (data.createPricePlan) values["priceCode"] = data.createPricePlan.pricePlan.code;
    if (nameOf(operation) === "OrderMessages") await run(operations.find((one) => nameOf(one) === "Pay")!);
  };
  for (const operation of operations) await run(operation);

  expect(answers["Pay"]!.payOrder.payment.state).toBe("SUCCEEDED");
  expect(answers["Pause"]!.pauseSubscription.subscription.status).toBe("PENDING_PAUSE");
  expect(answers["Continue"]!.activateSubscription.subscription.status).toBe("ACTIVE");
  expect(answers["Preview"]!.previewSubscriptionChange).toMatchObject({ nextCharge: { amount: "32000" } });
  expect(answers["ChangePlan"]!.changeSubscriptionPlan.subscription.items).toEqual([
    { planName: "Every month", nextPricePlan: { plan: { name: "Two bags every month" } } },
  ]);
  expect(answers["OrderMessages"]!.createOrder.order.amount).toBe("0");
  expect(answers["Record"]!.recordUsage.subscription.items).toEqual([{ usedUnits: "1200" }]);
  expect(Number(answers["NextCharge"]!.previewSubscriptionCharge.amount)).toBeGreaterThan(0);
  expect(Object.keys(answers)).toHaveLength(operations.length);
});
