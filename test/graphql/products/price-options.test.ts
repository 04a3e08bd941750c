import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { everyMonth, graphqlRefusalOf, TestCatalogue } from "../../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);
const { databaseId: productId } = await catalogue.createProduct();

describe("options of a plan", () => {
  test("may be plans of other products, and retain their ids when they are sent", async () => {
    const addOn = await catalogue.createProduct({ type: "SOFTWARE", name: "Brewing course" }, "databaseId code");
    const course = await catalogue.createPlan(addOn.databaseId, {
      type: "FLAT",
      recurring: everyMonth,
      plan: { name: "Course" },
    });
    const options = [
      { name: "Gift wrap", type: "INITIALLY", price: "1000" },
      { name: "Course", type: "PERIODIC", price: "5000", optionPriceId: String(course.databaseId) },
    ];
    const plan = await catalogue.createPlan(productId, { options }, "databaseId options { databaseId }");
    const [wrap, taught] = plan.options;
    const read = `query ($id: ID!) { pricePlan(id: $id) { options {
      databaseId name type price priceCode priceName productCode productType recurring { interval intervalCount } } } }`;
    const shown = await gateway.queryData(read, { id: plan.databaseId });
    expect(shown.pricePlan!.options).toEqual([
      {
        databaseId: wrap!.databaseId,
        name: "Gift wrap",
        type: "INITIALLY",
        price: "1000",
        priceCode: null,
        priceName: null,
        productCode: null,
        productType: null,
        recurring: null,
      },
      {
        databaseId: taught!.databaseId,
        name: "Course",
        type: "PERIODIC",
        price: "5000",
        priceCode: course.code,
        priceName: "Course",
        productCode: addOn.code,
        productType: "SOFTWARE",
        recurring: { interval: "MONTH", intervalCount: 1 },
      },
    ]);
    const { pricePlan } = await catalogue.runMutation(
      "updatePricePlan",
      {
        id: String(plan.databaseId),
        options: [
          { id: String(taught!.databaseId), name: "Online course", type: "PERIODIC", price: "4000" },
          { name: "Card", type: "INITIALLY", price: "0" },
        ],
      },
      "pricePlan { options { databaseId name price priceCode } }",
    );
    expect(pricePlan.options).toEqual([
      { databaseId: taught!.databaseId, name: "Online course", price: "4000", priceCode: null },
      { databaseId: expect.any(Number), name: "Card", price: "0", priceCode: null },
    ]);
  });

  test.each([
    ["an unknown id", { id: "4000000" }, "INVALID_ARGUMENT", "options[0].id NOT_FOUND"],
    ["an unknown plan", { optionPriceId: "4000000" }, "PRICE_NOT_FOUND", "options[0].optionPriceId NOT_FOUND"],
  ])("are refused with %s", async (_, option, ...refusal) => {
    const { databaseId } = await catalogue.createPlan(productId);
    const options = [{ name: "Wrap", type: "INITIALLY", price: "1", ...option }];
    const answer = await catalogue.sendMutation(
      "updatePricePlan",
      { id: String(databaseId), options },
      "pricePlan { id }",
    );
    expect(graphqlRefusalOf(answer)).toEqual(refusal);
  });

  test("are no plans of the same product, and each occurs once", async () => {
    const plan = await catalogue.createPlan(
      productId,
      { options: [{ name: "Wrap", type: "INITIALLY", price: "1" }] },
      "databaseId options { databaseId }",
    );
    const option = { name: "Wrap", type: "INITIALLY", price: "1" };
    const own = { ...option, optionPriceId: String(plan.databaseId) };
    expect(await catalogue.refusalOfPlan(productId, { options: [own] })).toEqual([
      "INVALID_ARGUMENT",
      "options[0].optionPriceId INVALID_VALUE",
    ]);
    const stays = { ...option, id: String(plan.options[0]!.databaseId) };
    const twice = await catalogue.sendMutation(
      "updatePricePlan",
      { id: String(plan.databaseId), options: [stays, stays] },
      "pricePlan { id }",
    );
    expect(graphqlRefusalOf(twice)).toEqual(["INVALID_ARGUMENT", "options[1].id INVALID_VALUE"]);
  });
});
