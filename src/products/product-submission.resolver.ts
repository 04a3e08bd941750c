import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, Info, Mutation, Query, Resolver } from "type-graphql";
import { toConnection, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { toGlobalId, databaseIdOf } from "../graphql/record-ids.ts";
import { recordOf } from "../graphql/execution/record-payload.ts";
import {
  ApproveProductInput,
  ApproveProductPayload,
  ProductSubmissionConnection,
  ProductSubmissionSortInput,
  RejectProductInput,
  RejectProductPayload,
  SubmitProductInput,
  SubmitProductPayload,
} from "./product-submission.type.ts";

/** The queue is worked off from its beginning. */
const oldestFirst = { field: "SUBMITTED_AT", direction: "ASC" } as const;

/** Lets child vendors submit products, and their parent decide about them. */
@Resolver()
export class ProductSubmissionResolver {
  @Query(() => ProductSubmissionConnection, {
    description:
      "Returns products of the vendor's children that wait for its decision. Defaults to the longest waiting first.",
  })
  productsToApprove(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("orderBy", () => ProductSubmissionSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: ProductSubmissionSortInput,
  ) {
    return toConnection(
      context,
      context.read.productSubmissions.list,
      args,
      {},
      orderBy ?? oldestFirst,
      nodeSelectionOf(info),
    );
  }

  @Mutation(() => SubmitProductPayload, {
    description:
      "Submits a DRAFT to the parent vendor for approval. It cannot be changed until the parent decides. Refused with PRODUCT_NOT_FOUND, NO_PARENT_VENDOR, CURRENCY_MISMATCH, with ILLEGAL_TRANSITION for a product that is not a draft or was submitted already, and with INVALID_ARGUMENT without a price plan.",
  })
  async submitProduct(
    @Arg("input", () => SubmitProductInput, { description: "The product." }) { productId }: SubmitProductInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const id = databaseIdOf("Product", productId, "productId");
    await write(({ productApprovals }) => productApprovals.submit(vendor, id));
    return { product: recordOf(read.products.list, id) };
  }

  @Mutation(() => ApproveProductPayload, {
    description:
      "Approves a child vendor's product. The child's product goes on sale, and the vendor gets its own product that lists it. An order of that product creates an order at the child. Refused with PRODUCT_NOT_FOUND for a product that does not wait for the vendor, and with CURRENCY_MISMATCH.",
  })
  async approveProduct(
    @Arg("input", () => ApproveProductInput, { description: "The product." }) { productId }: ApproveProductInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const childProductId = databaseIdOf("Product", productId, "productId");
    const { id } = await write(({ productApprovals }) => productApprovals.approve(vendor.id, childProductId));
    return { product: recordOf(read.products.list, id) };
  }

  @Mutation(() => RejectProductPayload, {
    description:
      "Rejects a child vendor's product with a reason. Refused with PRODUCT_NOT_FOUND for a product that does not wait for the vendor.",
  })
  async rejectProduct(
    @Arg("input", () => RejectProductInput, { description: "The product and the reason." })
    { productId, reason }: RejectProductInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("Product", productId, "productId");
    await write(({ productApprovals }) => productApprovals.reject(vendor.id, id, reason));
    return { rejectedProductId: toGlobalId("Product", id) };
  }
}
