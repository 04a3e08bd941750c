import { cacheExchange, Client, fetchExchange } from "urql";

/** A client of the public API with the vendor's token. Answers are cached, shown at once, and requested again. */
export const createGraphqlClient = (token: string): Client =>
  new Client({
    url: "/graphql",
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    requestPolicy: "cache-and-network",
    fetchOptions: { headers: { "Secret-Token": token } },
  });
