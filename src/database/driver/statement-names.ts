/** How many statements are prepared by name: PostgreSQL neither parses nor plans these again. */
export interface NameLimits {
  maxNames: number;
  /** The length of all of them together: PostgreSQL needs about six bytes a character, on each connection. */
  maxCharacters: number;
  /** The least time for which connections are used before they are replaced to name other statements. */
  renewAfterMs: number;
  /** The executions of statements without a name, because the limit was reached, that new connections are worth. */
  renewAfterRejections: number;
}

/** The length of all texts that were executed once and are remembered; the oldest are forgotten first. */
const MAX_CHARACTERS_SEEN = 4_000_000;

/**
 * Decides which statements are prepared by name: those that are executed a second time, up to a limit. The statement of a document
 * that is sent once would stay in the memory of PostgreSQL for as long as the connection lives.
 */
export class StatementNames {
  private readonly named = new Set<string>();
  private namedCharacters = 0;
  private readonly seen = new Set<string>();
  private seenCharacters = 0;
  private rejected = 0;

  constructor(private readonly limits: NameLimits) {}

  /** Whether this execution of a statement is to be prepared by name. */
  isNamed(text: string): boolean {
    if (this.named.has(text)) return true;
    if (!this.seen.has(text)) {
      this.rememberText(text);
      return false;
    }
    if (this.named.size >= this.limits.maxNames || this.namedCharacters + text.length > this.limits.maxCharacters) {
      this.rejected++;
      return false;
    }
    this.forgetText(text);
    this.named.add(text);
    this.namedCharacters += text.length;
    return true;
  }

  /** How many executions had no name because the limit was reached. */
  get rejections(): number {
    return this.rejected;
  }

  private rememberText(text: string): void {
    this.seen.add(text);
    this.seenCharacters += text.length;
    for (const oldest of this.seen) {
      if (this.seenCharacters <= MAX_CHARACTERS_SEEN) return;
      this.forgetText(oldest);
    }
  }

  private forgetText(text: string): void {
    this.seen.delete(text);
    this.seenCharacters -= text.length;
  }
}
