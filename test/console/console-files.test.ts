import { readdirSync, readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { startGateway } from "../support/test-gateway.ts";
import { buildOnce } from "../support/build-once.ts";

/* The console's page and files over HTTP, and who gets the demo's token. The console itself is tested in test/browser. */

await buildOnce();
const DEMO_TOKEN = "a-demo-token";
const gateway = await startGateway({ demoToken: DEMO_TOKEN, isLoopback: true });
const reachable = await startGateway({ demoToken: DEMO_TOKEN, isLoopback: false });
const withoutDemo = await startGateway({ isLoopback: true });

const PAGE_HEADERS = { accept: "text/html,application/xhtml+xml", host: "127.0.0.1:4000" };
const openPage = (url: string, headers: Record<string, string> = {}, of = gateway) =>
  of.gateway.server.inject({ method: "GET", url, headers: { ...PAGE_HEADERS, ...headers } });
const requestToken = (headers: Record<string, string>, of = gateway) =>
  of.gateway.server.inject({ method: "POST", url: "/console/demo", headers });

let script = "";

beforeAll(async () => {
  const { body } = await openPage("/");
  script = /<script [^>]*src="([^"]+)"/.exec(body)![1]!;
});

/** The paths of the console's own routes, with a record's number where they have one. */
const consolePaths = [
  ...readFileSync(projectFile("src/console/app.tsx"), "utf8").matchAll(/<Route path="([^"]+)"/g),
].map(([, path]) => (path === "/docs/:name" ? "/docs/webhooks" : path!.replace(/:\w+/, "7")));

describe("the console's page", () => {
  test("is served at each path that the console has a page for", async () => {
    expect(consolePaths.length).toBeGreaterThan(20);
    const statuses = await Promise.all(consolePaths.map(async (url) => [url, (await openPage(url)).statusCode]));
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
  });

  test.each(["/", "/recovery", "/recovery/7", "/payments", "/graphql?explorer=graphiql"])(
    "is served at %s under a policy with its own nonce",
    async (url) => {
      const [one, other] = [await openPage(url), await openPage(url)];
      expect(one.statusCode).toBe(200);
      expect(one.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(one.headers["cache-control"]).toBe("no-store");
      expect(one.headers["x-content-type-options"]).toBe("nosniff");
      const nonce = / nonce="([^"]+)"/.exec(one.body)![1]!;
      expect(one.headers["content-security-policy"]).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      expect(other.body).not.toContain(nonce);
    },
  );

  test("has no inline script, and no token", async () => {
    const { body } = await openPage("/");
    expect(body.match(/<script(?![^>]* src=)/)).toBeNull();
    expect(body).not.toContain(DEMO_TOKEN);
  });
});

