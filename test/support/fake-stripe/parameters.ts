import type Stripe from "stripe";
import type { FormFields, FormValue } from "./form-body.ts";
import { ApiError } from "./api-error.ts";

/** The parameters of a request that the fake knows. The library's types say which names there are. */
interface ParameterRules {
  required: readonly string[];
  optional: readonly string[];
  nested: Readonly<Record<string, ParameterRules | undefined>>;
}

type NameOf<P> = keyof P & string;

const rulesOf = <P>(
  required: readonly NameOf<P>[],
  optional: readonly NameOf<P>[],
  nested: { readonly [Name in NameOf<P>]?: ParameterRules } = {},
): ParameterRules => ({ required, optional, nested });

type PageParams = Stripe.Checkout.SessionCreateParams;

export const parameterRules = {
  createPayment: rulesOf<Stripe.PaymentIntentCreateParams>(
    ["amount", "currency"],
    [
      "allowed_payment_method_types",
      "confirm",
      "customer",
      "description",
      "error_on_requires_action",
      "expand",
      "metadata",
      "off_session",
      "payment_method",
      "return_url",
    ],
  ),
  createSetup: rulesOf<Stripe.SetupIntentCreateParams>(
    [],
    [
      "allowed_payment_method_types",
      "confirm",
      "customer",
      "expand",
      "metadata",
      "payment_method",
      "return_url",
      "usage",
    ],
  ),
  createPage: rulesOf<PageParams>(
    ["mode", "success_url"],
    [
      "allowed_payment_method_types",
      "cancel_url",
      "client_reference_id",
      "currency",
      "customer_creation",
      "expand",
      "line_items",
      "metadata",
      "payment_intent_data",
      "setup_intent_data",
    ],
    {
      line_items: rulesOf<Stripe.Checkout.SessionCreateParams.LineItem>(["price_data", "quantity"], [], {
        price_data: rulesOf<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>(
          ["currency", "unit_amount", "product_data"],
          [],
          {
            product_data: rulesOf<Stripe.Checkout.SessionCreateParams.LineItem.PriceData.ProductData>(["name"], []),
          },
        ),
      }),
      payment_intent_data: rulesOf<Stripe.Checkout.SessionCreateParams.PaymentIntentData>(
        [],
        ["description", "metadata", "setup_future_usage"],
      ),
      setup_intent_data: rulesOf<Stripe.Checkout.SessionCreateParams.SetupIntentData>([], ["metadata"]),
    },
  ),
  createRefund: rulesOf<Stripe.RefundCreateParams>(["payment_intent"], ["amount", "metadata", "expand"]),
  createCustomer: rulesOf<Stripe.CustomerCreateParams>([], ["metadata", "description"]),
  attachMethod: rulesOf<Stripe.PaymentMethodAttachParams>(["customer"], ["expand"]),
  search: rulesOf<Stripe.PaymentIntentSearchParams>(["query"], ["limit", "page", "expand"]),
  list: rulesOf<Stripe.PaymentIntentListParams>([], ["limit", "starting_after", "expand"]),
  listRefunds: rulesOf<Stripe.RefundListParams>([], ["limit", "starting_after", "payment_intent"]),
  retrieve: rulesOf<Stripe.PaymentIntentRetrieveParams>([], ["expand"]),
  change: rulesOf<Stripe.PaymentIntentCancelParams>([], ["expand"]),
} satisfies Record<string, ParameterRules>;

/** @throws an ApiError for the first parameter that is unknown or missing. */
export function checkParameters(fields: FormFields, { required, optional, nested }: ParameterRules, path = ""): void {
  const nameOf = (name: string) => (path === "" ? name : `${path}[${name}]`);
  for (const name of Object.keys(fields))
    if (!required.includes(name) && !optional.includes(name))
      throw new ApiError(400, {
        type: "invalid_request_error",
        code: "parameter_unknown",
        message: `Received unknown parameter: ${nameOf(name)}`,
        param: nameOf(name),
      });
  for (const name of required)
    if (fields[name] === undefined || fields[name] === "")
      throw new ApiError(400, {
        type: "invalid_request_error",
        code: "parameter_missing",
        message: `Missing required param: ${nameOf(name)}.`,
        param: nameOf(name),
      });
  for (const [name, rules] of Object.entries(nested)) {
    const value: FormValue | undefined = fields[name];
    if (value === undefined || rules === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) checkParameters(one as FormFields, rules, nameOf(name));
  }
}
