import { cacheExchange, Client, fetchExchange, mapExchange } from "urql";
import { toRequestError, type RequestError } from "./request-error.ts";

/** A client of the public API with the vendor's token, or with the session's cookie if there is none. Answers are cached, shown at once, and requested again. */
export const createGraphqlClient = (token: string | undefined, onError: (error: RequestError) => void): Client =>
  new Client({
    url: "/graphql",
    exchanges: [cacheExchange, mapExchange({ onError: (error) => onError(toRequestError(error)) }), fetchExchange],
    preferGetMethod: false,
    requestPolicy: "cache-and-network",
    fetchOptions: token === undefined ? {} : { headers: { "Secret-Token": token } },
  });
