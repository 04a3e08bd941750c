import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { FakeStripe } from "../support/fake-stripe/fake-stripe.ts";
import { importRows } from "../support/imported-rows.ts";
import { DAY, HOUR } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";
import { TestMutations } from "../support/test-mutations.ts";
import { createWorker } from "../support/test-worker.ts";

const gateway = await startGateway({ now: "2026-03-01T09:30:00.000Z", stripeApiUrl: "http://127.0.0.1:9" });
const worker = createWorker(gateway);
const mutations = new TestMutations(gateway);

const methods = () =>
  queryRows<{ has_token: boolean; detach_at: string | null }>(
    gateway,
    `select token is not null as has_token, to_char(detach_at at time zone 'UTC', 'MM-DD HH24:MI') as detach_at from payment_methods where vendor_id > 0`,
  );

async function detachAt(instant: Date) {
  gateway.clock.setTo(instant);
  await worker.runTask("payments.detach-methods");
  return methods();
}

test("a method whose gateway does not answer is detached again each hour, and its token is deleted after 14 days", async () => {
  const fake = await FakeStripe.start(() => gateway.clock.now());
  await fake.close();
  await mutations.runMutation(
    "configurePaymentGateway",
    { paymentGateway: "PROVIDER_01", adapter: "STRIPE", credentials: [...fake.keys][0]! },
    "account { databaseId }",
  );
  const customer = { partnerId: "C-1", name: "Kim Minji", email: "minji@example.com", phone: "010-1234-5678" };
  const refused = await importRows(gateway, "2031-01-01T00:00:00Z", {
    CUSTOMER: [customer],
    PAYMENT_METHOD: [
      {
        ...{ partnerId: "M-1", customerId: "C-1", paymentGateway: "PROVIDER_01", paymentMethod: "CARD_BILL" },
        ...{ gatewayCustomerId: "cus_1", gatewayMethodId: "pm_1", network: "VISA" },
      },
    ],
  });
  expect(refused).toEqual([]);
  const { customers } = await gateway.queryData("{ customers(first: 1) { nodes { databaseId code } } }");
  const { databaseId, code: confirmCode } = customers.nodes[0]!;
  await mutations.runMutation("eraseCustomer", { customerId: String(databaseId), confirmCode }, "customer { code }");
  const erasedAt = gateway.clock.now().getTime();

  expect(await detachAt(new Date(erasedAt))).toEqual([{ has_token: true, detach_at: "03-01 10:30" }]);
  expect(await detachAt(new Date(erasedAt + HOUR - 1))).toEqual([{ has_token: true, detach_at: "03-01 10:30" }]);
  expect(await detachAt(new Date(erasedAt + HOUR))).toEqual([{ has_token: true, detach_at: "03-01 11:30" }]);
  gateway.logLines.length = 0;
  expect(await detachAt(new Date(erasedAt + 14 * DAY))).toEqual([{ has_token: false, detach_at: null }]);
  expect(gateway.logLines.join("")).toContain("PROVIDER_01 did not detach a stored method of an erased customer");
});
