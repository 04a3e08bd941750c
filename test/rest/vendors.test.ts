import { describe, expect, test } from "vitest";
import { createTestChild, newChildBody, readVendorUuid } from "../support/fixtures/child-vendors.ts";
import { startGateway, type RequestOptions } from "../support/test-gateway.ts";
import type { RefusalDetails } from "../support/refusal-values.ts";
import { HOUR } from "../support/test-clock.ts";
import {
  expectedInvalidFields,
  expectedRefusal,
  rowsOf,
  statusAndBody,
  expectedUnknownPath,
} from "../support/rest-assertions.ts";

const gateway = await startGateway();
const uuid = await readVendorUuid(gateway);
const path = `/vendors/${uuid}/children` as const;

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const NOBODY = "1f0c8c3e-0000-4000-8000-000000000000";

describe("POST /vendors/{vendorUuid}/children", () => {
  test("answers the vendor with every field of the contract", async () => {
    const { status, body } = await gateway.post(path, newChildBody);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      uuid: UUID,
      firstManagerUuid: body.manager!.uuid,
      parentUuid: uuid,
      manager: {
        uuid: UUID,
        username: "owner@example.com",
        nickname: "",
        enabled: true,
        emailVerified: false,
        createdAt: "2026-03-01T09:30:00.000",
        phone: "01023456789",
        choo: "",
      },
      name: "Bean Corner",
      description: "",
      secretKey: expect.stringMatching(/^recoup_live_[\w-]{43}$/),
      paymentKey: expect.stringMatching(/^recoup_payment_live_[\w-]{43}$/),
      deliveryCharge: {
        useDefaultCourier: false,
        useDeliveryCharge: false,
        useLocalShipCharge: false,
        jejuShipAmount: 0,
        islandAndMountainShipAmount: 0,
        defaultCourierId: null,
        deliveryChargeType: "FREE",
        defaultDeliveryCharge: 0,
        freeShipOverAmount: 0,
      },
      vendorSettings: {
        vatIncluded: true,
        vatRate: 10,
        notiBeforePayment: true,
        notiBeforePaymentDays: 7,
        notiBeforePaymentTime: { hour: 10, minute: 0, second: 0, nano: 0 },
        usageAutoRefund: false,
        paymentAmountScale: null,
        workspace: "",
        customDomain: { status: "NONE", domain: null },
      },
      checkFirstActivation: false,
      surveyed: false,
      useDormantCustomer: false,
      useDormantNotification: false,
      useAuth: false,
      useStore: false,
      usePayout: false,
      currencyLock: false,
      realmEmailAsUsername: true,
      apps: [],
      zoneId: "Asia/Seoul",
      currency: "KRW",
      realmIdentityProviderId: null,
      realmName: "",
      featuredImageUrl: "",
      email: "owner@example.com",
      contactUrl: "",
      checkFailBuilder: "",
      cmsIntegration: { consumerKey: null, consumerSecret: null },
      vendorTerms: { useCheckBox: false, termsAgree: [] },
    });
    expect(await gateway.sendRest("GET", "/customers", undefined, { token: body.secretKey })).toMatchObject({
      status: 200,
    });
    expect(await gateway.sendRest("GET", "/customers", undefined, { token: body.paymentKey })).toMatchObject(
      expectedRefusal(403, "TOKEN_INVALID"),
    );
  });

  test.each([
    [
      {},
      [
        ["name", "REQUIRED"],
        ["email", "REQUIRED"],
        ["password", "REQUIRED"],
      ],
    ],
    [{ ...newChildBody, password: "seven77" }, [["password", "INVALID_VALUE"]]],
    [{ ...newChildBody, password: {} }, [["password", "INVALID_TYPE"]]],
    [
      { ...newChildBody, email: "owner", phone: "-" },
      [
        ["email", "INVALID_VALUE"],
        ["phone", "INVALID_VALUE"],
      ],
    ],
    [{ ...newChildBody, name: null }, [["name", "REQUIRED"]]],
  ] as const)("refuses %j", async (body, faults) => {
    const answer = await gateway.post(path, body);
    expect({ status: answer.status, fields: fieldsOf(answer.body) }).toEqual({ status: 400, fields: faults });
    expect(JSON.stringify(answer.body)).not.toContain("seven77");
  });

  test("takes no fields beyond the contract: the parent decides the child's region", async () => {
    const { body } = await gateway.post(path, {
      ...newChildBody,
      zoneId: "Europe/Berlin",
      currency: "EUR",
      sandbox: true,
    });
    expect(body).toMatchObject({ zoneId: "Asia/Seoul", currency: "KRW" });
    expect(body.secretKey).toMatch(/^recoup_live_/);
  });

  test("a repeat with the same key creates no second child and answers the keys again", async () => {
    const before = (await gateway.sendRest("GET", path)).headers["x-total-count"];
    const once = () => gateway.post(path, newChildBody, { headers: { "idempotency-key": "child" } });
    const [first, second] = [await once(), await once()];
    expect(second.body).toEqual(first.body);
    expect(second.headers["idempotency-replayed"]).toBe("true");
    expect((await gateway.sendRest("GET", path)).headers["x-total-count"]).toBe(String(Number(before) + 1));
  });
});

