import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import { Customer } from "../customers/customer.type.ts";
import { NEWEST_FIRST, toConnection } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../graphql/record-ids.ts";
import { recordSelectionOf } from "../graphql/execution/text-plans.ts";
import { Invoice } from "../invoices/invoice.type.ts";
import { Order } from "../orders/order.type.ts";
import type { MessageRecord } from "./message.repository.ts";
import { Message, MessageConnection, OutboxArgs } from "./message.type.ts";

@Resolver(() => Message)
export class MessageResolver extends NodeResolver(() => Message, "Message") {
  @Query(() => Message, {
    nullable: true,
    description: "Returns one message to a customer. Null if the vendor has no message with this id.",
  })
  message(
    @Arg("id", () => ID, { description: "Global id or number of the message." }) id: string,
    @Ctx() { loaders }: GatewayContext,
  ) {
    return loaders.findById("messages", databaseIdOf("Message", id, "id"));
  }

  @Query(() => MessageConnection, {
    description:
      "Returns the vendor's messages to customers in every state, the newest first. In a sandbox they lie here and are not sent.",
  })
  outbox(@Args(() => OutboxArgs) { filter, ...args }: OutboxArgs, @Ctx() context: GatewayContext) {
    const customerId = optionalDatabaseIdOf("Customer", filter?.customerId, "filter.customerId");
    return toConnection(context, context.read.messages.list, args, { ...filter, customerId }, NEWEST_FIRST);
  }

  @FieldResolver()
  text(@Root() { textBody }: MessageRecord): string | null {
    return textBody;
  }

  @FieldResolver()
  html(@Root() { htmlBody }: MessageRecord): string | null {
    return htmlBody;
  }

  @FieldResolver()
  nextAttemptAt(@Root() { attemptAt }: MessageRecord): Date | null {
    return attemptAt;
  }

  @FieldResolver(() => Customer, { nullable: true })
  customer(
    @Root() { customerId: id }: MessageRecord,
    @Ctx() { loaders, read }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return id === null ? null : loaders.findProjected(read.customers.list, id, recordSelectionOf(info));
  }

  @FieldResolver(() => Invoice, { nullable: true })
  invoice(
    @Root() { invoiceId: id }: MessageRecord,
    @Ctx() { loaders, read }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return id === null ? null : loaders.findProjected(read.invoices.list, id, recordSelectionOf(info));
  }

  @FieldResolver(() => Order, { nullable: true })
  order(
    @Root() { orderId: id }: MessageRecord,
    @Ctx() { loaders, read }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return id === null ? null : loaders.findProjected(read.orders.list, id, recordSelectionOf(info));
  }
}
