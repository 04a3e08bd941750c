import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, ID, Info, Mutation, Query, Resolver } from "type-graphql";
import { toConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { toGlobalId, databaseIdOf, optionalDatabaseIdOf } from "../graphql/record-ids.ts";
import { recordOf } from "../graphql/execution/record-payload.ts";
import { NodeResolver } from "../graphql/node.ts";
import { recordSelectionOf } from "../graphql/execution/text-plans.ts";
import {
  CreateInvoiceInput,
  DeleteInvoiceInput,
  DeleteInvoicePayload,
  Invoice,
  InvoiceConnection,
  InvoiceFilterInput,
  SendInvoiceInput,
  CreateInvoicePayload,
  SendInvoicePayload,
  ReportInvoiceUndeliveredPayload,
  UpdateInvoicePayload,
  InvoiceSortInput,
  ReportInvoiceUndeliveredInput,
  UpdateInvoiceInput,
} from "./invoice.type.ts";

@Resolver(() => Invoice)
export class InvoiceResolver extends NodeResolver(() => Invoice, "Invoice") {
  @Query(() => Invoice, { nullable: true, description: "Returns one invoice. Null if the vendor has no such invoice." })
  invoice(
    @Arg("id", () => ID, { description: "Global id or number of the invoice." }) id: string,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.loaders.findProjected(
      context.read.invoices.list,
      databaseIdOf("Invoice", id, "id"),
      recordSelectionOf(info),
    );
  }

  @Query(() => InvoiceConnection, { description: "Returns the vendor's invoices. Defaults to the newest first." })
  invoices(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => InvoiceFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: InvoiceFilterInput,
    @Arg("orderBy", () => InvoiceSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: InvoiceSortInput,
  ) {
    const customerId = optionalDatabaseIdOf("Customer", filter?.customerId, "filter.customerId");
    const { list } = context.read.invoices;
    return toConnection(context, list, args, { ...filter, customerId }, orderBy ?? NEWEST_FIRST, nodeSelectionOf(info));
  }

  @Mutation(() => CreateInvoicePayload, {
    description:
      "Creates an invoice: a draft, a scheduled invoice, or one that is sent at once, which creates its order. Refused with the codes of createOrder, and with DISCOUNT_TOO_HIGH.",
  })
  async createInvoice(
    @Arg("input", () => CreateInvoiceInput, { description: "The invoice." }) input: CreateInvoiceInput,
    @Ctx() context: GatewayContext,
  ) {
    const { temporary, ...fields } = input;
    const customerId = databaseIdOf("Customer", fields.customerId, "customerId");
    const { vendor, write } = context;
    const { id } = await write(({ invoices }) => invoices.create(vendor, { ...fields, customerId }, temporary));
    return toPayload(context, id);
  }

  @Mutation(() => UpdateInvoicePayload, {
    description:
      "Changes a draft. Refused with INVOICE_NOT_FOUND, and with INVOICE_NOT_A_DRAFT after the invoice was sent.",
  })
  async updateInvoice(
    @Arg("input", () => UpdateInvoiceInput, { description: "The changes." }) input: UpdateInvoiceInput,
    @Ctx() context: GatewayContext,
  ) {
    const { invoiceId, customerId, items, publishMethods, ...fields } = input;
    const id = databaseIdOf("Invoice", invoiceId, "invoiceId");
    const changes = {
      ...fields,
      ...(customerId != null && { customerId: databaseIdOf("Customer", customerId, "customerId") }),
      ...(items != null && { items }),
      ...(publishMethods != null && { publishMethods }),
    };
    await context.write(({ invoices }) => invoices.update(context.vendor, id, changes));
    return toPayload(context, id);
  }

  @Mutation(() => SendInvoicePayload, {
    description:
      "Sends a draft or a scheduled invoice now, or sends an invoice again whose delivery failed. A draft whose reservationAt is in the future becomes RESERVATION and is sent at that time. Refused with INVOICE_NOT_FOUND or ILLEGAL_TRANSITION.",
  })
  async sendInvoice(
    @Arg("input", () => SendInvoiceInput, { description: "The invoice." }) { invoiceId }: SendInvoiceInput,
    @Ctx() context: GatewayContext,
  ) {
    const id = databaseIdOf("Invoice", invoiceId, "invoiceId");
    await context.write(({ invoices }) => invoices.send(context.vendor, id));
    return toPayload(context, id);
  }

  @Mutation(() => ReportInvoiceUndeliveredPayload, {
    description:
      "Reports that the delivery of an invoice failed on every channel. The invoice becomes SEND_FAIL: its order can still be paid, and sendInvoice sends it again. Recoup does so itself for the messages that it sends; a program of the vendor that delivers invoices reports its failures here. Refused with INVOICE_NOT_FOUND, and with ILLEGAL_TRANSITION unless the invoice is SENT.",
  })
  async reportInvoiceUndelivered(
    @Arg("input", () => ReportInvoiceUndeliveredInput, { description: "The invoice and the reason of the failure." })
    { invoiceId, reason }: ReportInvoiceUndeliveredInput,
    @Ctx() context: GatewayContext,
  ) {
    const id = databaseIdOf("Invoice", invoiceId, "invoiceId");
    await context.write(({ invoices }) => invoices.failDelivery(context.vendor.id, id, reason ?? null));
    return toPayload(context, id);
  }

  @Mutation(() => DeleteInvoicePayload, {
    description:
      "Deletes a draft. Refused with INVOICE_NOT_FOUND, and with INVOICE_NOT_A_DRAFT after the invoice was sent.",
  })
  async deleteInvoice(
    @Arg("input", () => DeleteInvoiceInput, { description: "The draft." }) { invoiceId }: DeleteInvoiceInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("Invoice", invoiceId, "invoiceId");
    await write(({ invoices }) => invoices.remove(vendor.id, id));
    return { deletedId: toGlobalId("Invoice", id) };
  }
}

const toPayload = ({ read }: GatewayContext, id: number) => ({ invoice: recordOf(read.invoices.list, id) });
