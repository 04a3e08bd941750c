import { expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import {
  expectNoChanges,
  expectedInvalidFields,
  expectedRefusal,
  sendRestForText,
  statusAndBody,
} from "../../support/rest-assertions.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const fields = (partnerId = uniqueName("customer")) =>
  `"name":"Kim","email":"kim@example.com","phone":"1","partnerCustomerId":"${partnerId}"`;
const send = (body: string | Buffer) => sendRestForText(gateway, "POST", "/cover/customer", body);
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test.each<[string, string | Buffer]>([
  ["an opened brace", "{"],
  ["a word", "hello"],
  ["a trailing comma", `{${fields()},}`],
  ["single quotes", "{'name':'Kim'}"],
  ["a comment", `{${fields()} /* x */}`],
  ["two documents", `{${fields()}} {}`],
  ["NaN", `{${fields()},"x":NaN}`],
  ["a number with a leading zero", `{${fields()},"x":01}`],
  ["a line break within a text", `{${fields()},"x":"a\nb"}`],
  ["a broken escape", `{${fields()},"x":"\\u00zz"}`],
  [
    "bytes that are no UTF-8",
    Buffer.concat([Buffer.from(`{${fields()},"x":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
  ],
  ["UTF-16", Buffer.from(`{${fields()}}`, "utf16le")],
  ["a key that stands twice with different values", `{${fields()},"name":"Lee"}`],
  ["a key that stands twice in an unknown field", `{${fields()},"x":{"a":1,"a":2}}`],
  ["a thousand levels", `{${fields()},"x":${deep(1000)}}`],
  ["a hundred thousand levels", `{${fields()},"x":${deep(100_000)}}`],
])("%s is no JSON", (_, body) =>
  expectNoChanges(gateway, async () => {
    const { status, text } = await send(body);
    expect({ status, code: JSON.parse(text).errorCode }).toEqual({ status: 400, code: "MALFORMED_JSON" });
  }),
);

test.each([
  ["a list", "[]"],
  ["a list of one body", `[{${fields()}}]`],
  ["a text", '"name"'],
  ["a number", "1"],
  ["a number that is too large", "1e400"],
  ["true", "true"],
  ["null", "null"],
  ["nothing", ""],
  ["white space", " \n "],
])("%s is no object", (_, body) =>
  expectNoChanges(gateway, async () =>
    expect(statusAndBody(await gateway.post("/cover/customer", body))).toMatchObject(
      expectedInvalidFields(["body", "INVALID_TYPE"]),
    ),
  ),
);

test("an absent body is no object either, with a content type or without", () =>
  expectNoChanges(gateway, async () => {
    for (const headers of [{}, { "content-type": "application/json" }] as Record<string, string>[]) {
      expect(statusAndBody(await gateway.sendRest("POST", "/cover/customer", undefined, { headers }))).toMatchObject(
        expectedInvalidFields(["body", "INVALID_TYPE"]),
      );
    }
  }));

test.each([
  ["a byte order mark", () => Buffer.from(`\ufeff{${fields()}}`)],
  ["escaped letters", () => `{${fields("\\u0061" + uniqueName("x"))}}`],
  ["white space around", () => `\r\n\t {${fields()}} \n`],
  ["a key that stands twice with the same value", () => `{${fields()},"name":"Kim"}`],
  ["sixty levels in an unknown field", () => `{${fields()},"x":${deep(60)}}`],
  ["an unknown number that is too large", () => `{${fields()},"x":1e400}`],
  ["an unknown field named __proto__", () => `{${fields()},"__proto__":{"name":"x"}}`],
  ["unknown fields named as methods are", () => `{${fields()},"constructor":1,"toString":2,"hasOwnProperty":3}`],
])("%s is harmless", async (_, body) => {
  const { status, text } = await send(body());
  expect({ status, name: JSON.parse(text).name }).toEqual({ status: 201, name: "Kim" });
});

test("a field that only __proto__ has is absent", () =>
  expectNoChanges(gateway, async () => {
    const { status } = await send(`{"__proto__":{${fields()}}}`);
    expect(status).toBe(400);
  }));

test("an error of the body never repeats what was sent", async () => {
  for (const body of ['{"name": hunter2}', '{"name":"hunter2","name":"hunter3"}', '{"name":"hunter2"']) {
    const answer = await gateway.post("/cover/customer", body);
    expect(statusAndBody(answer)).toEqual(expectedRefusal(400, "MALFORMED_JSON"));
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter/);
  }
});
