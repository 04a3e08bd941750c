import type { Party } from "./current-party.ts";

/** How much may go on at once, and how long others wait for it. */
export interface ShareRules {
  /** Places for all parties together. */
  places: number;
  /** How long a party's work waits for a place, in milliseconds. */
  patienceMs: number;
  /** How much work of one party may wait at once. Without a limit unless given. */
  mostWaiting?: number;
  /** Whether only one piece of work begins before the process looks for what else has arrived: for work of the processor. */
  oneByOne?: boolean;
}

/** Thrown to work that found no place: the party has too much of it. */
export class NoPlace extends Error {}

/** A party that has gone less than this ago still has its share: between two requests nobody takes it over. */
const STILL_HERE_MS = 1_000;

/** One place in so many is left free for whoever comes next: what is under way cannot be taken back. */
const RESERVE = 5;

/** A party's share is never smaller: one place may wait for what is done in the other. */
const SMALLEST_SHARE = 2;

/** One party's work. */
interface Line {
  kind: string;
  busy: number;
  waiting: Set<() => void>;
  lastSeen: number;
  /** How much it had under way and waiting at most since it is here. */
  peak: number;
  /** When it last got a place, counted in places; a newcomer comes first. */
  lastTurn: number;
}

/**
 * Lets only so much work go on at once, shared fairly: a free place goes to the kinds of parties in turn, and within a kind
 * to its parties in turn, however much of it each has waiting. A party may take what others do not use, except for a few places
 * for newcomers; beside others who use much it may take as many as each of them, and one newcomer, could have.
 */
export class FairShare {
  private readonly lines = new Map<string, Line>();
  /** When each kind last got a place. */
  private readonly kinds = new Map<string, number>();
  private turn = 0;
  private busy = 0;
  private isScheduled = false;
  private hasBegun = false;

  constructor(private readonly rules: ShareRules) {}

  /**
   * Waits for a place. @returns what gives it back; a second call does nothing.
   * @throws NoPlace where too much of the party waits already, or for too long.
   */
  async enter(party: Party): Promise<() => void> {
    const line = this.lineOf(party);
    if (this.hasRoom() && line.waiting.size === 0 && line.busy < this.share().of(line)) this.take(line);
    else await this.wait(line);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      line.busy--;
      this.busy--;
      line.lastSeen = performance.now();
      this.serve();
    };
  }

  /** Whether another party is at work, or was a moment ago. */
  hasOthers({ kind, id }: Party): boolean {
    this.share();
    return this.lines.size > (this.lines.has(`${kind}/${id}`) ? 1 : 0);
  }

  private hasRoom(): boolean {
    return this.busy < this.rules.places && !this.hasBegun;
  }

  private take(line: Line): void {
    line.busy++;
    this.busy++;
    line.lastTurn = ++this.turn;
    this.kinds.set(line.kind, this.turn);
    if (!this.rules.oneByOne) return;
    this.hasBegun = true;
    setImmediate(() => {
      this.hasBegun = false;
      this.serve();
    });
  }

  private wait(line: Line): Promise<void> {
    if (line.waiting.size >= (this.rules.mostWaiting ?? Infinity)) throw new NoPlace("Too much waits already.");
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.delete(enter);
        reject(new NoPlace("No place became free in time."));
      }, this.rules.patienceMs);
      line.waiting.add(enter);
      this.serve();
    });
  }

  /** Gives free places to those who wait; where they wait for their share to grow, looks again a little later. */
  private serve(): void {
    const share = this.share();
    while (this.hasRoom()) {
      const next = this.next(share);
      if (!next) break;
      const [enter] = next.waiting;
      next.waiting.delete(enter!);
      this.take(next);
      enter!();
    }
    if (this.isScheduled || !this.hasRoom() || !this.isAwaited()) return;
    this.isScheduled = true;
    setTimeout(() => {
      this.isScheduled = false;
      this.serve();
    }, STILL_HERE_MS);
  }

  private isAwaited(): boolean {
    return [...this.lines.values()].some(({ waiting }) => waiting.size > 0);
  }

  /** Of those who wait and have room in their share, the one whose kind, and who within it, has waited longest for a turn. */
  private next(share: { of(line: Line): number }): Line | undefined {
    let next: Line | undefined;
    for (const line of this.lines.values()) {
      if (line.waiting.size === 0 || line.busy >= share.of(line)) continue;
      const ahead = next === undefined ? -1 : this.turnOf(line.kind) - this.turnOf(next.kind);
      if (ahead < 0 || (ahead === 0 && line.lastTurn < next!.lastTurn)) next = line;
    }
    return next;
  }

  private turnOf(kind: string): number {
    return this.kinds.get(kind) ?? 0;
  }

  /** How many places each party may have at the moment. */
  private share(): { of(line: Line): number } {
    const now = performance.now();
    for (const [key, { busy, waiting, lastSeen }] of this.lines)
      if (busy === 0 && waiting.size === 0 && now - lastSeen > STILL_HERE_MS) this.lines.delete(key);
    const { places } = this.rules;
    const even = Math.max(SMALLEST_SHARE, Math.ceil(places / (this.lines.size + 1)));
    const used = ({ peak }: Line) => Math.min(peak, even);
    const usedByAll = [...this.lines.values()].reduce((sum, line) => sum + used(line), 0);
    const reserve = Math.max(1, Math.floor(places / RESERVE));
    return { of: (line) => Math.max(Math.min(even, places), places - (usedByAll - used(line)) - reserve) };
  }

  private lineOf({ kind, id }: Party): Line {
    const key = `${kind}/${id}`;
    const known = this.lines.get(key);
    const line = known ?? { kind, busy: 0, waiting: new Set(), lastSeen: 0, peak: 0, lastTurn: 0 };
    line.lastSeen = performance.now();
    line.peak = Math.max(line.peak, line.busy + line.waiting.size + 1);
    if (!known) this.lines.set(key, line);
    return line;
  }
}
