import { describe, expect, test } from "vitest";
import { NOBODY, startCommands, TOKEN_NOTE } from "./command-gateway.ts";
import { commandsOn, faultsOf, npmRun, recordOf } from "./command-line.ts";

const { gateway, settings, vendorCreate, opened, newVendor } = await startCommands();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe.concurrent("vendor:create", () => {
  test("opens a vendor whose token opens GraphQL", async () => {
    const made = recordOf(await npmRun("vendor:create", ["--name", " Bean Club "], settings));
    expect(made).toEqual({
      vendor: expect.stringMatching(UUID),
      ...{
        name: "Bean Club",
        zone: "Asia/Seoul",
        currency: "KRW",
        country: "KR",
        sandbox: "false",
        parent: "-",
        cell: "home",
      },
      key: expect.stringMatching(/^\d+$/),
      token: expect.stringMatching(/^recoup_live_[\w-]{43}$/),
      note: TOKEN_NOTE,
    });
    const place = { zoneId: "Asia/Seoul", currency: "KRW", country: "KR" };
    expect(await opened(made["token"]!)).toEqual({ uuid: made["vendor"], name: "Bean Club", sandbox: false, ...place });
  });

  test("opens a sandbox in another region, and prints it as JSON", async () => {
    const place = ["--zone", "America/New_York", "--currency=USD", "--country", "US"];
    const { out, err } = await vendorCreate("--name", "Bean Club", "--sandbox", "--json", ...place);
    expect(err).toBe("");
    const made = JSON.parse(out);
    expect(made).toEqual({
      vendor: expect.stringMatching(UUID),
      ...{
        name: "Bean Club",
        zone: "America/New_York",
        currency: "USD",
        country: "US",
        sandbox: true,
        parent: null,
        cell: "home",
      },
      key: expect.any(Number),
      token: expect.stringMatching(/^recoup_test_/),
    });
    const opens = { zoneId: "America/New_York", currency: "USD", country: "US", sandbox: true };
    expect(await opened(made.token)).toMatchObject({ uuid: made.vendor, ...opens });
  });

  test("creates a child with the same mode as its parent", async () => {
    const [sandbox, live] = await Promise.all([newVendor("--sandbox"), newVendor()]);
    expect(await newVendor("--parent", sandbox.vendor)).toMatchObject({ sandbox: "true", parent: sandbox.vendor });
    expect(await newVendor("--parent", live.vendor.toUpperCase())).toMatchObject({
      sandbox: "false",
      parent: live.vendor,
    });
    expect(faultsOf(await vendorCreate("--name", "Child", "--parent", live.vendor, "--sandbox"))).toEqual([
      "--sandbox must be the same as for the parent, which is live.",
    ]);
    expect(faultsOf(await vendorCreate("--name", "Child", "--parent", sandbox.vendor, "--no-sandbox"))).toEqual([
      "--sandbox must be the same as for the parent, which is a sandbox.",
    ]);
  });

  test("reports all errors at once and creates nothing", async () => {
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
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).not.toMatch(/\n\s+at /);
    expect(faultsOf(ended)).toEqual([
      "--json takes no value.",
      "There is no option --colour.",
      "There is no option -x.",
      "There are values without an option. Put text with spaces in quotes.",
      "--name must be one line of text, and not blank.",
      "--zone must be a time zone of the IANA time zone database, such as Asia/Seoul.",
      "--currency must be an ISO 4217 code in upper case, such as KRW.",
      "--country must be two upper-case letters, such as KR.",
      "--parent: there is no vendor with this uuid.",
    ]);
    expect(await gateway.database.handle.execute("select from vendors where zone_id = 'Asia/Soul'")).toHaveLength(0);
  });

  test.each([
    [[], ["--name is missing."]],
    [["--name", "--sandbox"], ["--name must be one line of text, and not blank."]],
    [["--no-name"], ["There is no option --no-name.", "--name must be one line of text, and not blank."]],
    [["--name", "two\nlines"], ["--name must be one line of text, and not blank."]],
    [
      ["--name=", "--currency=krw", "--parent=7"],
      [
        "--name must be one line of text, and not blank.",
        "--currency must be an ISO 4217 code in upper case, such as KRW.",
        "--parent must be the uuid of a vendor.",
      ],
    ],
  ])("refuses %j without a database", async (words, faults) => {
    const ended = await commandsOn({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/nowhere" }).vendorCreate(...words);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(faultsOf(ended)).toEqual(faults);
  });

  test("prints help, without a database and without colours when the output is no terminal", async () => {
    const { code, out } = await commandsOn({ DATA_DIR: "/nowhere" }).vendorCreate("--help");
    expect(code).toBe(0);
    for (const option of ["name", "zone", "currency", "country", "parent", "sandbox", "json"])
      expect(out).toContain(`--${option}`);
    expect(out).not.toContain("\u001b");
  });
});
