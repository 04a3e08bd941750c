import type { RequestOptions, TestGateway, TestVendor } from "./test-gateway.ts";

/** The REST input of a new child. */
export const newChildBody = {
  name: "Bean Corner",
  email: "owner@example.com",
  phone: "010-2345-6789",
  password: "correct horse",
};

/** A child that its parent created, with the values that are answered only at its creation. */
export interface TestChildVendor extends TestVendor {
  uuid: string;
  paymentKey: string;
}

/** The uuid of a vendor. */
export const readVendorUuid = async (gateway: TestGateway, options?: RequestOptions): Promise<string> =>
  (await gateway.queryData("{ vendor { uuid } }", {}, options)).vendor.uuid;

/** Creates a child by GraphQL. */
export async function createTestChild(
  gateway: TestGateway,
  input: object = {},
  options?: RequestOptions,
): Promise<TestChildVendor> {
  const { createChildVendor } = await gateway.queryData(
    "mutation ($input: CreateChildVendorInput!) { createChildVendor(input: $input) { child { databaseId uuid secretKey paymentKey } } }",
    { input: { ...newChildBody, ...input } },
    options,
  );
  const { databaseId, uuid, secretKey, paymentKey } = createChildVendor.child;
  return { id: databaseId, uuid, token: secretKey, paymentKey };
}
