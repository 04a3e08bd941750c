import { namedValuesOf } from "./refusal-values.ts";
import type { RequestOptions, TestGateway } from "./test-gateway.ts";

/** The input for a product, except for what a test gives. */
const minimalProduct = { type: "BOX", name: "House Blend" };

/** The input for a price plan, except for what a test gives. */
const minimalPlan = { type: "ONE_TIME", price: "18900", plan: { name: "One bag" } };

/** A monthly cycle. */
export const everyMonth = { interval: "MONTH" };

/** A refusal of GraphQL: its code, and the fields with their validation errors. */
export function graphqlRefusalOf({
  errors,
}: {
  errors: { message: string; extensions: Record<string, any> }[] | undefined;
}): [string, ...string[]] {
  if (!errors) throw new Error("The operation was not refused.");
  const [{ message, extensions }] = errors as [(typeof errors)[number]];
  const { code, details } = extensions;
  const fields = namedValuesOf(message, details);
  return [code, ...fields.map(({ path, code: fault }) => `${path.replace("input.", "")} ${fault}`)];
}

/** A test's operations on the products of a vendor. */
export class TestCatalogue {
  constructor(
    private readonly gateway: TestGateway,
    private readonly options?: RequestOptions,
  ) {}

  /** A mutation with one input. */
  sendMutation(name: string, input: object, selection: string) {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    return this.gateway.sendGraphQL(
      `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`,
      { input },
      this.options,
    );
  }

  /** The payload of a mutation that must succeed. */
  async runMutation(name: string, input: object, selection: string): Promise<any> {
    const { data, errors } = await this.sendMutation(name, input, selection);
    if (errors) throw new Error(`${name} failed: ${JSON.stringify(errors)}`);
    return data[name];
  }

  async createProduct(input: object = {}, selection = "databaseId code"): Promise<any> {
    return (await this.runMutation("createProduct", { ...minimalProduct, ...input }, `product { ${selection} }`))
      .product;
  }

  async updateProduct(id: number, input: object, selection = "databaseId"): Promise<any> {
    return (await this.runMutation("updateProduct", { id: String(id), ...input }, `product { ${selection} }`)).product;
  }

  async createPlan(productId: number, input: object = {}, selection = "databaseId code"): Promise<any> {
    const completeInput = { ...minimalPlan, productId: String(productId), ...input };
    return (await this.runMutation("createPricePlan", completeInput, `pricePlan { ${selection} }`)).pricePlan;
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
  async readProduct(id: number, selection: string): Promise<any> {
    const query = `query ($id: ID!) { product(id: $id) { ${selection} } }`;
    return (await this.gateway.queryData(query, { id: String(id) }, this.options)).product;
  }
}
