import { beforeEach, describe, expect, test } from "vitest";
import type { PersonRole } from "../../../schema/vocabulary.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { openPersonSession, postJson } from "../../support/fixtures/console-person.ts";
import { MINUTE } from "../../support/test-clock.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";

/* People over the API: roles, the last owner, and what callers may not give. Their invitations are in test/console. */

const gateway = await startGateway({ trustedProxies: ["127.0.0.1"] });
let vendor: TestVendor;
beforeEach(async () => {
  vendor = await gateway.openVendor();
});

const FIELDS = "id databaseId email role state invitationExpiresAt";
const INVITE = `mutation ($input: InvitePersonInput!) { invitePerson(input: $input) { person { ${FIELDS} } } }`;
const CHANGE = `mutation ($input: ChangePersonRoleInput!) { changePersonRole(input: $input) { person { ${FIELDS} } } }`;
const REMOVE = `mutation ($input: PersonInput!) { removePerson(input: $input) { person { ${FIELDS} } } }`;

let people = 0;
const openPerson = (role: PersonRole) =>
  openPersonSession(gateway, vendor.id, { email: `person-${++people}@example.com`, role });

/** The answer to a document: its data, or the code of its refusal. */
async function send(document: string, input: object, sender: { token: string } | { cookie: string } = vendor) {
  const { data, errors } =
    "token" in sender
      ? await gateway.sendRawGraphQL(document, { input }, sender)
      : (await postJson(gateway, "/graphql", { query: document, variables: { input } }, sender)).json();
  return errors?.[0].extensions.code ?? Object.values<{ person: object }>(data)[0]!.person;
}

const list = async () =>
  (await gateway.queryRawData(`{ people { totalCount nodes { ${FIELDS} } } }`, {}, vendor)).people;

const owners = () =>
  queryRows(
    gateway,
    `select id from managers where vendor_id = ${vendor.id} and role = 'OWNER' and enabled and password_hash <> 'none'`,
  );

describe("a person", () => {
  test("is invited, gets another role and is removed, and the list follows", async () => {
    const invited = await send(INVITE, { email: "kim@example.com", role: "FINANCE" });
    const expiry = new Date(gateway.clock.now().getTime() + 7 * 86_400_000).toISOString();
    expect(invited).toMatchObject({
      email: "kim@example.com",
      role: "FINANCE",
      state: "INVITED",
      invitationExpiresAt: expiry,
    });
    expect(await send(CHANGE, { personId: invited.id, role: "SUPPORT" })).toEqual({ ...invited, role: "SUPPORT" });
    expect(await list()).toEqual({ totalCount: 1, nodes: [{ ...invited, role: "SUPPORT" }] });
    expect(await send(INVITE, { email: "KIM@example.com", role: "OWNER" })).toBe("PERSON_EXISTS");
    expect(await send(REMOVE, { personId: invited.databaseId })).toMatchObject({
      state: "REMOVED",
      invitationExpiresAt: null,
    });
    expect(await list()).toEqual({ totalCount: 0, nodes: [] });
    expect(await send(REMOVE, { personId: invited.id })).toBe("PERSON_NOT_FOUND");
    gateway.clock.advance(MINUTE);
    expect(await send(INVITE, { email: "Kim@example.com", role: "OWNER" })).toMatchObject({
      id: invited.id,
      state: "INVITED",
    });
    const events = await queryRows<{ type: string }>(
      gateway,
      `select type, facts from event_log where vendor_id = ${vendor.id} and subject = 'PERSON' order by occurred_at, id`,
    );
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      ...["PERSON_INVITED", "PERSON_INVITED", "PERSON_REMOVED", "PERSON_ROLE_CHANGED"],
    ]);
    expect(JSON.stringify(events)).not.toContain("kim@");
  });

  test.each(["no address", `${"a".repeat(250)}@example.com`, "a@b\r\nBcc: c@d"])(
    "is not invited by the address %j",
    async (email) => {
      const { errors } = await gateway.sendRawGraphQL(INVITE, { input: { email, role: "SUPPORT" } }, vendor);
      expect(errors![0]!.extensions.code).toBe("INVALID_ARGUMENT");
    },
  );

  test("of another vendor can be neither seen nor changed, and the same address can work for both", async () => {
    const mine = await send(INVITE, { email: "both@example.com", role: "SUPPORT" });
    const stranger = await gateway.openVendor();
    for (const personId of [mine.id, String(mine.databaseId)]) {
      expect(await send(CHANGE, { personId, role: "READ_ONLY" }, stranger)).toBe("PERSON_NOT_FOUND");
      expect(await send(REMOVE, { personId }, stranger)).toBe("PERSON_NOT_FOUND");
    }
    expect(await send(INVITE, { email: "both@example.com", role: "OWNER" }, stranger)).toMatchObject({
      state: "INVITED",
    });
    expect((await list()).nodes).toEqual([mine]);
  });
});

