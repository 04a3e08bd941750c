import { describe, expect, test } from "vitest";
import {
  sendMutation,
  errorSummaries,
  runMutation,
  minimalInputs,
  createCoverFixture,
  type Mutation,
} from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { uniqueWord, expectNoChanges } from "../../support/rest-assertions.ts";

const gateway = await startGateway();
const shop = await createCoverFixture(gateway);

const customer = { mutation: "registerCoverCustomer", input: minimalInputs.customer() } as const;
const product = { mutation: "registerCoverProduct", input: minimalInputs.product() } as const;
const price = { mutation: "registerCoverPrice", input: minimalInputs.price(shop) } as const;
const subscription = { mutation: "registerCoverSubscription", input: minimalInputs.subscription(shop) } as const;
const order = { mutation: "registerCoverOrder", input: minimalInputs.order(shop) } as const;

interface Body {
  mutation: Mutation;
  input: object;
}

const long = (length: number) => "x".repeat(length + 1);
const notText = [1, true, {}, []];
const badText = ["a\0b", "\ud800"];

/** A place for each type of value, values of other types, and invalid values of the type. */
const kinds: Record<string, [at: readonly [Body, string][], types: readonly unknown[], values: readonly unknown[]]> = {
  ID: [
    [
      [price, "productId"],
      [subscription, "customerId"],
      [order, "subscriptionId"],
    ],
    [true, 1.5, {}, []],
    [],
  ],
  Boolean: [
    [
      [customer, "replaceIfExists"],
      [order, "paymentFailed"],
    ],
    ["true", 1, {}, []],
    [],
  ],
  RecurringInterval: [[[subscription, "recurringInterval"]], [1, true, {}, []], ["", "month", "DECADE", "constructor"]],
  Network: [[[order, "network"]], [1, true, {}, []], ["visa", "JCB"]],
  PositiveInt: [[[subscription, "recurringIntervalCount"]], ["1", true, 1.5, {}, []], [0, -1, 2 ** 31]],
  Decimal: [
    [
      [price, "price"],
      [order, "amount"],
      [order, "amountReturned"],
    ],
    [true, {}, [], "", "x", " 1", "1,5", "0x1", "NaN"],
    ["-1", -0.01, "0.0000001", 1.1234567, "1234567890123456", 1234567890123456],
  ],
  DateTime: [
    [
      [subscription, "currentPeriodEnd"],
      [order, "paymentDate"],
    ],
    notText,
    ["", "tomorrow", "2026-03-01", "2026-02-30T00:00:00Z", "2026-03-01 09:30:00Z", "0000-12-31T23:59:59Z"],
  ],
  PartnerId: [
    [
      [customer, "partnerCustomerId"],
      [order, "partnerOrderId"],
    ],
    notText,
    ["", "  ", long(255), ...badText],
  ],
  Name: [
    [
      [customer, "name"],
      [product, "name"],
      [price, "name"],
    ],
    notText,
    ["", "\t", long(500), ...badText],
  ],
  Line: [
    [
      [order, "idKey"],
      [order, "errorCode"],
      [order, "adviceCode"],
    ],
    notText,
    [long(255), ...badText],
  ],
  Text: [
    [
      [order, "paymentInfo"],
      [order, "errorMessage"],
    ],
    notText,
    [long(4000), ...badText],
  ],
  Link: [[[product, "featuredImageUrl"]], notText, [long(2048), ...badText]],
  Email: [[[customer, "email"]], notText, ["", "nobody", "a b@example.com", `${long(315)}@x.kr`, ...badText]],
  Phone: [[[customer, "phone"]], notText, ["", "none", "1".repeat(65), ...badText]],
  TimeZone: [[[customer, "timeZone"]], notText, ["", "Mars/Base", "+09:00", "2026-03-01T00:00[Asia/Seoul]", long(64)]],
  CountryCode: [[[customer, "country"]], notText, ["", "K", "kr", "KOR", "82"]],
};

/**
 * Sends each value in turn; all answers are compared at once, so that a failure shows every value that was wrongly
 * accepted.
 */
async function refusesAll({ mutation, input }: Body, field: string, values: readonly unknown[], code: string) {
  const answers: unknown[] = [];
  for (const value of values)
    answers.push([value, errorSummaries(await sendMutation(gateway, mutation, { ...input, [field]: value }))]);
  expect(answers).toEqual(values.map((value) => [value, [`INVALID_ARGUMENT: input.${field} ${code}`]]));
}

describe.each(Object.entries(kinds))("a %s", (_kind, [places, types, values]) => {
  test("of another type is INVALID_TYPE, at its path", async () => {
    for (const [body, field] of places) await refusesAll(body, field, types, "INVALID_TYPE");
  });

  if (values.length > 0)
    test("that is invalid is INVALID_VALUE, at its path", async () => {
      for (const [body, field] of places) await refusesAll(body, field, values, "INVALID_VALUE");
    });
});

