import { Field, ID, InputType, ObjectType } from "type-graphql";
import { LedgerAccount } from "../../../schema/vocabulary.ts";
import { connectionType, PeriodInput } from "../../graphql/connection.ts";
import { DateTimeScalar, GraphQLBigInt } from "../../graphql/scalars.ts";

@ObjectType({
  description:
    "An entry of the ledger. A positive amount enters the account, a negative amount leaves it. Entries are only added.",
  simpleResolvers: true,
})
export class LedgerEntry {
  @Field(() => GraphQLBigInt, { description: "Number of the entry." })
  databaseId!: number;

  @Field(() => GraphQLBigInt, { description: "Number of the order. Its entries add up to zero." })
  orderDatabaseId!: number;

  @Field(() => GraphQLBigInt, { description: "Number of the payment." })
  paymentDatabaseId!: number;

  @Field(() => GraphQLBigInt, { nullable: true, description: "Number of the refund. Null for a payment." })
  refundDatabaseId!: number | null;

  @Field(() => GraphQLBigInt, { nullable: true, description: "Number of the dispute. Null if there is none." })
  disputeDatabaseId!: number | null;

  @Field(() => LedgerAccount, { description: "Account that the amount enters or leaves." })
  account!: LedgerAccount;

  @Field(() => String, { description: "Amount as a decimal number. Negative if it leaves the account." })
  amount!: string;

  @Field(() => String, { description: "ISO 4217 code of the amount's currency." })
  currency!: string;

  @Field(() => DateTimeScalar, { description: "Time of the entry." })
  createdAt!: Date;
}

@InputType({ description: "Filter of ledger entries. All conditions must hold." })
export class LedgerFilterInput {
  @Field(() => ID, { nullable: true, description: "Returns only records of this order: global id or number." })
  orderId?: string | null;

  @Field(() => LedgerAccount, { nullable: true, description: "Returns only entries of this account." })
  account?: LedgerAccount | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only entries of this period." })
  createdAt?: PeriodInput | null;
}

export const LedgerEntryConnection = connectionType(() => LedgerEntry, "LedgerEntry");
