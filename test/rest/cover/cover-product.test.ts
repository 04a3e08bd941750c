import { describe, expect, test } from "vitest";
import { describeBodyValidation, describeReplaceIfExists } from "../../support/body-validation.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { statusAndBody } from "../../support/rest-assertions.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();

const product = () => ({ name: "House blend", partnerProductId: uniqueName("product") });
const fullProduct = () => ({ ...product(), featuredImageUrl: "https://img.example.com/blend.png" });

describe("POST /cover/product", () => {
  test("registers a product and answers exactly four fields", async () => {
    const body = fullProduct();
    expect(statusAndBody(await gateway.post("/cover/product", body))).toEqual({
      status: 201,
      body: { id: expect.any(Number), ...body },
    });
  });

  test.each([undefined, null, ""])("answers an empty text for an image that is %s", async (featuredImageUrl) => {
    const body = { ...product(), featuredImageUrl };
    expect(statusAndBody(await gateway.post("/cover/product", body))).toEqual({
      status: 201,
      body: { id: expect.any(Number), ...body, featuredImageUrl: "" },
    });
  });
});

describeBodyValidation(gateway, "/cover/product", product, {
  name: "name!",
  partnerProductId: "partnerId!",
  featuredImageUrl: "link",
  replaceIfExists: "boolean",
});

describeReplaceIfExists(gateway, "/cover/product", {
  full: fullProduct,
  least: ["name", "partnerProductId"],
  changes: () => ({
    name: { sent: { name: "Dark roast" } },
    featuredImageUrl: { sent: { featuredImageUrl: "https://img.example.com/dark.png" } },
    "featuredImageUrl as null": { sent: { featuredImageUrl: null }, answered: { featuredImageUrl: "" } },
  }),
});
