import type { CellState } from "../../schema/vocabulary.ts";
import { MAX_CELL } from "../kernel/cell-numbers.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { OperationError } from "../operations/operation-error.ts";
import { isSamePlace, type Cell, type CellPlace } from "./cell.ts";
import type { CellRepository, CellRow } from "./cell.repository.ts";

/** An address without its password, and the password. */
function splitPassword(address: string): { url: string; password: string | null } {
  const url = new URL(address);
  const password = url.password === "" ? null : decodeURIComponent(url.password);
  url.password = "";
  return { url: url.href, password };
}

function withPassword(address: string, password: string | null): string {
  if (password === null) return address;
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return url.href;
}

const contextOf = (number: number, part: "password" | "replica password") => `cell ${number}: ${part}`;

/** Registers cells in the home database, and encrypts the passwords of their addresses. */
export class CellService {
  constructor(private readonly deps: { cellRepository: CellRepository; vault: SecretVault; now: Date }) {}

  /** All cells with their addresses, in the order of their numbers. */
  async all(): Promise<Cell[]> {
    return (await this.deps.cellRepository.all()).map((row) => this.toCell(row));
  }

  /** The cell of a name. @throws an OperationError if there is none. */
  async require(name: string): Promise<Cell> {
    const cell = (await this.all()).find((one) => one.name === name);
    if (!cell)
      throw new OperationError("CELL_NOT_FOUND", "There is no cell with this name; recoup cells list shows all.");
    return cell;
  }

  /** The number that the next cell will have. @throws an OperationError if there is none left. */
  async nextNumber(): Promise<number> {
    const number = (await this.deps.cellRepository.newestNumber()) + 1;
    if (number > MAX_CELL) throw new OperationError("TOO_MANY_CELLS", `An installation has at most ${MAX_CELL} cells.`);
    return number;
  }

  async add(number: number, name: string, place: CellPlace): Promise<Cell> {
    const row: CellRow = {
      ...{ number, name, state: "OPEN", createdAt: this.deps.now },
      ...this.toColumns(number, place),
    };
    await this.deps.cellRepository.add(row);
    return this.toCell(row);
  }

  async setState(number: number, state: CellState): Promise<void> {
    await this.deps.cellRepository.change(number, { state });
  }

  /** Says where the rows of a cell are from now on, and opens it for writes. */
  async setPlace(number: number, place: CellPlace, state: CellState): Promise<void> {
    await this.deps.cellRepository.change(number, { ...this.toColumns(number, place), state });
  }

  /**
   * Encrypts the passwords of a cell's addresses with the current key, in a transaction. @returns false if the cell is not at this place
   * any more, where a move or a restore has put it meanwhile.
   */
  async reencryptPasswords({ number, ...place }: Cell): Promise<boolean> {
    const row = await this.deps.cellRepository.lock(number);
    if (!row || !isSamePlace(this.toCell(row), place)) return false;
    await this.deps.cellRepository.change(number, this.toColumns(number, place));
    return true;
  }

  private toColumns(number: number, { url: address, schema, replicaUrl: replicaAddress, isDistributed }: CellPlace) {
    const encrypt = (text: string | null, part: "password" | "replica password") =>
      text === null ? null : this.deps.vault.encrypt(text, contextOf(number, part));
    const { url, password } = splitPassword(address);
    const replica = replicaAddress === null ? { url: null, password: null } : splitPassword(replicaAddress);
    return {
      ...{ url, password: encrypt(password, "password"), schema, replicaUrl: replica.url, isDistributed },
      replicaPassword: encrypt(replica.password, "replica password"),
    };
  }

  private toCell({ number, url, password, replicaUrl, replicaPassword, ...row }: CellRow): Cell {
    const decrypt = (text: Buffer | null, part: "password" | "replica password") =>
      text === null ? null : this.deps.vault.decrypt(text, contextOf(number, part));
    return {
      ...{ number, name: row.name, schema: row.schema, state: row.state, isDistributed: row.isDistributed },
      url: withPassword(url, decrypt(password, "password")),
      replicaUrl: replicaUrl === null ? null : withPassword(replicaUrl, decrypt(replicaPassword, "replica password")),
    };
  }
}
