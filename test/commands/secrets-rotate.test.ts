import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { newChildBody } from "../support/fixtures/child-vendors.ts";
import { openPersonSession, postJson } from "../support/fixtures/console-person.ts";
import { SECRETS_KEY, startGateway } from "../support/test-gateway.ts";
import { cardInput, testCards, TestPayments } from "../support/test-payments.ts";
import { commandsOn, faultsOf, recordOf } from "./command-line.ts";

const gateway = await startGateway();
const { vendor } = gateway;
const newer = randomBytes(32);
beforeAll(buildOnce);

const rotateWith = (keys: readonly Buffer[], ...words: string[]) =>
  commandsOn({
    DATABASE_URL: gateway.databaseUrl,
    SECRETS_KEY: keys.map((key) => key.toString("base64")).join(","),
  }).secretsRotate(...words);

const sealed = async () => {
  const [row] = await queryRows<{ secret: Buffer; answer: Buffer }>(
    gateway,
    `select consumer_secret as secret, sealed as answer from vendor_settings join idempotency_keys using (vendor_id) where vendor_id = ${vendor.id}`,
  );
  return row!;
};

test("secrets of the old key are encrypted with the new one, and the old one can be removed", async () => {
  await gateway.queryData(
    `mutation { updateVendorSettings(input: { cmsIntegration: { consumerSecret: "cs_beans" } }) { vendor { uuid } } }`,
  );
  const create = `mutation ($input: CreateChildVendorInput!) { createChildVendor(input: $input) { child { secretKey } } }`;
  const { createChildVendor } = await gateway.queryData(
    create,
    { input: newChildBody },
    { headers: { "idempotency-key": "child" } },
  );
  await gateway.queryData(
    `mutation { createWebhookEndpoint(input: { url: "https://shop.example.com/" }) { endpoint { databaseId } } }`,
  );
  const person = { email: "kim@example.com", role: "OWNER" } as const;
  const { cookie } = await openPersonSession(gateway, vendor.id, person);
  await postJson(gateway, "/console/second-factor/start", { password: "correct horse" }, { cookie });
  const payments = await TestPayments.start(gateway);
  const order = await payments.createOrder();
  const { payment } = await payments.payOrder(order.databaseId, {
    method: "CARD",
    card: cardInput(testCards.approved),
    storeMethod: true,
  });
  const before = await sealed();

  const none = {
    secrets: "0",
    gateways: "0",
    webhooks: "0",
    methods: "0",
    secondFactors: "0",
    answers: "0",
    cells: "0",
  };
  expect(recordOf(await rotateWith([SECRETS_KEY]))).toEqual(none);
  expect(await sealed()).toEqual(before);

  expect(recordOf(await rotateWith([newer, SECRETS_KEY]))).toEqual({
    secrets: "1",
    gateways: "1",
    webhooks: "1",
    methods: "1",
    secondFactors: "1",
    answers: "1",
    cells: "0",
  });
  const after = await sealed();
  const vault = new SecretVault([newer]);
  expect(vault.decrypt(after.secret, `vendor_settings.consumer_secret ${vendor.id}`)).toBe("cs_beans");
  expect(vault.decrypt(after.answer, `idempotency_keys.sealed ${vendor.id} child`)).toContain(
    createChildVendor.child.secretKey,
  );

  const again = await rotateWith([newer], "--json");
  expect([again.code, JSON.parse(again.out)]).toEqual([
    0,
    { secrets: 0, gateways: 0, webhooks: 0, methods: 0, secondFactors: 0, answers: 0, cells: 0 },
  ]);
  expect(payment.storedMethod).not.toBeNull();
});

test("without the key that encrypted a secret nothing is changed, and the error shows no secret", async () => {
  const before = await sealed();
  for (const keys of [[randomBytes(32)], []]) {
    const { code, out, err } = await rotateWith(keys);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "",
      err: "The command failed: The key of a stored secret is not among those of SECRETS_KEY.\n",
    });
  }
  expect(await sealed()).toEqual(before);
  expect(faultsOf(await rotateWith([newer], "--all"))).toEqual(["There is no option --all."]);
});
