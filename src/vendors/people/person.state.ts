import type { PersonState } from "../../../schema/vocabulary.ts";
import { NO_PASSWORD } from "../../kernel/secrets/password-hash.ts";
import type { PersonRecord } from "./person.repository.ts";

/** The state of a person's account. */
export const personStateOf = ({ enabled, passwordHash }: PersonRecord): PersonState =>
  !enabled ? "REMOVED" : passwordHash === NO_PASSWORD ? "INVITED" : "ACTIVE";
