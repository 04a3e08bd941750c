import { namedValuesOf } from "./refusal-values.ts";
import type { Selected, SelectionOf } from "./answers.ts";
import type { GraphQLResponse } from "./test-gateway.ts";
import { TestMutations } from "./test-mutations.ts";

/** The input for a product, except for what a test gives. */
const minimalProduct = { type: "BOX", name: "House Blend" };

/** The input for a price plan, except for what a test gives. */
const minimalPlan = { type: "ONE_TIME", price: "18900", plan: { name: "One bag" } };

/** A monthly cycle. */
export const everyMonth = { interval: "MONTH" };

/** A refusal of GraphQL: its code, and the fields with their validation errors. */
export function graphqlRefusalOf({ errors }: Pick<GraphQLResponse, "errors">): [string, ...string[]] {
  if (!errors) throw new Error("The operation was not refused.");
  const [{ message, extensions }] = errors as [(typeof errors)[number]];
  const { code, details } = extensions;
  const fields = namedValuesOf(message, details);
  return [code, ...fields.map(({ path, code: fault }) => `${path.replace("input.", "")} ${fault}`)];
}

/** A test's operations on the products of a vendor. */
export class TestCatalogue extends TestMutations {
  async createProduct<S extends SelectionOf<"Product"> = "databaseId code">(
    input: object = {},
    selection?: S,
  ): Promise<Selected<"Product", S>> {
    const completeInput = { ...minimalProduct, ...input };
    const part = `product { ${selection ?? "databaseId code"} }`;
    return (await this.runRawMutation("createProduct", completeInput, part)).product;
  }

  async updateProduct<S extends SelectionOf<"Product"> = "databaseId">(
    id: number,
    input: object,
    selection?: S,
  ): Promise<Selected<"Product", S>> {
    const part = `product { ${selection ?? "databaseId"} }`;
    return (await this.runRawMutation("updateProduct", { id: String(id), ...input }, part)).product;
  }

  async createPlan<S extends SelectionOf<"PricePlan"> = "databaseId code">(
    productId: number,
    input: object = {},
    selection?: S,
  ): Promise<Selected<"PricePlan", S>> {
    const completeInput = { ...minimalPlan, productId: String(productId), ...input };
    const part = `pricePlan { ${selection ?? "databaseId code"} }`;
    return (await this.runRawMutation("createPricePlan", completeInput, part)).pricePlan;
  }

  /** The refusal of a product that cannot be created. */
  async refusalOfProduct(input: object): Promise<string[]> {
    return graphqlRefusalOf(
      await this.sendMutation("createProduct", { ...minimalProduct, ...input }, "product { databaseId }"),
    );
  }

  /** The refusal of a plan that cannot be created. */
  async refusalOfPlan(productId: number, input: object): Promise<string[]> {
    const completeInput = { ...minimalPlan, productId: String(productId), ...input };
    return graphqlRefusalOf(await this.sendMutation("createPricePlan", completeInput, "pricePlan { databaseId }"));
  }

  /** The selected fields of a product. */
  async readProduct<S extends SelectionOf<"Product">>(id: number, selection: S): Promise<Selected<"Product", S>> {
    const query = `query ($id: ID!) { product(id: $id) { ${selection} } }`;
    return (await this.gateway.queryRawData(query, { id: String(id) }, this.options)).product;
  }
}
