import { selectRoomiest, type CellUse } from "../src/cells/cell-use.ts";
import { firstOf, itemAt } from "../src/kernel/required-values.ts";
import { RandomSource } from "../src/recovery/simulation/random-source.ts";

/*
 * `npm run bench:placement`: three years of an installation to which families of vendors come every day, most of them small and a
 * few very large. Each family gets its cell by the rule of `vendor:create`, or by chance for comparison. Prints how evenly cells
 * fill, how many there are, and how often one had to be moved to another server. Nothing is measured: bytes of an order are an
 * assumption, from `npm run bench:bytes`.
 */

const DAYS = 3 * 365;
const FAMILIES = Number(process.env["FAMILIES"] ?? 1_000_000);
const ORDERS = Number(process.env["ORDERS"] ?? 1_000_000_000);
/** Growth of a family's orders in a year, those that leave deducted. */
const YEARLY_GROWTH = 1.15;
/** A fifth of the families has four fifths of the orders. */
const PARETO_SHAPE = 1.16;
/** The largest family has this many times the orders of the mean. */
const MAX_FAMILY = 20_000;
const BYTES_PER_ORDER = 8_900;
/** The operator drains a cell at this size, and adds one as soon as fewer than `OPEN_CELLS` take families. */
const DRAIN_BYTES = 200e9;
const OPEN_CELLS = 4;
const SERVER_BYTES = 2e12;
/** From here on a server gives its smallest cell to another one. */
const MOVE_BYTES = 0.8 * SERVER_BYTES;
const FAMILIES_A_DAY = Math.round(FAMILIES / DAYS);

interface Cell {
  use: CellUse;
  ordersPerDay: number;
  isDrained: boolean;
  server: number;
}

type Rule = (open: readonly [Cell, ...Cell[]], random: () => number) => Cell;

const rules: Record<string, Rule> = {
  "by room": (open) => selectRoomiest(open),
  "by chance": (open, random) => itemAt(open, Math.floor(random() * open.length)),
};

for (const [name, rule] of Object.entries(rules)) console.log(name.padEnd(10), describe(simulate(rule)));

function simulate(rule: Rule) {
  const random = new RandomSource(1).next;
  const cells: Cell[] = [];
  const totals = { moves: 0, movedBytes: 0, servers: 0 };
  // Orders of all days add up to the installation's number of orders.
  const meanPerDay = ORDERS / FAMILIES / familyDays();
  const dailyGrowth = YEARLY_GROWTH ** (1 / 365);
  for (let day = 0; day < DAYS; day++) {
    for (let family = 0; family < FAMILIES_A_DAY; family++) {
      const cell = rule(openCells(cells, totals), random);
      cell.use.families++;
      cell.ordersPerDay += meanPerDay * sizeOfFamily(random);
    }
    for (const cell of cells) {
      cell.use.bytes += cell.ordersPerDay * BYTES_PER_ORDER;
      cell.ordersPerDay *= dailyGrowth;
      cell.isDrained ||= cell.use.bytes > DRAIN_BYTES;
    }
    moveFromFullServers(cells, totals);
  }
  return { cells, ...totals };
}

/** Cells that take families; new ones stand on the server with the most room. */
function openCells(cells: Cell[], totals: { servers: number }): readonly [Cell, ...Cell[]] {
  const open = cells.filter(({ isDrained }) => !isDrained);
  while (open.length < OPEN_CELLS) {
    const cell: Cell = {
      use: { families: 0, vendors: 0, bytes: 0 },
      ...{ ordersPerDay: 0, isDrained: false, server: roomiestServer(cells, totals, 0) },
    };
    cells.push(cell);
    open.push(cell);
  }
  return [firstOf(open), ...open.slice(1)];
}

function bytesOfServer(cells: readonly Cell[], server: number): number {
  return cells.reduce((sum, cell) => sum + (cell.server === server ? cell.use.bytes : 0), 0);
}

/** The emptiest server with room for this much below its mark and half of it to grow, or a new one. */
function roomiestServer(cells: readonly Cell[], totals: { servers: number }, bytes: number): number {
  let best: number | undefined;
  for (let server = 0; server < totals.servers; server++) {
    const used = bytesOfServer(cells, server);
    const hasRoom = used + bytes < MOVE_BYTES / 2;
    if (hasRoom && (best === undefined || used < bytesOfServer(cells, best))) best = server;
  }
  return best ?? totals.servers++;
}

function moveFromFullServers(cells: Cell[], totals: { servers: number; moves: number; movedBytes: number }): void {
  for (let server = 0; server < totals.servers; server++) {
    const own = cells.filter((cell) => cell.server === server).toSorted((a, b) => a.use.bytes - b.use.bytes);
    if (own.length < 2 || bytesOfServer(cells, server) < MOVE_BYTES) continue;
    const cell = firstOf(own);
    cell.server = roomiestServer(cells, totals, cell.use.bytes);
    totals.moves++;
    totals.movedBytes += cell.use.bytes;
  }
}

function describe({ cells, servers, moves, movedBytes }: ReturnType<typeof simulate>): string {
  const sizes = cells.map(({ use }) => use.bytes).toSorted((a, b) => a - b);
  const rates = cells.map(({ ordersPerDay }) => ordersPerDay).toSorted((a, b) => a - b);
  const families = cells.map(({ use }) => use.families).toSorted((a, b) => a - b);
  const gigabytes = (bytes: number) => `${Math.round(bytes / 1e9)} GB`;
  const range = (values: readonly number[], write: (value: number) => string) =>
    [0, Math.floor(values.length / 2), values.length - 1].map((at) => write(itemAt(values, at))).join(", ");
  return [
    `${cells.length} cells on ${servers} servers, ${moves} moves of ${gigabytes(movedBytes)}`,
    `least, middle, most: ${range(sizes, gigabytes)}`,
    `${range(families, String)} families`,
    `${range(rates, (rate) => (rate / 1440).toFixed(1))} orders a minute`,
  ].join("; ");
}

/** The size of a family, as a multiple of the mean. */
function sizeOfFamily(random: () => number): number {
  const mean = PARETO_SHAPE / (PARETO_SHAPE - 1);
  return Math.min(MAX_FAMILY, random() ** (-1 / PARETO_SHAPE) / mean);
}

/** Days in which a mean family orders, weighted by its growth: those of the last day have one. */
function familyDays(): number {
  const dailyGrowth = YEARLY_GROWTH ** (1 / 365);
  let sum = 0;
  for (let age = 0, rate = 1; age < DAYS; age++, rate *= dailyGrowth) sum += rate * ((DAYS - age) / DAYS);
  return sum;
}
