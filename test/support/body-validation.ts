import { describe, expect, test } from "vitest";
import type { TestGateway } from "./test-gateway.ts";
import type { RestPath } from "./rest-answers.ts";
import { expectNoChanges, expectedExplanation, expectedInvalidFields, statusAndBody } from "./rest-assertions.ts";

/* The same tests for every body of the recovery module. */

type WrongValues = readonly unknown[];

/** Numbers and booleans are accepted as their text where text is expected, and the other way round. */
const nonTexts: WrongValues = [{}, []];
const nonEnumValues: WrongValues = [1, true, {}, []];
const nonNumbers: WrongValues = ["one", "", "01", "0x1", " 1", true, {}, []];
const malformedTexts: WrongValues = ["a\0b", "\ud800"];
const tooLongText = (length: number) => "x".repeat(length + 1);

/** A field's type, by the values that it refuses: values of another JSON type, and invalid values of the right type. */
const wrongValuesByKind = {
  id: { type: nonNumbers, value: [0, -1, 1.5] },
  count: { type: [...nonNumbers, 1.5], value: [0, -1, 2 ** 31] },
  amount: { type: nonNumbers, value: [-1, -0.01, 1.1234567, 1234567890123456] },
  boolean: { type: ["yes", "TRUE", "", 1, 0, {}, []], value: [] },
  instant: {
    type: nonEnumValues,
    value: ["", "tomorrow", "2026-03-01", "2026-02-30T00:00:00Z", "2026-03-01 09:30:00Z"],
  },
  interval: { type: nonEnumValues, value: ["", "month", "DECADE"] },
  gateway: { type: nonEnumValues, value: ["", "house", "PROVIDER_22"] },
  name: { type: nonTexts, value: ["", "  ", tooLongText(500), ...malformedTexts] },
  partnerId: { type: nonTexts, value: ["", "  ", tooLongText(255), ...malformedTexts] },
  line: { type: nonTexts, value: [tooLongText(255), ...malformedTexts] },
  text: { type: nonTexts, value: [tooLongText(4000), ...malformedTexts] },
  link: {
    type: nonTexts,
    value: [
      tooLongText(2048),
      ...malformedTexts,
      "javascript:alert(1)",
      " Java\nScript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
    ],
  },
  email: { type: nonTexts, value: ["", "nobody", "a b@example.com", `${tooLongText(315)}@x.kr`, ...malformedTexts] },
  phone: { type: nonTexts, value: ["", "none", "1".repeat(65), ...malformedTexts] },
  array: { type: ["x", 1, true, {}], value: [] },
} satisfies Record<string, { type: WrongValues; value: WrongValues }>;

type FieldKind = keyof typeof wrongValuesByKind;

/** The fields of a body, each with its type; a `!` marks a required one. */
export type FieldKinds = Readonly<Record<string, FieldKind | `${FieldKind}!`>>;

const wrongValuesOf = (mark: string) => wrongValuesByKind[mark.replace("!", "") as FieldKind];
const isRequired = (mark: string) => mark.endsWith("!");
const formatValue = (value: unknown) => (value === undefined ? "nothing" : JSON.stringify(value)).slice(0, 40);

/**
 * Tests which bodies are refused, and which fields are ignored. `valid` makes an accepted body with the required fields
 * only.
 */
