import type { ApolloSandboxDefaults } from "../http/apollo-sandbox.ts";

/** The terminal's welcome message once the gateway listens: addresses, a token, and a first recovery to paste. */
export function formatWelcome(address: string, demo: ApolloSandboxDefaults | undefined): string {
  const lines = [
    "",
    "Recoup is ready.",
    `  GraphQL  ${address}/graphql  (open it in a browser for Apollo Sandbox)`,
    `  REST     ${address}/api/v1`,
    `  OpenAPI  ${address}/openapi.json`,
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
      "A dashboard's first page, of a year of customers, orders and subscriptions; docs/graphql.md has more:",
      curlCommand("GET", "/orders?size=5"),
      `  curl ${address}/graphql -H 'Secret-Token: ${token}' -H 'Content-Type: application/json' -d '{"query": "{ orders(first: 5) { totalCount nodes { code customerName productName amount currency } } }"}'`,
    );
  }
  return `${lines.join("\n")}\n\n`;
}
