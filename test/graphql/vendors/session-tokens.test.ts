import { createHmac, hkdfSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { openPersonSession, postJson } from "../../support/fixtures/console-person.ts";
import {
  ADD_CUSTOMER,
  CREATE_SESSION,
  PAGE_ORIGIN,
  READ_VENDOR,
  SessionPages,
} from "../../support/fixtures/session-pages.ts";
import { numberEvents } from "../../support/number-events.ts";
import { listenOnLoopback } from "../../support/test-browser.ts";
import { MINUTE } from "../../support/test-clock.ts";
import { SECRETS_KEY, startGateway } from "../../support/test-gateway.ts";

/* Tokens that a back end creates for its pages: weaker and shorter than their key. */

const gateway = await startGateway({ requestsPerMinute: 1_000 });
const pages = new SessionPages(gateway, await listenOnLoopback(gateway));
const webServer = await pages.createKey(["READ", "WRITE", "SESSIONS"]);

describe("a session token", () => {
  test("is accepted from a page of its origin, which may read the answer, until its minutes are over", async () => {
    const { data } = await pages.createSession(webServer, { minutes: 20 });
    const { token, scopes, expiresAt } = data.createSessionToken;
    expect([scopes, expiresAt]).toEqual([
      ["READ"],
      new Date(gateway.clock.now().getTime() + 20 * MINUTE).toISOString(),
    ]);
    const answer = await pages.send(token);
    expect(answer).toMatchObject({ status: 200, data: { vendor: { name: "Test vendor" } }, sharedWith: PAGE_ORIGIN });
    expect(answer.headers.get("vary")).toMatch(/\bOrigin\b/i);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    gateway.clock.advance(20 * MINUTE);
    expect(await pages.send(token)).toMatchObject({
      ...{ status: 403, code: "SESSION_TOKEN_INVALID", sharedWith: PAGE_ORIGIN },
    });
  });

  test("ends with its key: revoked, expired, or replaced and past its hours of grace", async () => {
    const revoked = await pages.createKey(["READ", "SESSIONS"]);
    const token = await pages.createToken(revoked);
    await gateway.queryRawData(`mutation { revokeApiKey(input: { keyId: "${revoked.id}" }) { key { id } } }`);
    expect(await pages.send(token)).toMatchObject({ code: "SESSION_TOKEN_INVALID", sharedWith: PAGE_ORIGIN });

    const soon = new Date(gateway.clock.now().getTime() + 5 * MINUTE);
    const expiring = await pages.createKey(["READ", "SESSIONS"], { expiresAt: soon });
    const { data } = await pages.createSession(expiring, { minutes: 60 });
    expect(data.createSessionToken.expiresAt).toBe(soon.toISOString());

    const replaced = await pages.createKey(["READ", "SESSIONS"]);
    const early = await pages.createToken(replaced, { minutes: 60 });
    await gateway.queryRawData(
      `mutation { rotateApiKey(input: { keyId: "${replaced.id}", graceHours: 0 }) { key { id } } }`,
    );
    expect(await pages.send(early)).toMatchObject({ code: "SESSION_TOKEN_INVALID" });
    const graced = await pages.createKey(["READ", "SESSIONS"]);
    await gateway.queryRawData(
      `mutation { rotateApiKey(input: { keyId: "${graced.id}", graceHours: 1 }) { key { id } } }`,
    );
    gateway.clock.advance(30 * MINUTE);
    const late = await pages.createSession(graced, { minutes: 60 });
    expect((await pages.send(late.data.createSessionToken.token)).status).toBe(200);
    gateway.clock.advance(30 * MINUTE);
    expect(await pages.send(late.data.createSessionToken.token)).toMatchObject({ code: "SESSION_TOKEN_INVALID" });
  });

  test("is refused when its vendor is disabled, and reads its own vendor only", async () => {
    const vendor = await gateway.openVendor({ name: "Other vendor" });
    const token = await pages.createToken(await pages.createKey(["READ", "SESSIONS"], { vendorId: vendor.id }));
    expect((await pages.send(token)).data).toEqual({ vendor: { name: "Other vendor" } });
    await queryRows(gateway, `update vendors set enabled = false where id = ${vendor.id} and id > 0`);
    expect(await pages.send(token)).toMatchObject({ status: 403, code: "VENDOR_DISABLED" });
  });

  test("is refused when a letter of it changed, or another purpose or key signed it", async () => {
    const token = await pages.createToken(webServer);
    const [payload, signature] = token.slice("recoup_session_".length).split(".") as [string, string];
    const values = JSON.parse(Buffer.from(payload, "base64url").toString()) as unknown[];
    const encode = (changed: unknown[]) => Buffer.from(JSON.stringify(changed)).toString("base64url");
    const sign = (text: string, key: Buffer, purpose: string) =>
      createHmac("sha256", Buffer.from(hkdfSync("sha256", key, "", purpose, 32)))
        .update(text)
        .digest("base64url");
    const stronger = encode(values.with(4, ["READ", "ADMIN"]));
    const forged = [
      `recoup_session_${stronger}.${signature}`,
      `recoup_session_${payload}.${sign(payload, SECRETS_KEY, "checkout link")}`,
      `recoup_session_${payload}.${sign(payload, Buffer.alloc(32, 1), "session token")}`,
      `${payload}.${signature}`,
      `recoup_session_${payload}.`,
      webServer.token,
      "x".repeat(4_000),
      "",
    ];
    for (const text of forged)
      expect(await pages.send(text)).toMatchObject({ status: 403, code: "SESSION_TOKEN_INVALID", sharedWith: null });
    expect((await pages.send(`recoup_session_${payload}.${sign(payload, SECRETS_KEY, "session token")}`)).status).toBe(
      200,
    );
  });

  test("does not act for the person whose cookie the browser sends with it", async () => {
    const owner = await openPersonSession(gateway, gateway.vendor.id, { email: "owner@example.com", role: "OWNER" });
    const headers = { origin: PAGE_ORIGIN, cookie: owner.cookie };
    const answer = await pages.send(await pages.createToken(webServer), headers, ADD_CUSTOMER);
    expect(answer.code).toBe("PERMISSION_DENIED");
    expect(await pages.send("recoup_session_x.y", { ...headers, origin: pages.address })).toMatchObject({
      code: "SESSION_TOKEN_INVALID",
    });
  });

  test("is accepted at POST /graphql only: not by REST, by a GET or by a stream", async () => {
    const token = await pages.createToken(webServer);
    const headers = { "session-token": token, origin: PAGE_ORIGIN };
    for (const path of ["/api/v1/orders", `/graphql?query=${encodeURIComponent(READ_VENDOR)}`]) {
      const response = await fetch(pages.address + path, { headers });
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("TOKEN_MISSING")]);
    }
    const stream = await pages.send(
      token,
      { origin: PAGE_ORIGIN, accept: "text/event-stream" },
      "subscription { events { name } }",
    );
    expect(stream).toMatchObject({ status: 403, code: "TOKEN_MISSING" });
  });

  test("has a rate limit of its own", async () => {
    const key = await pages.createKey(["READ", "SESSIONS"]);
    const token = await pages.createToken(key);
    await pages.send(token);
    const page = await pages.send(token);
    expect(page.headers.get("ratelimit")).toContain("r=998");
    expect((await pages.createSession(key)).data.createSessionToken.token).not.toBe(token);
  });
});

