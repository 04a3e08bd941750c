import { randomBytes, randomInt, randomUUID } from "node:crypto";

/*
 * A cell is a database, or a schema of one, with families of vendors. Every identifier by which a request names its vendor contains the
 * number of the vendor's cell, so that any gateway finds the cell without a look-up. Identifiers of the home database, which is cell 0,
 * look as if there were no cells.
 */

/** The cell of the home database. */
export const HOME_CELL = 0;

const CODE_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const CODE_LENGTH = 9;

/** The largest number of a cell: two characters of an order's code. */
export const MAX_CELL = CODE_CHARACTERS.length ** 2 - 1;

/** The ids of vendors that a cell has for itself. */
const VENDOR_IDS_OF_CELL = 1_000_000_000;

/** 256 random bits cannot be guessed, so an unsalted SHA-256 hash of a token is safe to store. */
const TOKEN_BYTES = 32;

/** The first id of a vendor in a cell. */
export const firstVendorIdOf = (cell: number): number => cell * VENDOR_IDS_OF_CELL + 1;

/** The cell of a vendor. */
export const cellOfVendor = (vendorId: number): number => Math.floor((vendorId - 1) / VENDOR_IDS_OF_CELL);

/** Generates the random part of a vendor's token: 43 characters, with the cell before them if it is not the home database. */
export function newTokenText(vendorId: number): string {
  const cell = cellOfVendor(vendorId);
  const text = randomBytes(TOKEN_BYTES).toString("base64url");
  return cell === HOME_CELL ? text : `c${cell}_${text}`;
}

/** The cell of a vendor's token, with or without the words before its random part. Texts of other kinds belong to the home database. */
export function cellOfToken(token: string): number {
  const [, cell] = /^(?:recoup_(?:payment_)?(?:live|test)_)?c([1-9]\d{0,3})_[\w-]{43}$/.exec(token) ?? [];
  return toCell(Number(cell ?? HOME_CELL));
}

/** Generates the uuid of a vendor: of version 8 with the cell in its first four bytes, in the home database by chance. */
export function newVendorUuid(cell: number): string {
  if (cell === HOME_CELL) return randomUUID();
  const [, ...rest] = randomUUID().split("-") as [string, string, string, string, string];
  const first = cell.toString(16).padStart(8, "0");
  return [first, rest[0], `8${rest[1].slice(1)}`, ...rest.slice(2)].join("-");
}

/** The cell of a vendor's uuid. */
export const cellOfVendorUuid = (uuid: string): number =>
  /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(uuid)
    ? toCell(Number.parseInt(uuid.slice(0, 8), 16))
    : HOME_CELL;

/** Generates random letters and digits. */
export const randomCharacters = (length: number): string =>
  Array.from({ length }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join("");

/** Generates the letters and digits of an order's code, which begin with the cell if it is not the home database. */
export function newOrderCharacters(vendorId: number): string {
  const cell = cellOfVendor(vendorId);
  if (cell === HOME_CELL) return randomCharacters(CODE_LENGTH);
  const digits = [Math.floor(cell / CODE_CHARACTERS.length), cell % CODE_CHARACTERS.length];
  return digits.map((digit) => CODE_CHARACTERS[digit]).join("") + randomCharacters(CODE_LENGTH - digits.length);
}

/** The cell that may have an order's code; the home database may have any code. */
export function cellOfOrderCode(code: string): number {
  const [, first, second] = /^order_([A-Za-z\d])([A-Za-z\d])[A-Za-z\d]{7}$/.exec(code) ?? [];
  if (first === undefined || second === undefined) return HOME_CELL;
  return CODE_CHARACTERS.indexOf(first) * CODE_CHARACTERS.length + CODE_CHARACTERS.indexOf(second);
}

const toCell = (number: number): number => (number <= MAX_CELL ? number : HOME_CELL);
