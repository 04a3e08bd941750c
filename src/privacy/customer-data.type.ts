import { Field, ID, InputType, ObjectType } from "type-graphql";
import { Customer } from "../customers/customer.type.ts";
import { DateTimeScalar, GraphQLJSONObject, LineScalar } from "../graphql/scalars.ts";

@ObjectType({ description: "Everything that is stored about a customer.", simpleResolvers: true })
export class CustomerData {
  @Field(() => DateTimeScalar, { description: "Time of the export." })
  exportedAt!: Date;

  @Field(() => GraphQLJSONObject, {
    description:
      "Rows by the names of their tables: `customers`, `shippingAddresses`, `paymentMethods`, `orders`, `payments`, `messages`, `events` and more. `coverCustomers` are the payers registered for recovery with the customer's e-mail address or own id. `copiesAtChildVendors` has the rows of each child vendor that knows the customer. Amounts are texts. Secrets, such as tokens of payment methods, are left out.",
  })
  records!: Record<string, unknown>;
}

@InputType({ description: "The customer to erase, and the confirmation." })
export class EraseCustomerInput {
  @Field(() => ID, { description: "Global id or number of the customer." })
  customerId!: string;

  @Field(() => LineScalar, {
    description: "Code of the same customer, as a confirmation: the erasure cannot be undone.",
  })
  confirmCode!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True if live subscriptions are cancelled now, without a refund. Otherwise they are a reason to refuse. Defaults to false.",
  })
  cancelSubscriptions?: boolean | null;
}

@ObjectType({ description: "The customer after the erasure.", simpleResolvers: true })
export class EraseCustomerPayload {
  @Field(() => Customer, { description: "The customer, whose id and code stay." })
  customer!: Customer;
}
