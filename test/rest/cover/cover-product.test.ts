import { describe, expect, test } from "vitest";
import { describeBody, describeReplacing } from "../../support/body-validation.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { said } from "../../support/rest-assertions.ts";
import { fresh } from "../../support/cover-fixture.ts";

const gateway = await startGateway();

const product = () => ({ name: "House blend", partnerProductId: fresh("product") });
const fullProduct = () => ({ ...product(), featuredImageUrl: "https://img.example.com/blend.png" });

describe("POST /cover/product", () => {
  test("registers a product and answers exactly four fields", async () => {
    const body = fullProduct();
    expect(said(await gateway.post("/cover/product", body))).toEqual({
      status: 201,
      body: { id: expect.any(Number), ...body },
    });
  });

  test.each([undefined, null, ""])("answers an empty text for an image that is %s", async (featuredImageUrl) => {
    const body = { ...product(), featuredImageUrl };
    expect(said(await gateway.post("/cover/product", body))).toEqual({
      status: 201,
      body: { id: expect.any(Number), ...body, featuredImageUrl: "" },
    });
  });
});

describeBody(gateway, "/cover/product", product, {
  name: "name!",
  partnerProductId: "partnerId!",
  featuredImageUrl: "link",
  replaceIfExists: "boolean",
});

describeReplacing(gateway, "/cover/product", {
  full: fullProduct,
  least: ["name", "partnerProductId"],
  changes: () => ({
    name: { sent: { name: "Dark roast" } },
    featuredImageUrl: { sent: { featuredImageUrl: "https://img.example.com/dark.png" } },
    "featuredImageUrl as null": { sent: { featuredImageUrl: null }, answered: { featuredImageUrl: "" } },
  }),
});