const fieldsOf = ({ details }: { details?: RefusalDetails }) =>
  details?.fields!.map(({ path: at, code }) => [at, code]);

describe("GET /vendors/{vendorUuid}/children", async () => {
  const vendor = await gateway.openVendor();
  const own = `/vendors/${await readVendorUuid(gateway, vendor)}/children` as const;
  for (const name of ["One", "Two", "Three"]) {
    await createTestChild(gateway, { name }, vendor);
    gateway.clock.advance(HOUR);
  }
  gateway.clock.setTo("2026-03-01T09:30:00.000Z");
  const get = (query: "" | `?${string}` = "") => gateway.sendRest("GET", `${own}${query}`, undefined, vendor);

  test("answers a bare array, newest first, with every field of the contract", async () => {
    const { status, body, headers } = await get();
    expect(status).toBe(200);
    expect(rowsOf(body).map(({ name }) => name)).toEqual(["Three", "Two", "One"]);
    expect(rowsOf(body)[0]).toEqual({
      name: "Three",
      uuid: UUID,
      surveyed: false,
      managerUsername: "owner@example.com",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      enabled: true,
      realmIdentityProviderId: null,
      realmName: "",
      managerPhone: "01023456789",
    });
    expect(headers["x-total-count"]).toBe("3");
  });

  test("answers page by page, with links to the others", async () => {
    const { body, headers } = await get("?page=1&size=1");
    expect(rowsOf(body).map(({ name }) => name)).toEqual(["Two"]);
    const at = (page: number) => `</api/v1${own}?page=${page}&size=1>`;
    expect(headers).toMatchObject({
      "x-total-count": "3",
      link: `${at(0)}; rel="first", ${at(0)}; rel="prev", ${at(2)}; rel="next", ${at(2)}; rel="last"`,
    });
    expect(statusAndBody(await get("?page=9"))).toEqual({ status: 200, body: [] });
  });

  test.each([
    ["?page=-1", "page"],
    ["?size=0", "size"],
    ["?size=1001", "size"],
  ] as const)("refuses %s", async (query, name) => {
    expect(statusAndBody(await get(query))).toEqual(expectedInvalidFields([name, "INVALID_VALUE"]));
  });

  test("costs the same number of statements for each size of page", async () => {
    const cost = async (query: `?${string}`) => {
      gateway.statements.length = 0;
      await get(query);
      return gateway.statements.length;
    };
    expect(await cost("?size=3")).toBe(await cost("?size=1"));
  });
});

describe("the uuid in the path", async () => {
  const child = await createTestChild(gateway);
  const sibling = await createTestChild(gateway);
  const stranger = await gateway.openVendor();
  const of = (vendorUuid: string) => `/vendors/${vendorUuid}/children` as const;
  const unknown: [string, string, RequestOptions][] = [
    ["nobody's", NOBODY, {}],
    ["no uuid at all", "7", {}],
    ["a stranger's", await readVendorUuid(gateway, stranger), {}],
    ["a stranger's family's", child.uuid, stranger],
    ["the parent's, sent by a child", uuid, child],
    ["a sibling's", sibling.uuid, child],
  ];

  test.each(unknown)("%s is 404, with the same answer as any other", async (_, vendorUuid, asks) => {
    const nobodys = await gateway.sendRest("GET", of(NOBODY));
    for (const answer of [
      await gateway.sendRest("GET", of(vendorUuid), undefined, asks),
      await gateway.post(of(vendorUuid), newChildBody, asks),
    ]) {
      expect(statusAndBody(answer)).toEqual(expectedUnknownPath(404, "VENDOR_NOT_FOUND", "vendorUuid"));
    }
    expect(nobodys.status).toBe(404);
  });

  test("of a child has no children, and none can be created", async () => {
    for (const asks of [{}, child]) {
      expect(statusAndBody(await gateway.sendRest("GET", of(child.uuid), undefined, asks))).toEqual({
        status: 200,
        body: [],
      });
      expect(statusAndBody(await gateway.post(of(child.uuid), newChildBody, asks))).toEqual(
        expectedInvalidFields(["vendorUuid", "INVALID_VALUE"]),
      );
    }
  });

  test("is accepted in upper case too", async () => {
    expect(await gateway.sendRest("GET", of(uuid.toUpperCase()))).toMatchObject({ status: 200 });
    expect(await gateway.post(of(uuid.toUpperCase()), newChildBody)).toMatchObject({ status: 201 });
  });
});
