import { verify } from "@node-rs/argon2";
import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import {
  createTestChild,
  newChildBody,
  readVendorUuid,
  type TestChildVendor,
} from "../../support/fixtures/child-vendors.ts";
import { type GraphQLResponse, startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import { HOUR } from "../../support/test-clock.ts";
import { namedValuesOf } from "../../support/refusal-values.ts";

const gateway = await startGateway();
const parent = gateway.vendor;
const parentUuid = await readVendorUuid(gateway);

const NOBODY = "1f0c8c3e-0000-4000-8000-000000000000";
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);

const create = (input: object, options?: RequestOptions) =>
  gateway.sendGraphQL(
    `mutation ($input: CreateChildVendorInput!) { createChildVendor(input: $input) { child {
       databaseId uuid name email enabled sandbox zoneId currency country parentUuid firstManagerUuid secretKey paymentKey now
       manager { uuid username nickname enabled emailVerified createdAt phone choo }
     } } }`,
    { input: { ...newChildBody, ...input } },
    options,
  );

const setEnabled = (vendorUuid: string, enabled: boolean, options?: RequestOptions) =>
  gateway.sendGraphQL(
    "mutation ($input: SetChildVendorEnabledInput!) { setChildVendorEnabled(input: $input) { child { uuid enabled } } }",
    { input: { vendorUuid, enabled } },
    options,
  );

const list = async (args = "", options?: RequestOptions) =>
  (
    await gateway.queryRawData(
      `{ childVendors${args} { nodes { uuid name enabled createdAt surveyed realmIdentityProviderId realmName managerUsername managerPhone } totalCount pageInfo { hasNextPage endCursor } } }`,
      {},
      options,
    )
  ).childVendors;

const problemOf = ({ errors }: Pick<GraphQLResponse, "errors">) => {
  const { message, extensions } = errors![0]!;
  const named = namedValuesOf(message, extensions.details);
  return [extensions.code, named.length > 0 ? named.map(({ path }) => path) : undefined];
};

