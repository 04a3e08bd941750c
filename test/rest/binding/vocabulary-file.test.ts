import { describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/database/client.ts";
import { openGateway } from "../../../src/gateway.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();

/** Another gateway on the same database, with a vocabulary file of its own. */
const open = (file: unknown) =>
  openGateway({
    database: openDatabase({ url: gateway.databaseUrl }),
    clock: gateway.clock,
    logger: gateway.gateway.server.log,
    vocabulary: file,
  });

test("a field that occurs only within a list is a neutral word too", async () => {
  const { server, close } = await open({ priceId: "planNo" });
  const document = (await server.inject({ url: "/openapi.json" })).json();
  await close();
  const { schema } = document.paths["/api/v1/cover/order"].post.requestBody.content["application/json"];
  expect(Object.keys(schema.properties.items.items.properties)).toEqual(["quantity", "planNo"]);
});

describe("an invalid vocabulary file prevents the start, and every problem is named", () => {
  test.each<[string, unknown, RegExp[]]>([
    ["an unknown word", { PROVIDER_22: "X" }, [/PROVIDER_22/]],
    ["a word in other letters", { provider_01: "X" }, [/provider_01/]],
    ["two values on one wire word", { PROVIDER_01: "X", PROVIDER_02: "X" }, [/PROVIDER_01.*PROVIDER_02.*"X"/]],
    [
      "two fields on one wire word",
      { paymentGateway: "pg", region: "pg" },
      [/paymentGateway.*region|region.*paymentGateway/],
    ],
    ["a value mapped to an unmapped neutral word", { PROVIDER_01: "UNKNOWN" }, [/PROVIDER_01/]],
    ["a field mapped to an unmapped neutral word", { paymentGateway: "amount" }, [/paymentGateway/]],
    ["a value that is no text", { PROVIDER_01: 5 }, [/PROVIDER_01/]],
    ["a value that is blank", { PROVIDER_01: " " }, [/PROVIDER_01/]],
    ["a value that nests", { paymentGateway: { PROVIDER_01: "X" } }, [/paymentGateway/]],
    ["a list", ["PROVIDER_01"], [/object/]],
    ["a text", "PROVIDER_01", [/object/]],
    ["null", null, [/object/]],
    [
      "many problems",
      { nobody: "a", nothing: "b", PROVIDER_01: "X", PROVIDER_02: "X", PROVIDER_03: 7 },
      [/nobody/, /nothing/, /PROVIDER_01/, /PROVIDER_03/],
    ],
  ])("%s", async (_, file, problems) => {
    const message = await open(file).then(String, String);
    expect(message).toMatch(/vocabulary/i);
    for (const problem of problems) expect(message.split("\n")).toContainEqual(expect.stringMatching(problem));
  });

  test.each<[string, object]>([
    ["nothing", {}],
    [
      "words that no route uses yet",
      { MESSENGER: "TALK", ONLINE_WALLET: "WALLET", marketingMessenger: "marketingTalk", cmsIntegration: "cms" },
    ],
    ["one wire word in two kinds", { PROVIDER_01: "TALK", MESSENGER: "TALK", region: "TALK" }],
    ["two swapped words", { PROVIDER_01: "PROVIDER_02", PROVIDER_02: "PROVIDER_01" }],
    ["a word mapped to itself", { PROVIDER_01: "PROVIDER_01" }],
  ])("while it may have %s", async (_, words) => {
    const { server, close } = await open(words);
    expect((await server.inject({ url: "/readyz" })).statusCode).toBe(200);
    await close();
  });
});
