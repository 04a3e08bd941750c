import { Field, ID, InputType, ObjectType } from "type-graphql";
import { connectionType, sortInputType } from "../graphql/connection.ts";
import { DateTimeScalar, GraphQLUUID, TextScalar } from "../graphql/scalars.ts";
import { Product } from "./product.type.ts";

@ObjectType({
  description: "A product that a child vendor has submitted: it waits for the parent's decision.",
  simpleResolvers: true,
})
export class ProductSubmission {
  @Field(() => Product, {
    description:
      "The child's product. Its id names it to approveProduct and rejectProduct; it stays the child's, so product and node do not find it.",
  })
  product!: Product;

  @Field(() => GraphQLUUID, { description: "Unique id of the child vendor." })
  vendorUuid!: string;

  @Field(() => String, { description: "Name of the child vendor." })
  vendorName!: string;

  @Field(() => DateTimeScalar, { description: "When it was submitted." })
  submittedAt!: Date;
}

export const ProductSubmissionSortInput = sortInputType("ProductSubmission", {
  SUBMITTED_AT: "When it was submitted.",
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
  @Field(() => ID, { description: "Global id or number of the child's product, as productsToApprove has it." })
  productId!: string;
}

@InputType({ description: "A child vendor's product to reject, and why." })
export class RejectProductInput {
  @Field(() => ID, { description: "Global id or number of the child's product, as productsToApprove has it." })
  productId!: string;

  @Field(() => TextScalar, { description: "Why: the child reads it." })
  reason!: string;
}

@ObjectType({ description: "The product after it was submitted.", simpleResolvers: true })
export class SubmitProductPayload {
  @Field(() => Product, { description: "The product; it waits, and cannot be changed meanwhile." })
  product!: Product;
}

@ObjectType({ description: "What the parent vendor sells from now on.", simpleResolvers: true })
export class ApproveProductPayload {
  @Field(() => Product, {
    description:
      "The parent's own product, which lists that of the child: with plans and options of its own, under the same codes.",
  })
  product!: Product;
}

@ObjectType({ description: "The decision about a child vendor's product.", simpleResolvers: true })
export class RejectProductPayload {
  @Field(() => ID, { description: "Global id of the child's product, which its vendor can change and submit again." })
  rejectedProductId!: string;
}
