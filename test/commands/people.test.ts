import { describe, expect, test } from "vitest";
import { cookieOf, postJson } from "../support/fixtures/console-person.ts";
import { startCommands } from "./command-gateway.ts";
import { faultsOf, recordOf } from "./command-line.ts";

const { gateway, people, newVendor } = await startCommands();

const tokenOf = (link: string) => /^http:\/\/127\.0\.0\.1:4000\/invitation#([\w-]{43})$/.exec(link)![1]!;
const signIn = (email: string, password: string) => postJson(gateway, "/console/sign-in", { email, password });

describe("people", () => {
  test("are added with a link, sign in, change their role, are removed and added again", async () => {
    const { vendor } = await newVendor();
    const person = (command: string, email: string, ...words: string[]) =>
      people(command, "--vendor", vendor, "--email", email, ...words);
    const added = recordOf(await person("add", "kim@example.com", "--role", "OWNER"));
    expect(added).toMatchObject({ vendor, email: "kim@example.com", role: "OWNER", enabled: "true" });
    // The gateway's clock stands before that of the command.
    const body = { token: tokenOf(added["link"]!), password: "correct horse" };
    expect((await postJson(gateway, "/console/password", body)).statusCode).toBe(200);
    const cookie = cookieOf(await signIn("kim@example.com", "correct horse"))!;

    expect((await person("add", "KIM@example.com", "--role", "SUPPORT")).err).toContain(
      "The vendor has a person with this e-mail address.",
    );
    const lastOwner = "The vendor would have no owner. Give another person the role OWNER first.";
    expect((await person("set-role", "kim@example.com", "--role", "SUPPORT")).err).toContain(lastOwner);
    expect((await person("remove", "kim@example.com")).err).toContain(lastOwner);

    const lee = recordOf(await person("add", "lee@example.com", "--role", "OWNER"));
    // An invited owner is none yet.
    expect((await person("remove", "kim@example.com")).err).toContain(lastOwner);
    await postJson(gateway, "/console/password", { token: tokenOf(lee["link"]!), password: "correct horse" });
    expect(recordOf(await person("remove", "kim@example.com"))).toMatchObject({ enabled: "false" });
    const ended = await postJson(gateway, "/graphql", { query: "{ vendor { uuid } }" }, { cookie });
    expect(ended.json().errors[0].extensions.code).toBe("SESSION_ENDED");
    expect((await signIn("kim@example.com", "correct horse")).statusCode).toBe(403);

    const again = recordOf(await person("add", "kim@example.com", "--role", "read_only"));
    expect(again).toMatchObject({ role: "READ_ONLY", enabled: "true", emailVerified: "false" });
    expect((await signIn("kim@example.com", "correct horse")).statusCode).toBe(403);
    const { out } = await people("list", "--vendor", vendor);
    expect(out.split("\n").map((line) => line.split("\t").slice(0, 3))).toEqual([
      ["email", "role", "enabled"],
      ["kim@example.com", "READ_ONLY", "true"],
      ["lee@example.com", "OWNER", "true"],
      [""],
    ]);
  });

  test("are not added with wrong arguments", async () => {
    const { vendor } = await newVendor();
    expect(faultsOf(await people("add", "--vendor", vendor, "--email", "kim", "--role", "BOSS"))).toEqual([
      "--email must be an e-mail address.",
      "--role must be one of OWNER, FINANCE, SUPPORT, READ_ONLY.",
    ]);
    expect((await people("remove", "--vendor", vendor, "--email", "nobody@example.com")).err).toContain(
      "The vendor has no person with this e-mail address.",
    );
  });
});
