import type { Handle } from "../database/client.ts";
import { systemClock } from "../kernel/clock.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import type { Cell } from "./cell.ts";
import { CellRepository } from "./cell.repository.ts";
import { CellService } from "./cell.service.ts";

/** The service of cells on the home database. */
export const createCellService = (home: Handle, vault: SecretVault): CellService =>
  new CellService({ cellRepository: new CellRepository(home), vault, now: systemClock.now() });

/** The cells of the installation, with the passwords of their addresses. */
export const listCells = (home: Handle, vault: SecretVault): Promise<Cell[]> => createCellService(home, vault).all();
