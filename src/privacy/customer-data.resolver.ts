import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { databaseIdOf } from "../graphql/record-ids.ts";
import { recordOf } from "../graphql/execution/record-payload.ts";
import { readCustomerRecords } from "./customer-data.export.ts";
import { CustomerData, EraseCustomerInput, EraseCustomerPayload } from "./customer-data.type.ts";

@Resolver()
export class CustomerDataResolver {
  @Query(() => CustomerData, {
    nullable: true,
    description:
      "Returns everything that the vendor and its child vendors store about a customer, to answer the customer's request. Null if the vendor has no such customer.",
  })
  async exportCustomerData(
    @Arg("customerId", () => ID, { description: "Global id or number of the customer." }) customerId: string,
    @Ctx() { vendor, read, clock }: GatewayContext,
  ): Promise<CustomerData | null> {
    const id = databaseIdOf("Customer", customerId, "customerId");
    const records = await readCustomerRecords(read.personalData, vendor.id, id);
    if (!records) return null;
    // Amounts and times as JSON has them.
    return {
      exportedAt: clock.now(),
      records: JSON.parse(JSON.stringify(records)) as Record<string, unknown>,
    };
  }

  @Mutation(() => EraseCustomerPayload, {
    description:
      "Erases the personal data of a customer at the vendor and at its child vendors, for good, also of payers registered for recovery with the customer's e-mail address or own id. Orders, payments and the ledger stay without names and addresses. An erased customer stays as it is. Refused with CUSTOMER_NOT_FOUND, CUSTOMER_HAS_OPEN_RECORDS while something is live, owed or in progress, or CUSTOMER_OF_PARENT.",
  })
  async eraseCustomer(
    @Arg("input", () => EraseCustomerInput, { description: "The customer and the confirmation." })
    { customerId, confirmCode, cancelSubscriptions }: EraseCustomerInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const id = databaseIdOf("Customer", customerId, "customerId");
    await write(({ customerData }) =>
      customerData.erase(vendor, { customerId: id, confirmCode, cancelSubscriptions: cancelSubscriptions ?? false }),
    );
    return { customer: recordOf(read.customers.list, id) };
  }
}
