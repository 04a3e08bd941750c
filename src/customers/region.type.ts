import { Field, ObjectType } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { RegionCodeScalar } from "../graphql/scalars.ts";

@ObjectType({
  description: "A sales region: a country, or a state of the United States.",
  simpleResolvers: true,
})
export class Region {
  @Field(() => RegionCodeScalar, {
    description: "Code of the region. It is unique, so caches can use it as their key.",
  })
  code!: RegionCode;

  @Field(() => String, { description: "English name of the region." })
  name!: string;

  @Field(() => [String], { description: "ISO 4217 codes of the currencies of the region, the main one first." })
  currencies!: readonly string[];

  @Field(() => String, { nullable: true, description: "ISO 4217 code of the main currency. Null if there is none." })
  currency!: string | null;

  @Field(() => String, { description: "English name of the country." })
  country!: string;

  @Field(() => String, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;

  @Field(() => String, {
    nullable: true,
    description: "ISO 639-1 code of the main language. Null if there is none.",
  })
  language!: string | null;

  @Field(() => String, { nullable: true, description: "English name of the state. Null if the region is a country." })
  state!: string | null;
}
