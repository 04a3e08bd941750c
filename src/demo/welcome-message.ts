import type { ApolloSandboxDefaults } from "../http/pages/apollo-sandbox.ts";

/** Formats the message for the terminal once the gateway listens: addresses, the token and example requests. */
export function formatWelcome(address: string, demo: ApolloSandboxDefaults | undefined): string {
  const lines = [
    "",
    "Recoup is ready.",
    `  Console  ${address}  (open it in a browser)`,
    `  GraphQL  ${address}/graphql  (open it in a browser for an explorer with examples)`,
    `  REST     ${address}/api/v1`,
    `  OpenAPI  ${address}/openapi.json`,
    `  Docs     ${address}/docs  (the tutorial takes ten minutes)`,
  ];
  if (demo) {
    const { token, examples } = demo;
    const curlCommand = (method: string, path: string) =>
      `  curl -X ${method} '${address}/api/v1${path}' -H 'Secret-Token: ${token}'`;
    lines.push(
      `  Secret-Token: ${token}  (the demo vendor, a sandbox whose clock you can advance; add "-child" for a child vendor's)`,
      "",
      "A first recovered payment: report a failed renewal, get the date of the next attempt, then report the payment.",
      `${curlCommand("POST", "/cover/recovery")} -H 'Content-Type: application/json' -d '{"subscriptionId": ${examples.subscriptionId}, "orderId": ${examples.orderId}, "errorCode": "51"}'`,
      curlCommand("PATCH", `/cover/order/success/${examples.orderId}`),
      "",
      "The first page of a dashboard, from a year of customers, orders and subscriptions (more in docs/graphql.md):",
      curlCommand("GET", "/orders?size=5"),
      `  curl ${address}/graphql -H 'Secret-Token: ${token}' -H 'Content-Type: application/json' -d '{"query": "{ orders(first: 5) { totalCount nodes { code customerName productName amount currency } } }"}'`,
    );
  }
  return `${lines.join("\n")}\n\n`;
}