describe("a new child", () => {
  test("comes with its manager, and its keys are shown this once", async () => {
    const { data } = await create({});
    const { child } = data!.createChildVendor;
    expect(child).toEqual({
      databaseId: expect.any(Number),
      uuid: UUID,
      name: "Bean Corner",
      email: "owner@example.com",
      enabled: true,
      sandbox: false,
      zoneId: "Asia/Seoul",
      currency: "KRW",
      country: "KR",
      parentUuid,
      firstManagerUuid: UUID,
      secretKey: expect.stringMatching(/^recoup_live_[\w-]{43}$/),
      paymentKey: expect.stringMatching(/^recoup_payment_live_[\w-]{43}$/),
      now: "2026-03-01T09:30:00.000Z",
      manager: {
        uuid: child.firstManagerUuid,
        username: "owner@example.com",
        nickname: "",
        enabled: true,
        emailVerified: false,
        createdAt: "2026-03-01T09:30:00.000Z",
        phone: "01023456789",
        choo: "",
      },
    });
    const own = { token: child.secretKey };
    const { vendor } = await gateway.queryData("{ vendor { uuid name secretKey paymentKey parentUuid } }", {}, own);
    expect(vendor).toEqual({ uuid: child.uuid, name: "Bean Corner", secretKey: null, paymentKey: null, parentUuid });
    const wrong = await gateway.sendGraphQL("{ vendor { uuid } }", {}, { token: child.paymentKey });
    expect(problemOf(wrong)[0]).toBe("TOKEN_INVALID");
  });

  test("has its password as argon2id in the database, and its keys as hashes", async () => {
    const child = await createTestChild(gateway);
    const [row] = await queryRows<{ hash: string; stored: string }>(
      gateway,
      `select m.password_hash as hash, concat(m::text, s::text, k::text) as stored from managers m
       join vendor_settings s using (vendor_id) join api_keys k using (vendor_id) where vendor_id = ${child.id}`,
    );
    expect(row!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(row!.hash, newChildBody.password)).toBe(true);
    expect(await verify(row!.hash, "correct hors")).toBe(false);
    for (const secret of [newChildBody.password, child.token, child.paymentKey]) {
      expect(row!.stored).not.toContain(secret);
      expect(row!.stored).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });

  test("is created in the given region, with its parent's mode and time", async () => {
    const sandbox = await gateway.openVendor({ sandbox: true });
    await gateway.queryData(`mutation { advanceTestClock(input: { by: "P2D" }) { now } }`, {}, sandbox);
    const places = { zoneId: "America/New_York", currency: "USD", country: "US" };
    const { data } = await create({ ...places, phone: null }, sandbox);
    expect(data!.createChildVendor.child).toMatchObject({
      ...places,
      sandbox: true,
      now: "2026-03-03T09:30:00.000Z",
      secretKey: expect.stringMatching(/^recoup_test_/),
      paymentKey: expect.stringMatching(/^recoup_payment_test_/),
      manager: { phone: null, createdAt: "2026-03-03T09:30:00.000Z" },
    });
  });

  test("starts at its parent's current time", async () => {
    const vendor = await gateway.openVendor();
    await gateway.queryData(
      `mutation { updateVendorSettings(input: { zoneId: "Europe/Berlin" }) { vendor { zoneId } } }`,
      {},
      vendor,
    );
    const { data } = await create({}, vendor);
    expect(data!.createChildVendor.child.zoneId).toBe("Europe/Berlin");
  });

  test.each([
    [{ name: " " }, "input.name"],
    [{ email: "owner" }, "input.email"],
    [{ password: "seven77" }, "input.password"],
    [{ password: "x".repeat(256) }, "input.password"],
    [{ phone: "none" }, "input.phone"],
    [{ currency: "won" }, "input.currency"],
    [{ vendorUuid: "7" }, "input.vendorUuid"],
  ])("is refused with %j", async (input, path) => {
    const answer = await create(input);
    expect(problemOf(answer)).toEqual(["INVALID_ARGUMENT", [path]]);
    expect(JSON.stringify(answer)).not.toContain("seven77");
  });
});

describe("the fence", async () => {
  const child = await createTestChild(gateway);
  const sibling = await createTestChild(gateway);
  const stranger = await gateway.openVendor();
  const strangerUuid = await readVendorUuid(gateway, stranger);

  const pages = async (vendorUuid: string, options?: RequestOptions) => {
    const query = "query ($uuid: UUID!) { childVendorPage(vendorUuid: $uuid) { rows { uuid } totalCount } }";
    return (await gateway.queryData(query, { uuid: vendorUuid }, options)).childVendorPage;
  };

  test.each([
    ["a stranger's", parent, strangerUuid],
    ["a parent's", child, parentUuid],
    ["a sibling's", child, sibling.uuid],
    ["a stranger's child's", stranger, child.uuid],
    ["nobody's", parent, NOBODY],
  ])("answers %s uuid like an unknown one", async (_, asks, uuid) => {
    expect(await pages(uuid, asks)).toBeNull();
    for (const act of [create({ vendorUuid: uuid }, asks), setEnabled(uuid, false, asks)]) {
      const { data, errors } = await act;
      expect([data, errors!.map(({ extensions }) => extensions.code)]).toEqual([null, ["VENDOR_NOT_FOUND"]]);
    }
  });

  test("lets no vendor disable itself", async () => {
    expect(problemOf(await setEnabled(parentUuid, false))[0]).toBe("VENDOR_NOT_FOUND");
    expect(problemOf(await setEnabled(child.uuid, false, child))[0]).toBe("VENDOR_NOT_FOUND");
  });

  test("a child has no children, for any caller", async () => {
    for (const [vendorUuid, asks] of [
      [child.uuid, parent],
      [child.uuid, child],
      [undefined, child],
    ] as const) {
      expect(problemOf(await create({ vendorUuid }, asks))).toEqual(["INVALID_ARGUMENT", ["input.vendorUuid"]]);
    }
    expect(await pages(child.uuid)).toEqual({ rows: [], totalCount: 0 });
    expect(await pages(child.uuid, child)).toEqual({ rows: [], totalCount: 0 });
    expect((await list("", child)).nodes).toEqual([]);
  });

  test("a child's settings are its own", async () => {
    const before = await gateway.queryData("{ vendor { vendorSettings { vatRate } } }");
    await gateway.queryData(
      `mutation { updateVendorSettings(input: { vatRate: 3 }) { vendor { uuid } } setExchangeRate(input: { currency: "USD", rate: 2 }) { exchangeRates { rate } } }`,
      {},
      child,
    );
    for (const other of [parent, sibling]) {
      expect(await gateway.queryData("{ vendor { vendorSettings { vatRate } } }", {}, other)).toEqual(before);
      expect((await gateway.queryData("{ exchangeRates { rate } }", {}, other)).exchangeRates).toEqual([]);
    }
  });
});

describe("setChildVendorEnabled", () => {
  test("refuses a disabled child's token and accepts it once enabled", async () => {
    const child = await createTestChild(gateway);
    const enter = () => gateway.sendRest("GET", "/customers", undefined, child);
    const { data } = await setEnabled(child.uuid, false);
    expect(data!.setChildVendorEnabled.child).toEqual({ uuid: child.uuid, enabled: false });
    expect(await enter()).toMatchObject({ status: 403, body: { errorCode: "VENDOR_DISABLED" } });
    await setEnabled(child.uuid, true);
    expect(await enter()).toMatchObject({ status: 200 });
  });
});

describe("childVendors", async () => {
  const vendor = await gateway.openVendor();
  const names = ["Anchovy", "Bean", "Cocoa", "Bean 100%"];
  const children: TestChildVendor[] = [];
  for (const name of names) {
    children.push(await createTestChild(gateway, { name }, vendor));
    gateway.clock.advance(HOUR);
  }
  gateway.clock.setTo("2026-03-01T09:30:00.000Z");
  await setEnabled(children[2]!.uuid, false, vendor);

  test("are listed as the contract says, newest first", async () => {
    const { nodes, totalCount } = await list("", vendor);
    expect(totalCount).toBe(4);
    expect(nodes.map(({ name }: { name: string }) => name)).toEqual([...names].reverse());
    expect(nodes[1]).toEqual({
      uuid: children[2]!.uuid,
      name: "Cocoa",
      enabled: false,
      createdAt: expect.stringMatching(/T11:30:00.000Z$/),
      surveyed: false,
      realmIdentityProviderId: null,
      realmName: "",
      managerUsername: "owner@example.com",
      managerPhone: "01023456789",
    });
  });

  test.each([
    ["(orderBy: { field: NAME, direction: ASC })", ["Anchovy", "Bean", "Bean 100%", "Cocoa"]],
    ["(filter: { enabled: false })", ["Cocoa"]],
    ['(filter: { name: "bEaN" })', ["Bean 100%", "Bean"]],
    ['(filter: { name: "0%" })', ["Bean 100%"]],
    ['(filter: { name: "%", enabled: false })', []],
    ["(first: 1)", ["Bean 100%"]],
    ["(last: 1)", ["Anchovy"]],
  ])("%s", async (args, expected) => {
    expect((await list(args, vendor)).nodes.map(({ name }: { name: string }) => name)).toEqual(expected);
  });

  test("are read slice by slice", async () => {
    const first = await list("(first: 3)", vendor);
    const rest = await list(`(first: 3, after: "${first.pageInfo.endCursor}")`, vendor);
    expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
    expect([...first.nodes, ...rest.nodes].map(({ name }: { name: string }) => name)).toEqual([...names].reverse());
  });

  test("cost the same number of statements, whatever their number", async () => {
    const cost = async (options: RequestOptions) => {
      gateway.statements.length = 0;
      await list("", options);
      return gateway.statements.filter(({ text }) => !text.includes(`"api_keys"`)).length;
    };
    const none = await gateway.openVendor();
    expect([await cost(none), await cost(vendor)]).toEqual([2, 2]);
  });
});

describe("an answer with a secret, saved for a repeat", () => {
  const send = (options: RequestOptions & { key: string }, at = gateway) =>
    at.sendGraphQL(
      "mutation ($input: CreateChildVendorInput!) { createChildVendor(input: $input) { child { uuid secretKey paymentKey } } }",
      { input: newChildBody },
      { ...options, headers: { "idempotency-key": options.key } },
    );

  test("is repeated, and is stored encrypted, with the hash of the request", async () => {
    const first = await send({ key: "child-1" });
    expect(await send({ key: "child-1" })).toEqual(first);
    const { secretKey, paymentKey } = first.data!.createChildVendor.child;
    const [row] = await queryRows<{ body: string; hash: Buffer; sealed: Buffer }>(
      gateway,
      "select body, request_hash as hash, sealed from idempotency_keys where key = 'child-1'",
    );
    expect([row!.body, row!.hash.length]).toEqual(["", 0]);
    for (const secret of [secretKey, paymentKey]) expect(row!.sealed.includes(secret!)).toBe(false);
  });

  test("is still compared with another request", async () => {
    await send({ key: "child-2" });
    const other = await gateway.sendGraphQL(
      'mutation { setExchangeRate(input: { currency: "USD", rate: 1 }) { exchangeRates { rate } } }',
      {},
      { headers: { "idempotency-key": "child-2" } },
    );
    expect([other.status, problemOf(other)[0]]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("is refused when it cannot be encrypted, and no child is created", async () => {
    const keyless = await startGateway({ secretsKeys: [] });
    expect(problemOf(await send({ key: "child-3" }, keyless))[0]).toBe("SECRETS_KEY_MISSING");
    const { childVendors } = await keyless.queryData("{ childVendors { totalCount } }");
    expect(childVendors.totalCount).toBe(0);
  });
});
