import { Field, ObjectType } from "type-graphql";
import { PricePlan } from "./price-plan.type.ts";
import { Product } from "../product.type.ts";

@ObjectType({ description: "The plan that a member of a bundle has in a plan of the bundle.", simpleResolvers: true })
export class BundlePrice {
  @Field(() => Product, { description: "The member." })
  product!: Product;

  @Field(() => PricePlan, {
    description: "Its plan. Only what it charges for use is charged; the bundle's price covers the rest.",
  })
  price!: PricePlan;
}
