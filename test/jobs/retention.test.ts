import { expect, onTestFinished, test } from "vitest";
import { defaultRetention, setRetention } from "../../src/kernel/retention.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { createRecordFixtures } from "../hostile/record-fixtures.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";

const gateway = await startGateway();
const worker = createWorker(gateway);

const countEnded = async () => {
  const [row] = await queryRows<{ deliveries: string; messages: string }>(
    gateway,
    `select (select count(*) from webhook_deliveries where vendor_id > 0) as deliveries, (select count(*) from messages where vendor_id > 0) as messages`,
  );
  return [Number(row!.deliveries), Number(row!.messages)];
};

test("workers delete deliveries and messages after the days of the settings", async () => {
  onTestFinished(() => setRetention(defaultRetention));
  await createRecordFixtures(gateway);
  const ago = (days: number) =>
    `timestamptz '${new Date(gateway.clock.now().getTime() - days * 86_400_000).toISOString()}'`;
  await queryRows(
    gateway,
    `update webhook_deliveries set state = 'SUCCEEDED', due_at = null, ended_at = ${ago(10)} where vendor_id > 0`,
  );
  await queryRows(
    gateway,
    `update messages set state = 'SENT', attempt_at = null, ended_at = ${ago(100)} where vendor_id > 0`,
  );
  const deleteExpired = async () => {
    await worker.runTask("webhooks.delete-expired");
    await worker.runTask("messages.delete-expired");
    return countEnded();
  };
  expect(await deleteExpired()).toEqual([1, 1]);
  setRetention({ webhookDeliveries: 9, messages: 400 });
  expect(await deleteExpired()).toEqual([0, 1]);
  setRetention({ webhookDeliveries: 9, messages: 99 });
  expect(await deleteExpired()).toEqual([0, 0]);
});