describe.each([customer, product, price, subscription, order])("the input of $mutation", ({ mutation, input }) => {
  const names = Object.keys(input);

  test("names every field that is missing, and every one that is null", async () => {
    const missing = await sendMutation(gateway, mutation, {});
    expect(errorSummaries(missing)[0]!.split(": ").slice(1).sort()).toEqual(
      names.map((name) => `input.${name} REQUIRED`).sort(),
    );
    const nulls = await sendMutation(gateway, mutation, Object.fromEntries(names.map((name) => [name, null])));
    expect(errorSummaries(nulls)).toEqual(errorSummaries(missing));
  });

  test("refuses an unknown field", async () => {
    const answer = await sendMutation(gateway, mutation, { ...input, memo: "x" });
    expect(errorSummaries(answer)).toEqual(["INVALID_ARGUMENT: input.memo INVALID_VALUE"]);
  });
});

test("every error of a document is answered at once, and the message is made of the first", async () => {
  const input = {
    ...order.input,
    amount: "-1",
    items: [{ quantity: 0, priceId: shop.priceId }, { quantity: 1 }],
    memo: 1,
  };
  const { status, data, errors } = await expectNoChanges(gateway, () =>
    sendMutation(gateway, "registerCoverOrder", input),
  );
  const [error] = errors!;
  expect({ status, data, error }).toEqual({
    status: 400,
    data: undefined,
    error: {
      message: 'input.amount must not be negative. Received "-1". Other invalid values: 3.',
      extensions: {
        code: "INVALID_ARGUMENT",
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        docUrl: expect.stringMatching(/\/docs\/errors\/INVALID_ARGUMENT$/),
        details: {
          hint: expect.stringMatching(/\.$/),
          fields: [
            { path: "input.amount", code: "INVALID_VALUE", message: "must not be negative.", value: "-1" },
            {
              path: "input.items[0].quantity",
              code: "INVALID_VALUE",
              message: "must be from 1 to 2147483647.",
              value: 0,
            },
            { path: "input.items[1].priceId", code: "REQUIRED", message: "is required." },
            {
              path: "input.memo",
              code: "INVALID_VALUE",
              message: expect.stringMatching(/^is not a field of this input\. Its fields are .*paymentFailed/),
              value: 1,
            },
          ],
        },
      },
    },
  });
});

test("a variable that is missing, null or no object is named by itself", async () => {
  const document =
    "mutation ($order: CancelCoverOrderInput!, $n: Int!) { cancelCoverOrder(input: $order) { order { covers(first: $n) { totalCount } } } }";
  const faults = async (variables: Record<string, unknown>) =>
    errorSummaries(await gateway.sendGraphQL(document, variables));
  expect(await faults({})).toEqual(["INVALID_ARGUMENT: order REQUIRED: n REQUIRED"]);
  expect(await faults({ order: null, n: null })).toEqual(["INVALID_ARGUMENT: order REQUIRED: n REQUIRED"]);
  expect(await faults({ order: "x", n: "1" })).toEqual(["INVALID_ARGUMENT: order INVALID_TYPE: n INVALID_TYPE"]);
});

test("a wrong duration is refused with a sentence that says what a duration is", async () => {
  const { errors } = await sendMutation(gateway, "advanceTestClock", { by: "soon" });
  expect(errors![0]!.message).toBe('input.by must be an ISO 8601 duration such as P1D. Received "soon".');
});

test("a wrong value is quoted to its sender, and is in no line of the log", async () => {
  const word = uniqueWord("value");
  const textFields = ["name", "email", "phone", "partnerCustomerId", "country", "timeZone", "replaceIfExists"];
  const wrong = Object.fromEntries(textFields.map((field) => [field, `${word}\0`]));
  const wrongOrder = { amount: word, paymentDate: word, network: word, items: [{ quantity: word, priceId: [word] }] };
  gateway.logLines.length = 0;
  const answers = [
    await sendMutation(gateway, "registerCoverCustomer", wrong),
    await sendMutation(gateway, "registerCoverOrder", { ...order.input, ...wrongOrder }),
    await sendMutation(gateway, "cancelCoverOrder", { orderId: word }),
    await sendMutation(gateway, "advanceTestClock", { by: word }),
    await gateway.sendGraphQL(
      "query ($id: ID!, $c: String) { coverOrder(id: $id) { id } covers(after: $c) { totalCount } }",
      { id: word, c: word },
    ),
  ];
  expect(answers.map(({ errors = [] }) => errors.length > 0)).toEqual(answers.map(() => true));
  for (const answer of answers) expect(JSON.stringify(answer)).toContain(word);
  expect(gateway.logLines.join()).not.toContain(word);
});

test("a card number in a text is masked before it is stored", async () => {
  const input = {
    ...order.input,
    paymentInfo: "Visa 4111111111111111",
    paymentFailed: true,
    errorMessage: "no 4111-1111-1111-1111",
  };
  const selection = "order { paymentInfo cover { attempts { nodes { errorMessage } } } }";
  expect((await runMutation(gateway, "registerCoverOrder", input, selection)).order).toEqual({
    paymentInfo: "Visa ************1111",
    cover: { attempts: { nodes: [{ errorMessage: "no ****-****-****-1111" }] } },
  });
});
