import { Field, ObjectType } from "type-graphql";
import { PricePlan } from "./price-plan.type.ts";
import { Product } from "../product.type.ts";

@ObjectType({ description: "Price plan of a bundle member within a plan of the bundle.", simpleResolvers: true })
export class BundlePrice {
  @Field(() => Product, { description: "Member of the bundle." })
  product!: Product;

  @Field(() => PricePlan, {
    description: "Price plan of the member. Only its usage is charged; the bundle's price covers the rest.",
  })
  price!: PricePlan;
}