describe("the last owner", () => {
  test("can be neither removed nor given another role, also while another owner is only invited", async () => {
    const owner = await openPerson("OWNER");
    await send(INVITE, { email: "second@example.com", role: "OWNER" });
    expect(await send(REMOVE, { personId: owner.id }, owner)).toBe("LAST_OWNER");
    expect(await send(CHANGE, { personId: owner.id, role: "FINANCE" })).toBe("LAST_OWNER");
    await openPerson("OWNER");
    expect(await send(REMOVE, { personId: owner.id }, owner)).toMatchObject({ state: "REMOVED" });
  });

  test.each([
    ["remove", (personId: number): [string, object] => [REMOVE, { personId }]],
    ["demote", (personId: number): [string, object] => [CHANGE, { personId, role: "SUPPORT" }]],
  ])("remains when two owners %s each other at the same moment", async (_verb, requestFor) => {
    for (let round = 0; round < 5; round++) {
      vendor = await gateway.openVendor();
      const [one, other] = [await openPerson("OWNER"), await openPerson("OWNER")];
      const results = await Promise.all([send(...requestFor(other.id), one), send(...requestFor(one.id), other)]);
      const refusals = results.filter((result) => typeof result === "string");
      expect(refusals).toEqual([expect.stringMatching(/^(?:LAST_OWNER|PERMISSION_DENIED|SESSION_ENDED)$/)]);
      expect(await owners()).toHaveLength(1);
    }
  });

  test("remains when all of three owners step back at the same moment", async () => {
    const three = [await openPerson("OWNER"), await openPerson("OWNER"), await openPerson("OWNER")];
    const results = await Promise.all(
      three.map((self) => send(CHANGE, { personId: self.id, role: "READ_ONLY" }, self)),
    );
    expect(results.filter((result) => result === "LAST_OWNER")).toHaveLength(1);
    expect(await owners()).toHaveLength(1);
  });
});

describe("a caller", () => {
  test("cannot give a role that may do more, with a key of fewer scopes", async () => {
    const create = `mutation { createApiKey(input: { name: "admin", scopes: [ADMIN] }) { token } }`;
    const { token } = (await gateway.queryRawData(create, {}, vendor)).createApiKey;
    for (const role of ["OWNER", "FINANCE", "SUPPORT", "READ_ONLY"])
      expect(await send(INVITE, { email: "more@example.com", role }, { token })).toBe("PERMISSION_DENIED");
    const { id } = await send(INVITE, { email: "more@example.com", role: "READ_ONLY" });
    expect(await send(CHANGE, { personId: id, role: "OWNER" }, { token })).toBe("PERMISSION_DENIED");
  });

  test.each(["FINANCE", "SUPPORT", "READ_ONLY"] as const)("with the role %s changes nobody", async (role) => {
    const [owner, colleague] = [await openPerson("OWNER"), await openPerson(role)];
    expect(await send(INVITE, { email: "x@example.com", role: "READ_ONLY" }, colleague)).toBe("PERMISSION_DENIED");
    expect(await send(CHANGE, { personId: colleague.id, role: "OWNER" }, colleague)).toBe("PERMISSION_DENIED");
    expect(await send(REMOVE, { personId: owner.id }, colleague)).toBe("PERMISSION_DENIED");
  });

  test("cannot change people from a page of another origin", async () => {
    const owner = await openPerson("OWNER");
    const body = { query: INVITE, variables: { input: { email: "x@example.com", role: "OWNER" } } };
    const headers = { cookie: owner.cookie, origin: "https://attacker.example" };
    const answer = await postJson(gateway, "/graphql", body, headers);
    expect([answer.statusCode, (await list()).totalCount]).toEqual([403, 1]);
  });
});
