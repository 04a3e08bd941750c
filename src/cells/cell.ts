import type { CellState } from "../../schema/vocabulary.ts";

/** Where the rows of a cell are. */
export interface CellPlace {
  /** The address of its database, with the password. */
  url: string;
  /** The schema of the database that is the cell; null for `public`. */
  schema: string | null;
  /** The address of a read replica; null without one. */
  replicaUrl: string | null;
  /** Whether the database is a Citus cluster, of which the cell is a schema. */
  isDistributed: boolean;
}

/** A database, or a schema of one, with families of vendors. */
export interface Cell extends CellPlace {
  number: number;
  name: string;
  /** DRAINING takes no new families, MOVING no writes. */
  state: CellState;
}

/** The name of the home database in commands. */
export const HOME_CELL_NAME = "home";

/** Whether two cells are at the same place, so that what is open can stay open. */
export const isSamePlace = (one: CellPlace, other: CellPlace): boolean =>
  one.url === other.url && one.schema === other.schema && one.replicaUrl === other.replicaUrl;
