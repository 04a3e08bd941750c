import { describe, expect, test, vi } from "vitest";
import { gatewayAt, NOBODY, startCommands, TOKEN_NOTE } from "./command-gateway.ts";
import { faultsOf, recordOf } from "./command-line.ts";

const { gateway, keys, opened, newVendor } = await startCommands();

/** The scopes and the end of a key without limits. */
const unlimited = ["READ,WRITE,RECOVERY,ADMIN", "-"];

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The rows of `keys list`. */
async function listed(vendor: string): Promise<string[][]> {
  const { code, out } = await keys("list", "--vendor", vendor);
  expect(code).toBe(0);
  const [headings, ...rows] = out
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  expect(headings).toEqual(["id", "name", "ending", "created", "lastUsed", "revoked", "scopes", "expires"]);
  return rows;
}

describe.concurrent("keys", () => {
  test("are valid side by side until one is revoked", async () => {
    const { vendor, token: first, key: firstId } = await newVendor("--sandbox");
    const second = recordOf(await keys("create", "--vendor", vendor, "--name", "billing server"));
    expect(second).toEqual({
      ...{ vendor, key: expect.stringMatching(/^\d+$/), name: "billing server", ending: second["token"]!.slice(-4) },
      created: expect.stringMatching(INSTANT),
      scopes: "READ,WRITE,RECOVERY,ADMIN",
      expires: "-",
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
    // Another process has revoked it: a gateway may use its last look-up for a second.
    await vi.waitFor(async () => expect(await opened(first)).toBe("TOKEN_INVALID"), 2_000);
    for (const token of [second["token"]!, third.token]) expect(await opened(token)).toMatchObject({ uuid: vendor });

    expect(await listed(vendor)).toEqual([
      [
        firstId,
        "first",
        first.slice(-4),
        expect.stringMatching(INSTANT),
        expect.anything(),
        revoked["revoked"],
        ...unlimited,
      ],
      [
        second["key"],
        "billing server",
        second["token"]!.slice(-4),
        second["created"],
        expect.anything(),
        "-",
        ...unlimited,
      ],
      [String(third.key), "key", third.ending, third.created, expect.anything(), "-", ...unlimited],
    ]);
  });

  test("permit what their scopes say, until they expire", async () => {
    const { vendor } = await newVendor();
    const key = recordOf(await keys("create", "--vendor", vendor, "--scopes", "read,Recovery", "--days", "30"));
    expect(key).toMatchObject({ scopes: "READ,RECOVERY", expires: expect.stringMatching(INSTANT) });
    expect(Date.parse(key["expires"]!) - Date.parse(key["created"]!)).toBeGreaterThan(29 * 86_400_000);
    const rename = `mutation { updateVendor(input: { name: "Renamed" }) { vendor { name } } }`;
    const { errors } = await gateway.sendRawGraphQL(rename, {}, { token: key["token"]! });
    expect(errors![0]!.extensions.code).toBe("PERMISSION_DENIED");
    // The test's gateway has its own clock, which stands before the end.
    expect(await opened(key["token"]!)).toMatchObject({ uuid: vendor });
    const later = await gatewayAt(gateway.databaseUrl, { now: () => new Date(key["expires"]!) });
    expect(await later.asks(key["token"]!)).toBeUndefined();
    await later.close();
    const wrong = await keys("create", "--vendor", vendor, "--scopes", "READ,EVERYTHING", "--days", "0");
    expect(faultsOf(wrong)).toEqual([
      "--scopes must be words of READ,WRITE,RECOVERY,ADMIN,SESSIONS, with commas between.",
      "--days must be a whole number from 1 to 9999.",
    ]);
  });

  test("list shows the last use once a gateway has recorded it", async () => {
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
          scopes: "READ,WRITE,RECOVERY,ADMIN",
          expires: null,
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
      // Eight characters of the random part would prove that more than the ending was saved.
      const random = secret.slice("recoup_live_".length);
      for (let start = 0; start + 8 <= random.length; start++) {
        const part = random.slice(start, start + 8);
        expect(all.includes(part) || all.includes(Buffer.from(part).toString("hex"))).toBe(false);
      }
    }
  });

  test("refuse another vendor's key, and a second revocation", async () => {
    const [mine, other] = await Promise.all([newVendor(), newVendor()]);
    expect(await keys("revoke", "--vendor", mine.vendor, "--key", other.key)).toEqual({
      code: 1,
      out: "",
      err: `The vendor has no valid key with this id.\n`,
    });
    expect(await opened(other.token)).toMatchObject({ uuid: other.vendor });
    await keys("revoke", "--vendor", mine.vendor, "--key", mine.key);
    expect(await keys("revoke", "--vendor", mine.vendor, "--key", mine.key)).toMatchObject({
      code: 1,
      err: `The vendor has no valid key with this id.\n`,
    });
    expect(await listed(mine.vendor)).toHaveLength(1);
  });

  const FIRST_WORD = "The argument after recoup keys must be one of: create, revoke, list. Options follow it.";
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
      ["--name must be one line of text, and not blank.", "--vendor: there is no vendor with this uuid."],
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
      ["--key must be the id of a key.", "--vendor: there is no vendor with this uuid."],
    ],
  ])("refuse %j", async (words, faults) => {
    const ended = await keys(...words);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(faultsOf(ended)).toEqual(faults);
  });

  test("print help for each subcommand", async () => {
    const { code, out } = await keys("revoke", "--help");
    expect(code).toBe(0);
    expect(out).toMatch(/USAGE recoup keys revoke/);
    expect(out).toMatch(/--key=<id>/);
  });
});
