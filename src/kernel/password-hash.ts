import { hash } from "@node-rs/argon2";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; some 20 ms. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The stored hash of a password: argon2id in PHC form, with its own salt. */
export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2_COST);