describe("the permissions of a session", () => {
  test("are those of its scopes: it reads, or writes, and creates neither tokens, keys nor people", async () => {
    const everything = await pages.createKey(["READ", "WRITE", "RECOVERY", "ADMIN", "SESSIONS"]);
    const reader = await pages.createToken(everything, { scopes: ["READ"] });
    expect((await pages.send(reader, undefined, ADD_CUSTOMER)).code).toBe("PERMISSION_DENIED");
    const writer = await pages.createToken(everything, { scopes: ["READ", "WRITE", "RECOVERY"] });
    expect((await pages.send(writer, undefined, ADD_CUSTOMER)).data).toEqual({
      createCustomer: { customer: { name: "Kim" } },
    });
    const forbidden = [
      `mutation { createSessionToken(input: { origin: "${PAGE_ORIGIN}", scopes: [READ] }) { token } }`,
      `mutation { createApiKey(input: { name: "x", scopes: [READ] }) { token } }`,
      `mutation { rotateApiKey(input: { keyId: "${everything.id}" }) { token } }`,
      `mutation { invitePerson(input: { email: "x@example.com", role: READ_ONLY }) { person { id } } }`,
      `mutation { eraseCustomer(input: { customerId: "1", confirmCode: "x" }) { customer { id } } }`,
    ];
    for (const query of forbidden)
      expect(await pages.send(writer, undefined, query)).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("are no more than those of the key", async () => {
    for (const scopes of [["WRITE"], ["READ", "RECOVERY"]])
      expect(
        (await pages.createSession(await pages.createKey(["READ", "SESSIONS"]), { scopes })).errors![0]!.extensions
          .code,
      ).toBe("PERMISSION_DENIED");
    for (const scopes of [["ADMIN"], ["READ", "SESSIONS"], []]) {
      const { errors } = await pages.createSession(await pages.createKey(["READ", "ADMIN"]), { scopes });
      expect([errors![0]!.extensions.code, errors![0]!.extensions.details!.fields![0]!.path]).toEqual([
        "INVALID_ARGUMENT",
        "input.scopes",
      ]);
    }
    expect(
      (await pages.createSession(await pages.createKey(["READ", "WRITE", "RECOVERY"]))).errors![0]!.extensions.code,
    ).toBe("PERMISSION_DENIED");
    expect((await pages.createSession(await pages.createKey(["READ", "ADMIN"]))).errors).toBeUndefined();
  });

  test("cannot be given by a person, who has no key", async () => {
    const { cookie } = await openPersonSession(gateway, gateway.vendor.id, { email: "kim@example.com", role: "OWNER" });
    const input = { origin: PAGE_ORIGIN, scopes: ["READ"] };
    const answer = (
      await postJson(gateway, "/graphql", { query: CREATE_SESSION, variables: { input } }, { cookie })
    ).json();
    expect(answer.errors[0]).toMatchObject({
      message: expect.stringContaining("call with a Secret-Token"),
      extensions: { code: "PERMISSION_DENIED" },
    });
  });
});

describe("what is recorded", () => {
  test("names key, session and origin, and events of a page name the session", async () => {
    const vendor = await gateway.openVendor();
    const key = await pages.createKey(["READ", "WRITE", "SESSIONS"], { vendorId: vendor.id });
    const { data } = await pages.createSession(key, { scopes: ["WRITE"] });
    const { token, sessionId } = data.createSessionToken;
    await pages.send(token, undefined, ADD_CUSTOMER);
    await numberEvents(gateway);
    const { events } = await gateway.queryRawData(
      "{ events(last: 10) { nodes { name data author { kind name sessionId } } } }",
      {},
      vendor,
    );
    const [created, customer] = ["key.session_created", "customer.created"].map((name) =>
      events.nodes.find((event: { name: string }) => event.name === name),
    );
    expect(created.data).toMatchObject({
      ...{ keyId: key.id, facts: { keyName: "web server", sessionId, origin: PAGE_ORIGIN } },
      author: { kind: "KEY", keyId: key.id },
    });
    expect(created.author.sessionId).toBeNull();
    expect(customer.author).toEqual({ kind: "KEY", name: "web server", sessionId });
    expect(customer.data.author).toEqual({ kind: "KEY", keyId: key.id, sessionId });
  });

  test("is not the token: neither in the log nor in the database", async () => {
    const headers = { "idempotency-key": "a session" };
    const input = { origin: PAGE_ORIGIN, scopes: ["READ"] };
    const options = { token: webServer.token, headers };
    const first = (await gateway.queryRawData(CREATE_SESSION, { input }, options)).createSessionToken;
    expect((await gateway.queryRawData(CREATE_SESSION, { input }, options)).createSessionToken).toEqual(first);
    const refused = await pages.send(first.token, { origin: "https://evil.example" });
    expect((await pages.send(first.token)).status).toBe(200);
    const signature = first.token.split(".")[1]!;
    const stored = await Promise.all(
      ["event_log", "idempotency_keys", "request_counts"].map((table) =>
        queryRows(gateway, `select t::text from ${table} t`),
      ),
    );
    for (const text of [JSON.stringify(stored), gateway.logLines.join(), refused.text])
      expect(text).not.toContain(signature);
    expect(JSON.stringify(stored)).not.toContain(Buffer.from(signature).toString("hex"));
  });
});
