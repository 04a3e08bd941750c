import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, Info, Mutation, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { idOf } from "../graphql/ids.ts";
import { NodeResolver } from "../graphql/node.ts";
import { selected } from "../graphql/selection.ts";
import { invalidField } from "../kernel/errors.ts";
import { MoveOrderItemsInput, MoveOrderItemsPayload } from "./order-input.type.ts";
import { OrderItem } from "./order-item.type.ts";
import type { OrderItemTrigger } from "./order.states.ts";

/** No request moves more lines than this at once. */
const MOST_ITEMS = 100;

/** What a merchant does to lines, each a mutation of its own. Payments and refunds move lines by themselves. */
const mutations: Partial<Record<OrderItemTrigger, string>> = {
  requestCancellation: "A customer asks to cancel lines that are paid.",
  withdrawCancellation: "A customer takes back the request to cancel.",
  denyCancellation: "Refuses to cancel: a service goes on, shipped goods can be sent.",
  acceptCancellation: "Agrees to cancel: the lines wait for their refund.",
  prepareDelivery: "Begins to prepare the delivery of lines, or of what goes back to the customer.",
  suspendDelivery: "Stops a delivery that is being prepared.",
  cancelDelivery: "Cancels a stopped delivery: the lines wait for their refund.",
  sendDelivery: "Hands lines to the courier.",
  completeDelivery: "Lines have arrived.",
  confirmReceipt: "The customer confirms that lines have arrived.",
  requestReturn: "A customer asks to return lines.",
  withdrawReturn: "A customer takes back the request to return.",
  approveReturn: "Agrees to a return: the goods are to be collected.",
  rejectReturn: "Refuses a return, before or after the goods came back.",
  postponeReturn: "Takes time to decide about a return.",
  acceptReturn: "Accepts returned goods: the lines wait for their refund.",
  requestExchange: "A customer asks to exchange lines.",
  withdrawExchange: "A customer takes back the request to exchange.",
  approveExchange: "Agrees to an exchange: the goods are to be collected.",
  rejectExchange: "Refuses an exchange, before or after the goods came back.",
  postponeExchange: "Takes time to decide about an exchange.",
  acceptExchange: "Accepts exchanged goods: the replacement is prepared.",
  sendCollection: "The customer's parcel is on its way back.",
  completeCollection: "The customer's parcel has come back.",
};

@Resolver(() => OrderItem)
export class OrderItemResolver extends NodeResolver(() => OrderItem, "OrderItem") {
  async move(
    { itemIds, reason }: MoveOrderItemsInput,
    { vendor, read, write, loaders }: GatewayContext,
    info: GraphQLResolveInfo,
  ) {
    const trigger = info.fieldName as OrderItemTrigger;
    if (itemIds.length < 1 || itemIds.length > MOST_ITEMS)
      throw invalidField("itemIds", `must have 1 to ${MOST_ITEMS} entries.`);
    const ids = itemIds.map((id, index) => idOf("OrderItem", id, `itemIds[${index}]`));
    await write(({ orderItems }) => orderItems.move(vendor.id, ids, { trigger, actor: "MANAGER", reason }));
    const selection = selected(info, ["items"]);
    return { items: ids.map((id) => loaders.shaped(read.orders.items, id, selection)) };
  }
}

/* One method serves them all: the name of the field is the trigger. */
for (const [trigger, meaning] of Object.entries(mutations)) {
  const { prototype } = OrderItemResolver;
  const method = Object.getOwnPropertyDescriptor(prototype, "move")!;
  Object.defineProperty(prototype, trigger, method);
  const description = `${meaning} Refused with ILLEGAL_TRANSITION where a line is in no state for it; all lines move, or none.`;
  Mutation(() => MoveOrderItemsPayload, { description })(prototype, trigger, method);
  Arg("input", () => MoveOrderItemsInput, { description: "Which lines, and why." })(prototype, trigger, 0);
  Ctx()(prototype, trigger, 1);
  Info()(prototype, trigger, 2);
}
