import { FieldResolver, Resolver, Root } from "type-graphql";
import { Region } from "./region.type.ts";

@Resolver(() => Region)
export class RegionResolver {
  @FieldResolver(() => String, { nullable: true })
  currency(@Root() { currencies }: Region): string | null {
    return currencies[0] ?? null;
  }
}
