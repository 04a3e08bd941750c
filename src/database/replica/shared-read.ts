/**
 * A value that many callers read at the same time with one query. Each caller gets the answer to a query that was sent after its
 * call; those who come while a query is under way share the next one.
 */
export class SharedRead<T> {
  private running: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(private readonly query: () => Promise<T>) {}

  read(): Promise<T> {
    if (!this.running) return this.start();
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.read();
      });
    return this.next;
  }

  private start(): Promise<T> {
    const running = this.query().finally(() => {
      this.running = undefined;
    });
    this.running = running;
    return running;
  }
}
