import { describe, expect, test } from "vitest";
import { describeBodyValidation, describeReplaceIfExists } from "../../support/body-validation.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { statusAndBody } from "../../support/rest-assertions.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();

const customer = () => ({
  name: "Kim Seo-yeon",
  email: "seoyeon@example.com",
  phone: "010-1234-5678",
  partnerCustomerId: uniqueName("customer"),
});

describe("POST /cover/customer", () => {
  test("registers a customer and answers exactly the five fields of the contract", async () => {
    const body = customer();
    expect(statusAndBody(await gateway.post("/cover/customer", body))).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        name: body.name,
        email: body.email,
        phone: "01012345678",
        partnerCustomerId: body.partnerCustomerId,
      },
    });
  });

  test.each([
    ["010-1234-5678", "01012345678"],
    ["+82 10-1234-5678", "+821012345678"],
    ["  +1 (555) 010.0199 ", "+15550100199"],
    ["(02) 123/4567", "021234567"],
    ["tel. 7", "7"],
    ["10+20", "1020"],
  ])("saves of the phone %s only the characters to dial: %s", async (phone, dialled) => {
    const { status, body } = await gateway.post("/cover/customer", { ...customer(), phone });
    expect([status, body.phone]).toEqual([201, dialled]);
  });

  test.each([
    ["name", '김서연 🙂 O\'Hara "Jr." <b>&amp;</b>'],
    ["name", "x".repeat(500)],
    ["email", "Seo.Yeon+tag@EXAMPLE.co.kr"],
    ["partnerCustomerId", " kept / as? sent #1 "],
  ] as const)("saves %s as it was sent", async (field, value) => {
    const { status, body } = await gateway.post("/cover/customer", { ...customer(), [field]: value });
    expect([status, body[field]]).toEqual([201, value]);
  });

  test("gives another vendor the same partner id", async () => {
    const body = customer();
    const stranger = await gateway.openVendor();
    const ours = await gateway.post("/cover/customer", body);
    const theirs = await gateway.post("/cover/customer", body, { token: stranger.token });
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.id).not.toBe(ours.body.id);
  });
});

describeBodyValidation(gateway, "/cover/customer", customer, {
  name: "name!",
  email: "email!",
  phone: "phone!",
  partnerCustomerId: "partnerId!",
  replaceIfExists: "boolean",
});

describeReplaceIfExists(gateway, "/cover/customer", {
  full: customer,
  least: ["name", "email", "phone", "partnerCustomerId"],
  changes: () => ({
    name: { sent: { name: "Lee Ji-ho" } },
    email: { sent: { email: "jiho@example.com" } },
    phone: { sent: { phone: "+82 2 777" }, answered: { phone: "+822777" } },
  }),
});
