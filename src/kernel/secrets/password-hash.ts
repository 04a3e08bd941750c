import { hash, verify } from "@node-rs/argon2";
import { once } from "../scheduling/lazy.ts";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; some 20 ms. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Shorter passwords are refused. */
export const MIN_PASSWORD_LENGTH = 8;

/** The stored hash of a password: argon2id in PHC form, with its own salt. */
export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2_COST);

/** Stored in place of a hash for a person without a password. */
export const NO_PASSWORD = "none";

/** A hash that costs as much as a stored one, and that no account has. */
const unknownAccountHash = once(() => hashPassword("the password of no account"));

/** Whether a password has a stored hash. Without a hash it is false, after the same time. */
export async function isPasswordOf(passwordHash: string | undefined, password: string): Promise<boolean> {
  const stored = passwordHash === NO_PASSWORD ? undefined : passwordHash;
  const isMatch = await verify(stored ?? (await unknownAccountHash()), password);
  return stored !== undefined && isMatch;
}
