import { Field, ID, InputType, ObjectType } from "type-graphql";
import { LedgerAccount } from "../../../schema/vocabulary.ts";
import { connectionType, PeriodInput } from "../../graphql/connection.ts";
import { DateTimeScalar, GraphQLBigInt } from "../../graphql/scalars.ts";

@ObjectType({
  description: "An entry of the ledger: what an account got, or gave where it is below zero. Entries are only added.",
  simpleResolvers: true,
})
export class LedgerEntry {
  @Field(() => GraphQLBigInt, { description: "Number of the entry." })
  databaseId!: number;

  @Field(() => GraphQLBigInt, { description: "Number of the order; its entries sum to zero." })
  orderDatabaseId!: number;

  @Field(() => GraphQLBigInt, { description: "Number of the payment." })
  paymentDatabaseId!: number;

  @Field(() => GraphQLBigInt, { nullable: true, description: "Number of the refund; null where money came." })
  refundDatabaseId!: number | null;

  @Field(() => LedgerAccount, { description: "The account." })
  account!: LedgerAccount;

  @Field(() => String, { description: "How much, with a minus where the account gave: a decimal number." })
  amount!: string;

  @Field(() => String, { description: "ISO 4217 code of its currency." })
  currency!: string;

  @Field(() => DateTimeScalar, { description: "When it was written." })
  createdAt!: Date;
}

@InputType({ description: "Which entries are asked for. Conditions hold together." })
export class LedgerFilterInput {
  @Field(() => ID, { nullable: true, description: "Those of this order: global id or number." })
  orderId?: string | null;

  @Field(() => LedgerAccount, { nullable: true, description: "Those of this account." })
  account?: LedgerAccount | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those written in this period." })
  createdAt?: PeriodInput | null;
}

export const LedgerEntryConnection = connectionType(() => LedgerEntry, "LedgerEntry");
