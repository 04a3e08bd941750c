import { Field, ID, InputType, ObjectType } from "type-graphql";
import { connectionType, sortInputType } from "../graphql/connection.ts";
import { DateTimeScalar, GraphQLUUID, TextScalar } from "../graphql/scalars.ts";
import { Product } from "./product.type.ts";

@ObjectType({
  description: "A product that a child vendor submitted and that waits for the parent's decision.",
  simpleResolvers: true,
})
export class ProductSubmission {
  @Field(() => Product, {
    description:
      "The child's product. Its id is the input of approveProduct and rejectProduct. The queries `product` and `node` do not return it, because it belongs to the child.",
  })
  product!: Product;

  @Field(() => GraphQLUUID, { description: "Unique id of the child vendor." })
  vendorUuid!: string;

  @Field(() => String, { description: "Name of the child vendor." })
  vendorName!: string;

  @Field(() => DateTimeScalar, { description: "Time of the submission." })
  submittedAt!: Date;
}

export const ProductSubmissionSortInput = sortInputType("ProductSubmission", {
  SUBMITTED_AT: "Time of the submission.",
});
export type ProductSubmissionSortInput = InstanceType<typeof ProductSubmissionSortInput>;

export const ProductSubmissionConnection = connectionType(() => ProductSubmission, "ProductSubmission");

@InputType({ description: "A draft to submit to the parent vendor." })
export class SubmitProductInput {
  @Field(() => ID, { description: "Global id or number of the product." })
  productId!: string;
}

@InputType({ description: "A child vendor's product to approve." })
export class ApproveProductInput {
  @Field(() => ID, { description: "Global id or number of the child's product, from `productsToApprove`." })
  productId!: string;
}

@InputType({ description: "A child vendor's product to reject, with the reason." })
export class RejectProductInput {
  @Field(() => ID, { description: "Global id or number of the child's product, from `productsToApprove`." })
  productId!: string;

  @Field(() => TextScalar, { description: "Reason, which the child vendor reads." })
  reason!: string;
}

@ObjectType({ description: "The product after it was submitted.", simpleResolvers: true })
export class SubmitProductPayload {
  @Field(() => Product, { description: "The product. It cannot be changed until the parent decides." })
  product!: Product;
}

@ObjectType({ description: "The product that the parent vendor sells from now on.", simpleResolvers: true })
export class ApproveProductPayload {
  @Field(() => Product, {
    description:
      "The parent's own product, which lists the child's product. It has its own plans and options with the same codes.",
  })
  product!: Product;
}

@ObjectType({ description: "The decision about a child vendor's product.", simpleResolvers: true })
export class RejectProductPayload {
  @Field(() => ID, { description: "Global id of the child's product. The child can change it and submit it again." })
  rejectedProductId!: string;
}
