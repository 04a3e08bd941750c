/** An answer of the fake that is an error: https://docs.tosspayments.com/reference/error-codes. */
export class FakeTossError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export const invalidRequest = (message: string): FakeTossError => new FakeTossError(400, "INVALID_REQUEST", message);

export const paymentNotFound = (): FakeTossError =>
  new FakeTossError(404, "NOT_FOUND_PAYMENT", "존재하지 않는 결제 정보 입니다.");
