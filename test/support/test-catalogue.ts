import { ownValues } from "./refusal-values.ts";
import type { RequestOptions, TestGateway } from "./test-gateway.ts";

/** What a product is created with, less what a test tells. */
const leastProduct = { type: "BOX", name: "House Blend" };

/** What a price plan is created with, less what a test tells. */
const leastPlan = { type: "ONE_TIME", price: "18900", plan: { name: "One bag" } };

/** A monthly cycle. */
export const monthly = { interval: "MONTH" };

/** A refusal of GraphQL: its code, and the fields with their faults. */
export function refusalOf({
  errors,
}: {
  errors: { message: string; extensions: Record<string, any> }[] | undefined;
}): [string, ...string[]] {
  if (!errors) throw new Error("The operation was not refused.");
  const [{ message, extensions }] = errors as [(typeof errors)[number]];
  const { code, details } = extensions;
  const fields = ownValues(message, details);
  return [code, ...fields.map(({ path, code: fault }) => `${path.replace("input.", "")} ${fault}`)];
}

/** What a test does to the products of a vendor. */
export class Shelf {
  constructor(
    private readonly gateway: TestGateway,
    private readonly options?: RequestOptions,
  ) {}

  /** A mutation with one input. */
  send(name: string, input: object, selection: string) {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    return this.gateway.graphql(
      `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`,
      { input },
      this.options,
    );
  }

  /** The payload of a mutation that must succeed. */
  async done(name: string, input: object, selection: string): Promise<any> {
    const { data, errors } = await this.send(name, input, selection);
    if (errors) throw new Error(`${name} failed: ${JSON.stringify(errors)}`);
    return data[name];
  }

  async product(input: object = {}, selection = "databaseId code"): Promise<any> {
    return (await this.done("createProduct", { ...leastProduct, ...input }, `product { ${selection} }`)).product;
  }

  async changed(id: number, input: object, selection = "databaseId"): Promise<any> {
    return (await this.done("updateProduct", { id: String(id), ...input }, `product { ${selection} }`)).product;
  }

  async plan(productId: number, input: object = {}, selection = "databaseId code"): Promise<any> {
    const whole = { ...leastPlan, productId: String(productId), ...input };
    return (await this.done("createPricePlan", whole, `pricePlan { ${selection} }`)).pricePlan;
  }

  /** What a product that cannot be created is refused with. */
  async refusedProduct(input: object): Promise<string[]> {
    return refusalOf(await this.send("createProduct", { ...leastProduct, ...input }, "product { databaseId }"));
  }

  /** What a plan that cannot be created is refused with. */
  async refusedPlan(productId: number, input: object): Promise<string[]> {
    const whole = { ...leastPlan, productId: String(productId), ...input };
    return refusalOf(await this.send("createPricePlan", whole, "pricePlan { databaseId }"));
  }

  /** What is read of a product. */
  async read(id: number, selection: string): Promise<any> {
    const query = `query ($id: ID!) { product(id: $id) { ${selection} } }`;
    return (await this.gateway.data(query, { id: String(id) }, this.options)).product;
  }
}
