import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { apiKeys, vendors } from "../../../schema/tables/index.ts";
import { createServices } from "../../../src/graphql/services.ts";
import type { ApiKeyService } from "../../../src/vendors/keys/api-key.service.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges, expectedRefusal, statusAndBody } from "../../support/rest-assertions.ts";
import { uniqueName, registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const shop = await registerCoverFixture(gateway);

const keys = <T>(work: (service: ApiKeyService) => Promise<T>) =>
  gateway.database.transaction((handle) => work(createServices(handle, gateway.clock.now()).apiKeys));

const setEnabled = (vendorId: number, enabled: boolean) =>
  gateway.database.transaction(async (handle) => {
    await handle.update(vendors).set({ enabled }).where(eq(vendors.id, vendorId));
  });

const register = (token: string | null) =>
  gateway.post(
    "/cover/customer",
    { name: "Kim", email: "kim@example.com", phone: "1", partnerCustomerId: uniqueName("customer") },
    { token },
  );

describe("a request without a known token", () => {
  const { token } = gateway.vendor;
  test.each([
    ["none", null, "TOKEN_MISSING"],
    ["an empty one", "", "TOKEN_MISSING"],
    ["a wrong one", "recoup_live_nobody", "TOKEN_INVALID"],
    ["one in another case", token.toUpperCase(), "TOKEN_INVALID"],
    ["one that is too long by a letter", `${token}x`, "TOKEN_INVALID"],
    ["one that lacks a letter", token.slice(0, -1), "TOKEN_INVALID"],
    ["a bearer one", `Bearer ${token}`, "TOKEN_INVALID"],
    ["two tokens", `${token}, ${token}`, "TOKEN_INVALID"],
    ["a huge one", "x".repeat(10_000), "TOKEN_INVALID"],
  ])("is refused: %s", (_, sent, code) =>
    expectNoChanges(gateway, async () =>
      expect(statusAndBody(await register(sent))).toEqual(expectedRefusal(403, code)),
    ),
  );

  test.each([
    ["POST", "/cover/recovery"],
    ["POST", "/cover/order"],
    ["POST", "/cover/price"],
    ["POST", "/cover/customer"],
    ["POST", "/cover/product"],
    ["POST", "/cover/subscription"],
    ["PUT", `/cover/subscription/${shop.subscriptionId}/cancel`],
    ["PUT", `/cover/subscription/${shop.subscriptionId}/active`],
    ["PATCH", "/cover/order/success/1"],
    ["PATCH", "/cover/order/cancel/1"],
  ] as const)("is refused by %s %s, whatever the other errors", (method, path) =>
    expectNoChanges(gateway, async () => {
      expect(statusAndBody(await gateway.sendRawRest(method, path, "{", { token: null }))).toEqual(
        expectedRefusal(403, "TOKEN_MISSING"),
      );
      expect(statusAndBody(await gateway.sendRawRest(method, path, "{", { token: "nobody" }))).toEqual(
        expectedRefusal(403, "TOKEN_INVALID"),
      );
    }),
  );

  test("is refused in any other header or in the query", async () => {
    for (const [name, value] of [
      ["authorization", `Bearer ${token}`],
      ["x-secret-token", token],
      ["cookie", `Secret-Token=${token}`],
    ] as const) {
      expect((await gateway.post("/cover/customer", {}, { token: null, headers: { [name]: value } })).status).toBe(403);
    }
    expect((await gateway.post(`/cover/customer?Secret-Token=${token}`, {}, { token: null })).status).toBe(403);
  });
});

describe("the keys of a vendor", () => {
  test("are all live until one is revoked, and then the others are", async () => {
    const vendor = await gateway.openVendor();
    const [second, third] = [
      await keys((service) => service.create(vendor.id, "second", false)),
      await keys((service) => service.create(vendor.id, "third", true)),
    ];
    const statuses = async () => [
      (await register(vendor.token)).status,
      (await register(second.token)).status,
      (await register(third.token)).status,
    ];
    expect(await statuses()).toEqual([201, 201, 201]);
    await keys((service) => service.revoke(vendor.id, second.key.id));
    expect(await statuses()).toEqual([201, 403, 201]);
    expect(statusAndBody(await register(second.token))).toEqual(expectedRefusal(403, "TOKEN_INVALID"));
  });

  test("see the same records", async () => {
    const vendor = await gateway.openVendor();
    const { token } = await keys((service) => service.create(vendor.id, "second", false));
    const body = { name: "Filter", partnerProductId: uniqueName("product") };
    const { id } = (await gateway.post("/cover/product", body, { token: vendor.token })).body;
    expect((await gateway.post("/cover/product", body, { token })).body).toMatchObject({
      errorCode: "DUPLICATE_PARTNER_ID",
      details: { id },
    });
  });

  test("are stored as hashes only", async () => {
    const { vendor } = gateway;
    const [stored] = await gateway.database.handle.select().from(apiKeys).where(eq(apiKeys.vendorId, vendor.id));
    expect(stored).toMatchObject({
      ending: vendor.token.slice(-4),
      hash: createHash("sha256").update(vendor.token).digest(),
    });
    expect(JSON.stringify(Object.values(stored!).map(String))).not.toContain(vendor.token);
  });
});

test("a disabled vendor is refused with every key until it is enabled again", async () => {
  const vendor = await gateway.openVendor();
  const { token } = await keys((service) => service.create(vendor.id, "second", false));
  await setEnabled(vendor.id, false);
  for (const each of [vendor.token, token]) {
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await register(each))).toEqual(expectedRefusal(403, "VENDOR_DISABLED")),
    );
  }
  expect((await register(gateway.vendor.token)).status).toBe(201);
  await setEnabled(vendor.id, true);
  expect((await register(token)).status).toBe(201);
});

test("an address that repeats wrong tokens is limited, while a right one is served", async () => {
  const codes = new Set<string>();
  for (let time = 0; time < 31; time++) codes.add((await register(`wrong-${time}`)).body.errorCode!);
  expect([...codes]).toEqual(["TOKEN_INVALID", "TOO_MANY_REQUESTS"]);
  const refused = await register("wrong again");
  expect(refused).toMatchObject(expectedRefusal(429, "TOO_MANY_REQUESTS"));
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(statusAndBody(await register(null))).toEqual(expectedRefusal(403, "TOKEN_MISSING"));
  expect((await register(gateway.vendor.token)).status).toBe(201);
});
