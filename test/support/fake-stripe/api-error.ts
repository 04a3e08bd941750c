/** The fields of an error in Stripe's answers: https://docs.stripe.com/api/errors. */
export interface ErrorBody {
  type: "invalid_request_error" | "card_error" | "api_error" | "idempotency_error" | "authentication_error";
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  network_decline_code?: string;
  network_advice_code?: string;
  advice_code?: string;
  payment_intent?: object;
  setup_intent?: object;
}

/** An answer of the fake that is an error. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message);
  }
}

/** The refusal of a request that its object's state does not allow. */
export const invalidRequest = (message: string, code?: string): ApiError =>
  new ApiError(400, { type: "invalid_request_error", message, ...(code !== undefined && { code }) });

/** https://docs.stripe.com/error-codes#resource-missing */
export const noSuch = (what: string, id: string): ApiError =>
  new ApiError(404, { type: "invalid_request_error", code: "resource_missing", message: `No such ${what}: '${id}'` });
