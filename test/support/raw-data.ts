/**
 * The answer to a request that is put together at run time: no generated type describes it. Tests have no other `any`;
 * a helper that reads such an answer says which fields it expects.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type RawData = any;
