import { describe, expect, test } from "vitest";
import { PAGE_ORIGIN, SessionPages } from "../../support/fixtures/session-pages.ts";
import { listenOnLoopback } from "../../support/test-browser.ts";
import { MINUTE } from "../../support/test-clock.ts";
import { startGateway } from "../../support/test-gateway.ts";

/* The origin of a session token: what it may be, who may send it, and what a preflight is answered. */

const gateway = await startGateway();
const pages = new SessionPages(gateway, await listenOnLoopback(gateway));
const webServer = await pages.createKey(["READ", "SESSIONS"]);

describe("the input of a session token", () => {
  test.each([
    "http://team.example.com",
    "https://team.example.com/",
    "https://team.example.com/app",
    "https://Team.example.com",
    "https://team.example.com:443",
    "https://user@team.example.com",
    "https://*.example.com",
    "https://téam.example.com",
    "team.example.com",
    "ftp://team.example.com",
    "http://127.0.0.2:3000",
    "http://localhost.evil.example",
    "null",
    "*",
    "",
    `https://${"a".repeat(300)}.example.com`,
  ])("is refused with the origin %j", async (origin) => {
    const { errors } = await pages.createSession(webServer, { origin });
    expect(errors![0]!.extensions.code).toBe("INVALID_ARGUMENT");
    expect(errors![0]!.extensions.details!.fields![0]!.path).toMatch(/origin$/);
  });

  test.each(["https://a.example:8443", "http://localhost:3000", "http://127.0.0.1:5173", "http://[::1]:8080"])(
    "is accepted with the origin %j",
    async (origin) => {
      expect((await pages.send(await pages.createToken(webServer, { origin }), { origin })).sharedWith).toBe(origin);
    },
  );

  test("has 1 to 60 minutes, and 15 by default", async () => {
    for (const minutes of [0, -1, 61, 100_000])
      expect((await pages.createSession(webServer, { minutes })).errors![0]!.extensions.code).toBe("INVALID_ARGUMENT");
    const { data } = await pages.createSession(webServer);
    expect(Date.parse(data.createSessionToken.expiresAt) - gateway.clock.now().getTime()).toBe(15 * MINUTE);
  });
});

describe("a session token", () => {
  test.each([
    ["without an origin", {}],
    ["from a page of the own machine", { origin: "http://localhost:3000" }],
    ["from another host", { origin: "https://evil.example" }],
    ["from a subdomain", { origin: "https://a.team.example.com" }],
    ["from another port", { origin: "https://team.example.com:8443" }],
    ["without TLS", { origin: "http://team.example.com" }],
    ["from an origin that only begins alike", { origin: "https://team.example.com.evil.example" }],
    ["from a sandboxed frame", { origin: "null" }],
    ["with two origins", { origin: `${PAGE_ORIGIN}, https://evil.example` }],
    ["with a referer alone", { referer: `${PAGE_ORIGIN}/` }],
  ] as [string, Record<string, string>][])("is refused %s, and nobody may read why", async (_case, headers) => {
    const answer = await pages.send(await pages.createToken(webServer), headers);
    expect(answer).toMatchObject({ status: 403, code: "SESSION_ORIGIN_REFUSED", sharedWith: null });
  });
});

describe("a preflight", () => {
  const preflight = (path: string, origin: string, requested: string) =>
    fetch(pages.address + path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        ...(requested !== "" && { "access-control-request-headers": requested }),
      },
    });
  const allowedBy = async (path: string, origin: string, requested: string) =>
    (await preflight(path, origin, requested)).headers.get("access-control-allow-origin");

  test("permits any https origin to send a Session-Token to /graphql, without cookies", async () => {
    const answer = await preflight("/graphql", PAGE_ORIGIN, "content-type,session-token");
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, PAGE_ORIGIN]);
    expect(answer.headers.get("access-control-allow-methods")).toBe("POST");
    expect(answer.headers.get("access-control-allow-headers")).toBe("content-type,session-token");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("vary")).toMatch(/\bOrigin\b/i);
  });

  test("permits nothing for other paths, other headers and other origins", async () => {
    expect(await allowedBy("/api/v1/orders", PAGE_ORIGIN, "content-type,session-token")).toBeNull();
    expect(await allowedBy("/console/sign-in", PAGE_ORIGIN, "content-type,session-token")).toBeNull();
    for (const headers of ["content-type", "", "content-type,secret-token", "session-token,Secret-Token"])
      expect(await allowedBy("/graphql", PAGE_ORIGIN, headers)).toBeNull();
    for (const origin of ["null", "http://team.example.com", "https://x.example/", "*"])
      expect(await allowedBy("/graphql", origin, "session-token")).toBeNull();
  });
});
