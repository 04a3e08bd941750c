import { Field, ObjectType, Query, registerEnumType, Resolver } from "type-graphql";
import { refusalMeaningOf, refusalCodes, type RefusalCode } from "../../kernel/refusal-codes.ts";

const ErrorCode = Object.fromEntries(Object.keys(refusalCodes).map((code) => [code, code])) as Record<
  RefusalCode,
  RefusalCode
>;

registerEnumType(ErrorCode, {
  name: "ErrorCode",
  description:
    "The codes that an error can carry: in `extensions.code` here, in `errorCode` over REST. They are stable; branch on them, not on messages.",
  valuesConfig: Object.fromEntries(
    (Object.keys(refusalCodes) as RefusalCode[]).map((code) => [code, { description: refusalMeaningOf(code) }]),
  ),
});

@ObjectType({ description: "An error code, and what it means.", simpleResolvers: true })
class ErrorCodeMeaning {
  @Field(() => ErrorCode, { description: "The code." })
  code!: RefusalCode;

  @Field(() => String, { description: "What it means and what to do." })
  meaning!: string;
}

@Resolver()
export class ErrorCodesResolver {
  @Query(() => [ErrorCodeMeaning], { description: "Every error code, with its meaning." })
  errorCodes(): ErrorCodeMeaning[] {
    return (Object.keys(refusalCodes) as RefusalCode[]).map((code) => ({ code, meaning: refusalMeaningOf(code) }));
  }
}
