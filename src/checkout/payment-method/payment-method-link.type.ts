import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { DateTimeScalar, LineScalar } from "../../graphql/scalars.ts";

@InputType({ description: "The subscription or the order whose payer is to store another payment method." })
export class CreatePaymentMethodLinkInput {
  @Field(() => ID, { nullable: true, description: "The subscription. Required without orderId." })
  subscriptionId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      "The unpaid order. The link of a renewal's order is that of its subscription; any other order is paid on its checkout. Required without subscriptionId.",
  })
  orderId?: string | null;

  @Field(() => LineScalar, {
    nullable: true,
    description:
      'Language of the page, as a tag such as "ko" or "en-US". The page supports Korean and English; other languages get English. Defaults to the language of the browser.',
  })
  lang?: string | null;

  @Field(() => Int, { nullable: true, description: "Days until the link expires. 1 to 30; defaults to 7." })
  expiresInDays?: number | null;
}

@ObjectType({
  description: "A signed link to the page on which a payer stores another payment method.",
  simpleResolvers: true,
})
export class PaymentMethodLink {
  @Field(() => String, {
    description: "Address of the page. The link lets anyone replace the payment method, so give it only to the payer.",
  })
  url!: string;

  @Field(() => DateTimeScalar, { description: "Time at which the link expires." })
  expiresAt!: Date;
}

@ObjectType({ description: "The link.", simpleResolvers: true })
export class CreatePaymentMethodLinkPayload {
  @Field(() => PaymentMethodLink, { description: "The new link. Earlier links stay valid until they expire." })
  link!: PaymentMethodLink;
}
