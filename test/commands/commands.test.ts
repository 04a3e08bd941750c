import { access, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/database/client.ts";
import { startEmbedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openGateway } from "../../src/gateway.ts";
import { systemClock, type Clock } from "../../src/kernel/clock.ts";
import { build } from "../support/build.ts";
import { startGateway } from "../support/gateway.ts";
import { commandsOn, faultsOf, npmRun, recordOf } from "./command-line.ts";

const gateway = await startGateway();
const settings = { DATABASE_URL: gateway.databaseUrl };
const { vendorCreate, keys } = commandsOn(settings);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOBODY = "1f0c8c3e-0000-4000-8000-000000000000";
const TOKEN_NOTE = "The token is shown this once and never again. Keep it now.";

/** The vendor that a token opens GraphQL for, or the code of the refusal. */
async function opened(token: string): Promise<any> {
  const { data, errors } = await gateway.graphql(
    "{ vendor { uuid name zoneId currency country sandbox } }",
    {},
    { token },
  );
  return errors?.[0]?.extensions["code"] ?? data.vendor;
}

/** Opens a vendor by the command. */
const newVendor = async (...words: string[]) =>
  recordOf(await vendorCreate("--name", "Bean Club", ...words)) as { vendor: string; token: string; key: string };

/** The rows of `keys list`. */
async function listed(vendor: string): Promise<string[][]> {
  const { code, out } = await keys("list", "--vendor", vendor);
  expect(code).toBe(0);
  const [headings, ...rows] = out
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  expect(headings).toEqual(["id", "name", "ending", "created", "lastUsed", "revoked"]);
  return rows;
}

beforeAll(async () => {
  await build();
  // The package script builds first, and finds nothing to write.
  const help = await npmRun("keys", ["--help"], {}, true);
  expect(help).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/USAGE npm run keys -- create\|revoke\|list/),
  });
});

