import { required } from "../../../src/kernel/required-values.ts";
import { describe, expect, test } from "vitest";
import type { KeyScope } from "../../../schema/vocabulary.ts";
import { buildGatewaySchema } from "../../../src/graphql/schema.ts";
import { createServices } from "../../../src/graphql/services.ts";
import { hashPassword } from "../../../src/kernel/secrets/password-hash.ts";
import {
  mutationAreas,
  permissionsOfScopes,
  rolePermissions,
  type Permissions,
} from "../../../src/vendors/people/mutation.permissions.ts";
import { operatorCaller } from "../../../src/vendors/people/caller.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { cookieOf, openPersonSession, postJson } from "../../support/fixtures/console-person.ts";
import { startGateway } from "../../support/test-gateway.ts";

/* What roles and scopes permit: at the roots of the schema for every mutation, and over HTTP for some. */

const gateway = await startGateway();
const mutations = Object.values(required(buildGatewaySchema().getMutationType(), "Mutation").getFields());

/** The code with which the root of a mutation refuses a caller; undefined if it begins to run. */
async function refusalOf(name: string, permissions: Permissions | undefined): Promise<unknown> {
  const field = mutations.find((mutation) => mutation.name === name)!;
  try {
    // A context without anything else: what is permitted fails in its resolver.
    await field.resolve!(undefined, { input: {} }, { caller: { permissions } }, undefined as never);
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code === "PERMISSION_DENIED" ? "PERMISSION_DENIED" : undefined;
  }
}

describe("each mutation", () => {
  test("has an area, and each area has a mutation", () => {
    expect(Object.keys(mutationAreas).sort()).toEqual(mutations.map(({ name }) => name).sort());
    expect(new Set(Object.values(mutationAreas))).toEqual(new Set(rolePermissions.OWNER.areas));
  });

  test.each(Object.entries(rolePermissions))(
    "is permitted to the role %s by its area only",
    async (_role, permissions) => {
      for (const { name } of mutations)
        expect([name, await refusalOf(name, permissions)]).toEqual([
          name,
          permissions.areas.includes(mutationAreas[name]!) ? undefined : "PERMISSION_DENIED",
        ]);
    },
  );

  test.each([["READ"], ["WRITE"], ["RECOVERY"], ["ADMIN"], ["SESSIONS"], ["READ", "RECOVERY"]] as KeyScope[][])(
    "is permitted to a key with %s %s by its area only",
    async (...scopes) => {
      const permissions = permissionsOfScopes(scopes);
      for (const { name } of mutations)
        expect([name, await refusalOf(name, permissions)]).toEqual([
          name,
          permissions.areas.includes(mutationAreas[name]!) ? undefined : "PERMISSION_DENIED",
        ]);
    },
  );

  test("is refused to a context without permissions", async () => {
    for (const { name } of mutations)
      expect([name, await refusalOf(name, undefined)]).toEqual([name, "PERMISSION_DENIED"]);
  });
});

const createKey = (scopes: KeyScope[]) =>
  gateway.database.transaction(async (handle) => {
    const { apiKeys } = createServices(handle, gateway.clock.now());
    return (await apiKeys.create(gateway.vendor.id, "scoped", false, { scopes })).token;
  });
const rename = { query: `mutation { a: updateVendor(input: { name: "Renamed" }) { vendor { name } } }` };

describe("permittedAreas", () => {
  test("are those of a key's scopes or of a person's role", async () => {
    const read = "{ permittedAreas }";
    const areasOf = async (scopes: KeyScope[]) =>
      (await gateway.queryRawData(read, {}, { token: await createKey(scopes) })).permittedAreas;
    expect(await areasOf(["READ"])).toEqual([]);
    expect(await areasOf(["READ", "RECOVERY", "SESSIONS"])).toEqual(["RECOVERY", "SESSIONS"]);
    expect(await areasOf(["READ", "ADMIN", "SESSIONS"])).toEqual(["ADMIN", "SESSIONS"]);
    const { cookie } = await openPersonSession(gateway, gateway.vendor.id, { email: "s@example.com", role: "SUPPORT" });
    const answer = await postJson(gateway, "/graphql", { query: read }, { cookie });
    expect(answer.json().data).toEqual({ permittedAreas: ["SUPPORT"] });
  });
});

describe("a key", () => {
  test("without READ can neither query, stream nor read over REST, but gets the payload of its mutations", async () => {
    const token = await createKey(["ADMIN"]);
    const denied = await gateway.sendGraphQL("{ vendor { name } }", {}, { token });
    expect(denied.errors![0]!.extensions.code).toBe("PERMISSION_DENIED");
    expect((await gateway.sendRawRest("GET", "/orders", undefined, { token })).body).toMatchObject({
      errorCode: "PERMISSION_DENIED",
    });
    const stream = await gateway.sendRawGraphQL(
      "subscription { events { name } }",
      {},
      { token, headers: { accept: "text/event-stream" } },
    );
    expect(stream.errors![0]!.extensions.code).toBe("PERMISSION_DENIED");
    const { data } = await gateway.sendRawGraphQL(rename.query, {}, { token });
    expect(data.a.vendor.name).toBe("Renamed");
  });

  test("with READ only cannot write over REST, under an alias, in a fragment or with an idempotency key", async () => {
    const token = await createKey(["READ"]);
    const customer = { name: "Kim", email: "kim@example.com", phone: "1", partnerCustomerId: "kim" };
    const { status, body } = await gateway.sendRawRest("POST", "/cover/customer", customer, { token });
    expect([status, body.errorCode]).toEqual([403, "PERMISSION_DENIED"]);
    const documents = [
      rename.query,
      `mutation { ...rename } fragment rename on Mutation { updateVendor(input: { name: "Renamed" }) { vendor { name } } }`,
    ];
    for (const document of documents)
      for (const headers of [undefined, { "idempotency-key": `key ${documents.indexOf(document)}` }]) {
        const { data, errors } = await gateway.sendRawGraphQL(document, {}, { token, headers });
        expect([data, errors!.map(({ extensions }) => extensions.code)]).toEqual([null, ["PERMISSION_DENIED"]]);
      }
  });
});

describe("a person", () => {
  test("may do what the role permits, and after a change of it from the next request on", async () => {
    const { people } = createServices(gateway.database.handle, gateway.clock.now());
    const { person } = await people.add(gateway.vendor.id, "owner@example.com", "OWNER");
    await people.add(gateway.vendor.id, "other@example.com", "OWNER");
    await queryRows(
      gateway,
      "update managers set password_hash = 'set' where vendor_id > 0 and username = 'other@example.com'",
    );
    await queryRows(
      gateway,
      `update managers set password_hash = '${await hashPassword("correct horse")}' where vendor_id > 0 and id = ${person.id}`,
    );
    const signedIn = await postJson(gateway, "/console/sign-in", { email: person.username, password: "correct horse" });
    const cookie = cookieOf(signedIn)!;
    const send = async (body: object) => (await postJson(gateway, "/graphql", body, { cookie })).json();
    expect((await send(rename)).data.a.vendor.name).toBe("Renamed");
    await people.changeRole(gateway.vendor.id, { email: "owner@example.com" }, "SUPPORT", operatorCaller);
    expect((await send(rename)).errors[0].extensions.code).toBe("PERMISSION_DENIED");
    expect((await send({ query: "{ vendor { name } }" })).data.vendor.name).toBe("Renamed");
    await people.remove(gateway.vendor.id, { email: "OWNER@example.com" }, operatorCaller);
    expect((await send(rename)).errors[0].extensions.code).toBe("SESSION_ENDED");
  });
});
