import { Field, ObjectType, Query, registerEnumType, Resolver } from "type-graphql";
import { refusalMeaningOf, refusalCodes, type RefusalCode } from "../../kernel/refusal-codes.ts";

const ErrorCode = Object.fromEntries(Object.keys(refusalCodes).map((code) => [code, code])) as Record<
  RefusalCode,
  RefusalCode
>;

registerEnumType(ErrorCode, {
  name: "ErrorCode",
  description:
    "Codes of errors: `extensions.code` in GraphQL, `errorCode` in REST. They are stable; branch on the code, not on the message.",
  valuesConfig: Object.fromEntries(
    (Object.keys(refusalCodes) as RefusalCode[]).map((code) => [code, { description: refusalMeaningOf(code) }]),
  ),
});

@ObjectType({ description: "An error code and its meaning.", simpleResolvers: true })
class ErrorCodeMeaning {
  @Field(() => ErrorCode, { description: "The stable code." })
  code!: RefusalCode;

  @Field(() => String, { description: "Cause of the error, and how to correct it." })
  meaning!: string;
}

@Resolver()
export class ErrorCodesResolver {
  @Query(() => [ErrorCodeMeaning], { description: "Returns every error code with its meaning." })
  errorCodes(): ErrorCodeMeaning[] {
    return (Object.keys(refusalCodes) as RefusalCode[]).map((code) => ({ code, meaning: refusalMeaningOf(code) }));
  }
}