describe.concurrent("vendor:create", () => {
  test("opens a vendor whose token opens GraphQL", async () => {
    const made = recordOf(await npmRun("vendor:create", ["--name", " Bean Club "], settings));
    expect(made).toEqual({
      vendor: expect.stringMatching(UUID),
      ...{ name: "Bean Club", zone: "Asia/Seoul", currency: "KRW", country: "KR", sandbox: "false", parent: "-" },
      key: expect.stringMatching(/^\d+$/),
      token: expect.stringMatching(/^recoup_live_[\w-]{43}$/),
      note: TOKEN_NOTE,
    });
    const place = { zoneId: "Asia/Seoul", currency: "KRW", country: "KR" };
    expect(await opened(made["token"]!)).toEqual({ uuid: made["vendor"], name: "Bean Club", sandbox: false, ...place });
  });

  test("opens a sandbox elsewhere, and tells it as JSON", async () => {
    const place = ["--zone", "America/New_York", "--currency=USD", "--country", "US"];
    const { out, err } = await vendorCreate("--name", "Bean Club", "--sandbox", "--json", ...place);
    expect(err).toBe("");
    const made = JSON.parse(out);
    expect(made).toEqual({
      vendor: expect.stringMatching(UUID),
      ...{ name: "Bean Club", zone: "America/New_York", currency: "USD", country: "US", sandbox: true, parent: null },
      key: expect.any(Number),
      token: expect.stringMatching(/^recoup_test_/),
    });
    const opens = { zoneId: "America/New_York", currency: "USD", country: "US", sandbox: true };
    expect(await opened(made.token)).toMatchObject({ uuid: made.vendor, ...opens });
  });

  test("makes a child of the same kind as its parent", async () => {
    const [sandbox, live] = await Promise.all([newVendor("--sandbox"), newVendor()]);
    expect(await newVendor("--parent", sandbox.vendor)).toMatchObject({ sandbox: "true", parent: sandbox.vendor });
    expect(await newVendor("--parent", live.vendor.toUpperCase())).toMatchObject({
      sandbox: "false",
      parent: live.vendor,
    });
    expect(faultsOf(await vendorCreate("--name", "Child", "--parent", live.vendor, "--sandbox"))).toEqual([
      "--sandbox: a child is of its parent's kind, and that is live.",
    ]);
    expect(faultsOf(await vendorCreate("--name", "Child", "--parent", sandbox.vendor, "--no-sandbox"))).toEqual([
      "--sandbox: a child is of its parent's kind, and that is a sandbox.",
    ]);
  });

  test("tells all that is wrong at once and opens nothing", async () => {
    const words = [
      "--name",
      " ",
      "--zone",
      "Asia/Soul",
      "--currency",
      "KRX",
      "--country",
      "kor",
      "--parent",
      NOBODY,
      "--colour",
      "red",
      "-x",
      "--json=1",
      "rest",
    ];
    const ended = await vendorCreate(...words);
    expect(ended).toMatchObject({ code: 1, out: "" });
    expect(ended.err).not.toMatch(/\n\s+at /);
    expect(faultsOf(ended)).toEqual([
      "--json takes no value.",
      "There is no option --colour.",
      "There is no option -x.",
      "There are words that belong to no option; put a text with blanks in quotes.",
      "--name must be a text on one line, and not blank.",
      "--zone must be a zone of the IANA time zone database, such as Asia/Seoul.",
      "--currency must be an ISO 4217 code in capitals, such as KRW.",
      "--country must be two capitals, such as KR.",
      "--parent: there is no vendor with this uuid.",
    ]);
    expect(await gateway.database.handle.execute("select from vendors where zone_id = 'Asia/Soul'")).toHaveLength(0);
  });

  test.each([
    [[], ["--name is missing."]],
    [["--name", "--sandbox"], ["--name must be a text on one line, and not blank."]],
    [["--no-name"], ["There is no option --no-name.", "--name must be a text on one line, and not blank."]],
    [["--name", "two\nlines"], ["--name must be a text on one line, and not blank."]],
    [
      ["--name=", "--currency=krw", "--parent=7"],
      [
        "--name must be a text on one line, and not blank.",
        "--currency must be an ISO 4217 code in capitals, such as KRW.",
        "--parent must be the uuid of a vendor.",
      ],
    ],
  ])("refuses %j without a database", async (words, faults) => {
    const ended = await commandsOn({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/nowhere" }).vendorCreate(...words);
    expect(ended).toMatchObject({ code: 1, out: "" });
    expect(faultsOf(ended)).toEqual(faults);
  });

  test("prints help, without a database and without colours where nobody looks", async () => {
    const { code, out } = await commandsOn({ DATA_DIR: "/nowhere" }).vendorCreate("--help");
    expect(code).toBe(0);
    for (const option of ["name", "zone", "currency", "country", "parent", "sandbox", "json"])
      expect(out).toContain(`--${option}`);
    expect(out).not.toContain("\u001b");
  });
});

describe.concurrent("keys", () => {
  test("live side by side until one is revoked", async () => {
    const { vendor, token: first, key: firstId } = await newVendor("--sandbox");
    const second = recordOf(await keys("create", "--vendor", vendor, "--name", "billing server"));
    expect(second).toEqual({
      ...{ vendor, key: expect.stringMatching(/^\d+$/), name: "billing server", ending: second["token"]!.slice(-4) },
      created: expect.stringMatching(INSTANT),
      token: expect.stringMatching(/^recoup_test_[\w-]{43}$/),
      note: TOKEN_NOTE,
    });
    const third = JSON.parse((await keys("create", "--vendor", vendor, "--json")).out);
    for (const token of [first, second["token"]!, third.token])
      expect(await opened(token)).toMatchObject({ uuid: vendor });

    const revoked = recordOf(await keys("revoke", "--vendor", vendor, "--key", firstId));
    expect(revoked).toEqual({
      vendor,
      key: firstId,
      name: "first",
      ending: first.slice(-4),
      revoked: expect.stringMatching(INSTANT),
    });
    expect(await opened(first)).toBe("TOKEN_INVALID");
    for (const token of [second["token"]!, third.token]) expect(await opened(token)).toMatchObject({ uuid: vendor });

    expect(await listed(vendor)).toEqual([
      [firstId, "first", first.slice(-4), expect.stringMatching(INSTANT), expect.anything(), revoked["revoked"]],
      [second["key"], "billing server", second["token"]!.slice(-4), second["created"], expect.anything(), "-"],
      [String(third.key), "key", third.ending, third.created, expect.anything(), "-"],
    ]);
  });

  test("list tells the last use once a gateway has written it down", async () => {
    const { vendor, token } = await newVendor();
    expect((await listed(vendor))[0]![4]).toBe("-");
    const clock = { now: () => new Date("2026-03-02T08:00:00.123Z") };
    const another = await gatewayAt(gateway.databaseUrl, clock);
    expect(await another.asks(token)).toMatchObject({ uuid: vendor });
    await another.close();
    expect((await listed(vendor))[0]![4]).toBe("2026-03-02T08:00:00.123Z");
    const { out } = await keys("list", "--vendor", vendor, "--json");
    expect(JSON.parse(out)).toEqual({
      vendor,
      keys: [
        {
          id: expect.any(Number),
          name: "first",
          ending: token.slice(-4),
          created: expect.stringMatching(INSTANT),
          lastUsed: "2026-03-02T08:00:00.123Z",
          revoked: null,
        },
      ],
    });
  });

  test("leave no trace of a token in the database", async () => {
    const { vendor, token } = await newVendor();
    const { token: second } = recordOf(await keys("create", "--vendor", vendor)) as { token: string };
    const rows = (await gateway.database.handle.execute(
      "select k::text as row from api_keys k union all select v::text from vendors v",
    )) as { row: string }[];
    const all = rows.map(({ row }) => row).join("\n");
    for (const secret of [token, second]) {
      expect(all).toContain(secret.slice(-4));
      // Eight characters of the random part are enough to say that more than the ending was kept.
      const random = secret.slice("recoup_live_".length);
      for (let start = 0; start + 8 <= random.length; start++) {
        const part = random.slice(start, start + 8);
        expect(all.includes(part) || all.includes(Buffer.from(part).toString("hex"))).toBe(false);
      }
    }
  });

  test("refuse what is not the vendor's, and a second revocation", async () => {
    const [mine, other] = await Promise.all([newVendor(), newVendor()]);
    expect(await keys("revoke", "--vendor", mine.vendor, "--key", other.key)).toEqual({
      code: 1,
      out: "",
      err: `The vendor has no live key ${other.key}.\n`,
    });
    expect(await opened(other.token)).toMatchObject({ uuid: other.vendor });
    await keys("revoke", "--vendor", mine.vendor, "--key", mine.key);
    expect(await keys("revoke", "--vendor", mine.vendor, "--key", mine.key)).toMatchObject({
      code: 1,
      err: `The vendor has no live key ${mine.key}.\n`,
    });
    expect(await listed(mine.vendor)).toHaveLength(1);
  });

  const FIRST_WORD = "The first word must be one of: create, revoke, list. Options follow it.";
  test.each([
    [[], [FIRST_WORD]],
    [["destroy", "--vendor", NOBODY], [FIRST_WORD]],
    [["--json", "list"], [FIRST_WORD]],
    [["list"], ["--vendor is missing."]],
    [
      ["list", "--vendor", NOBODY, "--key", "1"],
      ["There is no option --key.", "--vendor: there is no vendor with this uuid."],
    ],
    [
      ["create", "--vendor", NOBODY, "--name", ""],
      ["--name must be a text on one line, and not blank.", "--vendor: there is no vendor with this uuid."],
    ],
    [
      ["revoke", "--vendor", "7"],
      ["--key is missing.", "--vendor must be the uuid of a vendor."],
    ],
    [
      ["revoke", "--vendor", NOBODY],
      ["--key is missing.", "--vendor: there is no vendor with this uuid."],
    ],
    [
      ["revoke", "--vendor", NOBODY, "--key", "99999999999999999999"],
      ["--key must be the number of a key.", "--vendor: there is no vendor with this uuid."],
    ],
  ])("refuse %j", async (words, faults) => {
    const ended = await keys(...words);
    expect(ended).toMatchObject({ code: 1, out: "" });
    expect(faultsOf(ended)).toEqual(faults);
  });

  test("print help for each of their words", async () => {
    const { code, out } = await keys("revoke", "--help");
    expect(code).toBe(0);
    expect(out).toMatch(/npm run keys -- revoke/);
    expect(out).toMatch(/--key=<id>/);
  });
});

describe.concurrent("both", () => {
  test("say in words that the settings are wrong or the database is away", async () => {
    expect(await commandsOn({ DATABASE_URL: "mysql://x" }).keys("list", "--vendor", NOBODY)).toEqual({
      code: 1,
      out: "",
      err: "The settings are wrong:\n  - DATABASE_URL must be a postgres:// address; leave it out for the embedded database.\n",
    });
    const { code, err } = await commandsOn({ DATABASE_URL: "postgres://me:hidden@127.0.0.1:1/x" }).keys(
      "list",
      "--vendor",
      NOBODY,
    );
    expect({ code, err }).toEqual({
      code: 1,
      err: "The database cannot be reached (ECONNREFUSED). Check DATABASE_URL; without it the embedded database is used.\n",
    });
  });

  test("share the embedded database with a gateway, and stop it where they are alone", async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), "recoup-commands-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // Open to the user that PostgreSQL runs as where the tests run as root; otherwise the data would lie elsewhere.
    await chmod(folder, 0o755);
    const server = await startEmbedded({ dataDir: folder, durable: false });
    onTestFinished(() => server.release());
    await migrate(server.url);
    const running = await gatewayAt(server.url, systemClock);
    const here = commandsOn({ DATA_DIR: folder });

    const made = recordOf(await here.vendorCreate("--name", "Bean Club")) as { vendor: string; token: string };
    expect(await running.asks(made.token)).toMatchObject({ uuid: made.vendor });
    expect(await here.keys("list", "--vendor", NOBODY)).toMatchObject({ code: 1 });
    expect(await running.asks(made.token)).toMatchObject({ uuid: made.vendor });
    await running.close();
    await server.release();

    const runs = () =>
      access(join(folder, "postgres/data/postmaster.pid")).then(
        () => true,
        () => false,
      );
    expect(await runs()).toBe(false);
    expect(await here.keys("list", "--vendor", made.vendor)).toMatchObject({
      code: 0,
      out: expect.stringContaining("first"),
    });
    expect(await runs()).toBe(false);
    expect(await here.keys("revoke", "--vendor", made.vendor, "--key", "77")).toMatchObject({
      code: 1,
      err: "The vendor has no live key 77.\n",
    });
    expect(await runs()).toBe(false);
  }, 60_000);
});

/** A gateway beside that of the other tests, which a test may close. */
async function gatewayAt(url: string, clock: Clock) {
  const database = openDatabase({ url, connections: 2 });
  const logger = pino({ level: "silent" }) as FastifyBaseLogger;
  const another = await openGateway({ database, clock, logger, vocabulary: {} });
  const asks = async (token: string) => {
    const headers = { "secret-token": token, "content-type": "application/json" };
    const payload = { query: "{ vendor { uuid } }" };
    const { body } = await another.server.inject({ method: "POST", url: "/graphql", headers, payload });
    return JSON.parse(body).data?.vendor;
  };
  return { asks, close: () => another.close() };
}