describe("each guide", () => {
  test("is served as a page, with the REST reference", async () => {
    const files = ["docs", "docs/guides"].flatMap((folder) => readdirSync(projectFile(folder)));
    const names = files.filter((name) => name.endsWith(".md")).map((name) => name.replace(/[.]md$/, ""));
    expect(names.length).toBeGreaterThan(20);
    const statuses = await Promise.all(
      [...names, "rest"].map(async (name) => [name, (await openPage(`/docs/${name}`)).statusCode]),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
  });
});

describe("a file of the console", () => {
  test.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
  ])("is sent compressed when the browser accepts %s", async (accepted, coding, decompress) => {
    const plain = await openPage(script, { "accept-encoding": "identity" });
    const packed = await openPage(script, { "accept-encoding": accepted });
    expect(packed.headers["content-encoding"]).toBe(coding);
    expect(packed.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(packed.headers["vary"]).toContain("accept-encoding");
    expect(decompress(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(plain.headers["content-encoding"]).toBeUndefined();
  });

  test.each([
    "/console/index.html",
    "/console/guides.json",
    "/console/../package.json",
    "/console/%2e%2e/package.json",
    "/console/",
  ])("is not found at %s", async (url) => {
    const { statusCode, body } = await gateway.gateway.server.inject({ method: "GET", url });
    expect([statusCode, body]).toEqual([404, expect.not.stringContaining("{{nonce}}")]);
  });
});

describe("an address that does not exist", () => {
  test.each([
    "/nothing",
    "/recovery/7/x",
    "/docs/nothing",
    "/docs/guides.json",
    "/docs/webhooks/x",
    "/docs/errors/NO_SUCH_CODE",
    "/console/no-such-file.js",
  ])("is answered with a page when a browser opens %s", async (url) => {
    const { statusCode, headers } = await openPage(url);
    expect([statusCode, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  });

  test.each(["/api/v1/nothing", "/api"])("is answered with JSON below /api, as at %s", async (url) => {
    const { statusCode, headers } = await openPage(url);
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  });

  test.each([
    ["is no address", "/%zz", 400, "BAD_REQUEST"],
    ["needs a token", "/graphql?query=%7Bvendor%7Bname%7D%7D", 403, "TOKEN_MISSING"],
  ])("that %s is answered with a page that says what to do", async (_reason, url, status, code) => {
    const { statusCode, headers, body } = await openPage(url);
    expect([statusCode, headers["content-type"]]).toEqual([status, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(body).toContain(`<h1>${code}</h1>`);
    expect(body).toMatch(/What to do:<\/strong> \S/);
    expect(body).toMatch(/Trace id: <code>[\da-f]{32}<\/code>/);
  });

  test("that a form is sent to is answered with a page, too", async () => {
    const { statusCode, headers, body } = await gateway.gateway.server.inject({
      method: "POST",
      url: "/console/sign-in",
      headers: { ...PAGE_HEADERS, "content-type": "application/x-www-form-urlencoded" },
      payload: "email=kim%40example.com",
    });
    expect([statusCode, headers["content-type"]]).toEqual([415, "text/html; charset=utf-8"]);
    expect(body).toContain("<h1>UNSUPPORTED_MEDIA_TYPE</h1>");
  });

  test("is answered with JSON when a program requests it", async () => {
    const { statusCode, headers } = await openPage("/nothing", { accept: "*/*" });
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  });
});

describe("the demo's token", () => {
  test.each(["127.0.0.1:4000", "localhost:4000", "LOCALHOST", "[::1]:4000"])(
    "is sent to a page of %s",
    async (host) => {
      const { statusCode, headers, body } = await requestToken({ host, origin: `http://${host}` });
      const variables = { orderId: "1", subscriptionId: "1" };
      expect([statusCode, JSON.parse(body)]).toEqual([200, { token: DEMO_TOKEN, variables }]);
      expect(headers["cache-control"]).toBe("no-store");
      expect((await openPage("/", { host })).body).toContain('content="offered"');
    },
  );

  test.each([
    ["a site whose name leads to this machine", { host: "attacker.example:4000" }],
    ["a name that begins like this machine's", { host: "127.0.0.1.attacker.example" }],
    ["a name that ends like this machine's", { host: "attacker.example.localhost" }],
    ["a proxy on this machine", { host: "127.0.0.1:4000", "x-forwarded-for": "203.0.113.9" }],
    ["a proxy that names itself", { host: "localhost:4000", via: "1.1 proxy" }],
    ["a proxy that follows RFC 7239", { host: "localhost:4000", forwarded: "for=203.0.113.9" }],
  ])("is not sent to %s", async (_caller, headers) => {
    const { statusCode, body } = await requestToken(headers);
    expect([statusCode, body]).toEqual([404, expect.not.stringContaining(DEMO_TOKEN)]);
    expect((await openPage("/", headers)).body).toContain('content="none"');
    // The Sandbox page would contain it, so GraphiQL is sent, which asks for it.
    const { statusCode: explorerStatus, body: explorerPage } = await openPage("/graphql", headers);
    expect([explorerStatus, explorerPage]).toEqual([200, expect.stringContaining("<title>GraphiQL · Recoup</title>")]);
    expect(explorerPage).toContain('content="none"');
    expect(explorerPage).not.toContain(DEMO_TOKEN);
  });

  test("is in the Sandbox page on the machine that runs the gateway", async () => {
    expect((await openPage("/graphql")).body).toContain(DEMO_TOKEN);
  });

  test("cannot be read by a page of another port", async () => {
    const { headers } = await requestToken({ host: "127.0.0.1:4000", origin: "http://127.0.0.1:3000" });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test.each([
    ["a gateway that others can reach", reachable],
    ["a gateway without demo data", withoutDemo],
  ])("is not sent by %s", async (_gateway, of) => {
    const headers = { host: "127.0.0.1:4000" };
    expect((await requestToken(headers, of)).statusCode).toBe(404);
    expect((await openPage("/", headers, of)).body).toContain('content="none"');
  });
});
