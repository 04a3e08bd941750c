import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const live = gateway.vendor.token;
const sandbox = (await gateway.openVendor({ sandbox: true })).token;
const { server } = gateway.gateway;

const STUDIO = "https://studio.apollographql.com";
const allowed = [STUDIO, "http://localhost:3000", "https://localhost", "http://127.0.0.1:8080", "http://[::1]:5173"];
const strange = [
  "https://evil.example",
  "http://studio.apollographql.com",
  "https://studio.apollographql.com.evil.example",
  "https://evil-studio.apollographql.com",
  "https://sub.studio.apollographql.com",
  "http://localhost.evil.example",
  "http://localhost:3000.evil.example",
  "http://evil.example:3000/http://localhost",
  "http://127.0.0.2",
  "http://0.0.0.0:3000",
  "null",
  "",
];
const paths = ["/graphql", "/api/v1/cover/order"];

const preflight = (url: string, origin: string) =>
  server.inject({
    method: "OPTIONS",
    url,
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,secret-token,idempotency-key",
    },
  });

describe.each(paths)("a preflight for %s", (url) => {
  test.each(allowed)("from %s is allowed, for that origin only", async (origin) => {
    const { statusCode, headers } = await preflight(url, origin);
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-headers": "content-type,secret-token,idempotency-key",
      "access-control-allow-methods": expect.stringContaining("POST"),
      vary: expect.stringMatching(/\bOrigin\b/i),
    });
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test.each(strange)("from %j is not", async (origin) => {
    const { headers } = await preflight(url, origin);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });
});

const ask = (token: string | null, origin: string, query = "{ vendor { name } }") =>
  server.inject({
    method: "POST",
    url: "/graphql",
    headers: { origin, "content-type": "application/json", ...(token !== null && { "secret-token": token }) },
    payload: JSON.stringify({ query }),
  });

describe("an answer", () => {
  test.each(allowed)("to a sandbox vendor may be read by a page of %s", async (origin) => {
    expect((await ask(sandbox, origin)).headers["access-control-allow-origin"]).toBe(origin);
    expect((await ask(sandbox, origin, "{ nothing }")).headers["access-control-allow-origin"]).toBe(origin);
  });

  test.each(allowed)("to a live vendor may not be read by a page of %s", async (origin) => {
    expect((await ask(live, origin)).headers["access-control-allow-origin"]).toBeUndefined();
    expect((await ask(live, origin, "{ nothing }")).headers["access-control-allow-origin"]).toBeUndefined();
  });

  test.each(strange)("to anyone may not be read by a page of %j", async (origin) => {
    for (const token of [sandbox, live, null, "nobody"])
      expect((await ask(token, origin)).headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("reports a wrong token to a page of an allowed origin", async () => {
    const { statusCode, headers } = await ask("nobody", STUDIO);
    expect([statusCode, headers["access-control-allow-origin"]]).toEqual([403, STUDIO]);
  });

  test("varies by origin, so that no cache gives it to another", async () => {
    for (const token of [sandbox, live]) expect((await ask(token, STUDIO)).headers.vary).toMatch(/\bOrigin\b/i);
  });
});

test("no answer of any kind allows every origin", async () => {
  const answers = [
    ...(await Promise.all(paths.flatMap((url) => [...allowed, ...strange].map((origin) => preflight(url, origin))))),
    ...(await Promise.all([...allowed, ...strange].flatMap((origin) => [ask(sandbox, origin), ask(null, origin)]))),
    await server.inject({ method: "GET", url: "/livez", headers: { origin: STUDIO } }),
    await server.inject({ method: "GET", url: "/graphql", headers: { origin: STUDIO, accept: "text/html" } }),
    await server.inject({ method: "GET", url: "/nothing", headers: { origin: STUDIO } }),
  ];
  expect(answers.filter(({ headers }) => headers["access-control-allow-origin"] === "*")).toEqual([]);
});

describe("a GET", () => {
  const query = encodeURIComponent("{ vendor { name } }");
  const get = (url: string, headers: Record<string, string> = {}) => server.inject({ method: "GET", url, headers });

  test("with a token runs a query: the token is a header that no simple request has", async () => {
    const { statusCode, body } = await get(`/graphql?query=${query}`, { "secret-token": live });
    expect([statusCode, JSON.parse(body)]).toEqual([200, { data: { vendor: { name: "Test vendor" } } }]);
  });

  test("of a browser without a token shows the Sandbox page", async () => {
    const { statusCode, headers, body } = await get("/graphql", {
      accept: "text/html,application/xhtml+xml,*/*;q=0.8",
    });
    expect([statusCode, headers["content-type"]]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    expect(body).toMatch(/^\s*<!DOCTYPE html>[\s\S]*embeddable-sandbox/i);
  });

  test("of a browser with a query and without a token shows a page that says what to do", async () => {
    const { statusCode, headers, body } = await get(`/graphql?query=${query}`, { accept: "text/html" });
    expect([statusCode, headers["content-type"]]).toEqual([403, "text/html; charset=utf-8"]);
    expect(body).toContain("Send your token in the Secret-Token header.");
  });

  test.each([
    ["one that accepts anything", "/graphql", "*/*"],
    ["one that prefers JSON to a page", "/graphql", "application/json, text/html;q=0.5"],
    ["one that hides its query and prefers JSON", `/graphql?que%72y=${query}`, "application/json, text/html"],
  ])("%s, without a token is refused because the token is missing", async (_name, url, accept) => {
    for (const preflight of [{}, { "apollo-require-preflight": "1" }] as Record<string, string>[]) {
      const { statusCode, body } = await get(url, { accept, ...preflight });
      expect([statusCode, JSON.parse(body).errors[0].extensions.code]).toEqual([403, "TOKEN_MISSING"]);
    }
  });
});

test.each([
  ["a page", "/graphql", { accept: "text/html" }, 200],
  ["GraphiQL", "/graphql?explorer=graphiql", { accept: "text/html" }, 200],
  ["no page and no token", "/graphql", { accept: "*/*" }, 403],
  ["a query", `/graphql?query=${encodeURIComponent("{ vendor { name } }")}`, { "secret-token": live }, 200],
])("HEAD for %s has the status and the type of GET, and no body", async (_name, url, headers, status) => {
  const [get, head] = await Promise.all(
    (["GET", "HEAD"] as const).map((method) => server.inject({ method, url, headers })),
  );
  expect([get!.statusCode, head!.statusCode]).toEqual([status, status]);
  expect(head!.headers["content-type"]).toBe(get!.headers["content-type"]);
  expect(head!.body).toBe("");
});

test("HEAD for a stream of events opens none", async () => {
  const subscription = encodeURIComponent("subscription { events { messageId } }");
  const headers = { "secret-token": live, accept: "text/event-stream" };
  const answer = await server.inject({ method: "HEAD", url: `/graphql?query=${subscription}`, headers });
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(answer.headers["content-type"]).not.toContain("event-stream");
});

describe("a POST that a page of another origin can make without a preflight", () => {
  const simple = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
  const payload = JSON.stringify({ query: 'mutation { advanceTestClock(input: { by: "P1D" }) { now } }' });

  test.each(simple)("as %s, runs nothing", async (type) => {
    for (const headers of [{ "content-type": type }, { "content-type": type, "secret-token": sandbox }]) {
      gateway.statements.length = 0;
      const { statusCode } = await server.inject({ method: "POST", url: "/graphql", headers, payload });
      expect(statusCode).toBe("secret-token" in headers ? 415 : 403);
      expect(gateway.statements.filter(({ text }) => !text.includes("api_keys"))).toEqual([]);
    }
  });
});