export function describeBodyValidation(
  gateway: TestGateway,
  path: RestPath<"POST">,
  valid: () => object,
  fields: FieldKinds,
): void {
  const send = (body: object) => gateway.post(path, body);
  /**
   * Sends each value in turn; all answers are compared at once, so that a failure shows every value that was wrongly
   * accepted.
   */
  const refusesAll = (field: string, values: WrongValues, code: string) =>
    expectNoChanges(gateway, async () => {
      const answers: unknown[] = [];
      for (const value of values)
        answers.push([formatValue(value), statusAndBody(await send({ ...valid(), [field]: value }))]);
      expect(answers).toEqual(values.map((value) => [formatValue(value), expectedInvalidFields([field, code])]));
    });

  describe(`the body of ${path}`, () => {
    const required = Object.keys(fields).filter((field) => isRequired(fields[field]!));
    const optional = Object.keys(fields).filter((field) => !isRequired(fields[field]!));

    test("that is empty names every required field", async () => {
      const { status, body } = await expectNoChanges(gateway, () => send({}));
      expect({ status, code: body.errorCode }).toEqual({ status: 400, code: "INVALID_ARGUMENT" });
      const named = body.details!.fields!.map(({ path: at, code }) => `${at} ${code}`);
      expect(named.sort()).toEqual(required.map((field) => `${field} REQUIRED`).sort());
    });

    for (const field of required) {
      test(`needs ${field}`, () => refusesAll(field, [undefined, null], "REQUIRED"));
    }

    for (const [field, mark] of Object.entries(fields)) {
      const { type, value } = wrongValuesOf(mark);
      test(`refuses ${field} of the wrong type`, () => refusesAll(field, type, "INVALID_TYPE"));
      if (value.length > 0)
        test(`refuses ${field} with a wrong value`, () => refusesAll(field, value, "INVALID_VALUE"));
    }

    test("ignores unknown fields", async () => {
      const { status } = await send({ ...valid(), memo: "x", id: 7, constructor: { name: "x" }, createdAt: 5 });
      expect(status).toBe(201);
    });

    test("accepts null for every optional field", async () => {
      const nulls = Object.fromEntries(optional.map((field) => [field, null]));
      const { status } = await send({ ...valid(), ...nulls });
      expect(status).toBe(201);
    });
  });
}

/** The value of a sent field in the answer. Defaults to the field itself. */
export interface FieldChange {
  sent: Record<string, unknown>;
  answered?: Record<string, unknown>;
}

/** The registrations that replaceIfExists is for. */
type ReplaceablePath = `/cover/${"customer" | "product" | "price" | "subscription" | "order"}`;

/**
 * Tests a second registration of the same partner id. `full` makes a body with every field, `least` reduces it to the
 * required ones.
 */
export function describeReplaceIfExists(
  gateway: TestGateway,
  path: ReplaceablePath,
  {
    full: fullBody,
    least: requiredFields,
    changes,
  }: { full: () => Record<string, unknown>; least: readonly string[]; changes: () => Record<string, FieldChange> },
): void {
  const requiredOf = (body: Record<string, unknown>) =>
    Object.fromEntries(requiredFields.map((field) => [field, body[field]]));

  describe(`${path} with a registered partner id`, () => {
    test.each([undefined, false, null])(
      "is refused and changes nothing when replaceIfExists is %s",
      async (replaceIfExists) => {
        const body = fullBody();
        const { id } = await gateway.readRestBody("POST", path, body);
        const again = await expectNoChanges(gateway, () => gateway.post(path, { ...body, replaceIfExists }));
        expect(statusAndBody(again)).toEqual({
          status: 400,
          body: {
            errorCode: "DUPLICATE_PARTNER_ID",
            errorMessage: expect.any(String),
            traceId: expect.any(String),
            details: { id, fields: expect.any(Array), ...expectedExplanation("DUPLICATE_PARTNER_ID") },
          },
        });
      },
    );

    test("answers the same record when the same body is sent again with replaceIfExists", async () => {
      const body = fullBody();
      const first = await gateway.post(path, body);
      expect(statusAndBody(await gateway.post(path, { ...body, replaceIfExists: true }))).toEqual(statusAndBody(first));
      expect(statusAndBody(await gateway.post(path, { ...requiredOf(body), replaceIfExists: true }))).toEqual(
        statusAndBody(first),
      );
    });

    for (const name of Object.keys(changes())) {
      test(`overwrites ${name} only when just that is sent with replaceIfExists`, async () => {
        const { sent, answered = sent } = changes()[name]!;
        const body = fullBody();
        const first = await gateway.post(path, body);
        const replaced = await gateway.post(path, { ...requiredOf(body), ...sent, replaceIfExists: true });
        expect(statusAndBody(replaced)).toEqual({ status: 201, body: { ...first.body, ...answered } });
      });
    }

    test("is registered by exactly one of thirty concurrent requests", async () => {
      const body = fullBody();
      const answers = await Promise.all(Array.from({ length: 30 }, () => gateway.post(path, body)));
      const won = answers.filter(({ status }) => status === 201);
      const lost = answers.filter(({ status }) => status === 400);
      expect([won.length, lost.length]).toEqual([1, 29]);
      for (const { body: told } of lost) {
        expect(told).toMatchObject({ errorCode: "DUPLICATE_PARTNER_ID", details: { id: won[0]!.body.id } });
      }
    });
  });
}
