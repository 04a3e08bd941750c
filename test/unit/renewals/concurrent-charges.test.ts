import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { ConcurrentCharges, type StartCharge } from "../../../src/renewals/concurrent-charges.ts";

/** Due charges of which a turn claims some: the most that waited for their gateway, and the sizes of the claims. */
class DueCharges {
  readonly claims: number[] = [];
  mostAtGateway = 0;
  mostUnderWay = 0;
  private atGateway = 0;
  private underWay = 0;

  constructor(
    private due: number,
    private readonly end: (nth: number) => "DONE" | "DEFERRED" = () => "DONE",
  ) {}

  readonly claim = async (limit: number) => {
    await wait(1);
    const found = Math.min(limit, this.due);
    this.due -= found;
    this.claims.push(found);
    return { found, charges: Array.from({ length: found }, (_, index) => this.chargeOf(this.due + index)) };
  };

  get left(): number {
    return this.due;
  }

  private chargeOf(nth: number): StartCharge {
    return async (release) => {
      this.mostAtGateway = Math.max(this.mostAtGateway, ++this.atGateway);
      this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
      await wait(3);
      this.atGateway--;
      release();
      await wait(3);
      this.underWay--;
      return this.end(nth);
    };
  }
}

test.each([1, 2, 25, 120])(
  "no more charges than %d wait for their gateway, and all due ones are made",
  async (concurrency) => {
    const due = new DueCharges(300);
    const done = await new ConcurrentCharges({ concurrency, mayContinue: () => true }, due.claim).run();
    expect(done).toBe(300);
    expect(due.mostAtGateway).toBeLessThanOrEqual(concurrency);
    expect(due.mostUnderWay).toBeLessThanOrEqual(2 * concurrency);
    expect(Math.max(...due.claims)).toBeLessThanOrEqual(50);
  },
);

test.each([1, 7, 80])("no more renewals than %d are claimed in one transaction", async (maxClaims) => {
  const due = new DueCharges(300);
  const turn = { concurrency: 120, maxClaims, mayContinue: () => true };
  expect(await new ConcurrentCharges(turn, due.claim).run()).toBe(300);
  expect(Math.max(...due.claims)).toBe(maxClaims);
});

test("a turn whose time is over makes one claim and waits for its charges", async () => {
  const due = new DueCharges(300);
  const done = await new ConcurrentCharges({ concurrency: 20, mayContinue: () => false }, due.claim).run();
  expect(done).toBe(20);
  expect(due.left).toBe(280);
});

test("a deferred charge ends the turn", async () => {
  const due = new DueCharges(300, (nth) => (nth === 295 ? "DEFERRED" : "DONE"));
  const done = await new ConcurrentCharges({ concurrency: 10, mayContinue: () => true }, due.claim).run();
  expect(done).toBeLessThan(60);
});

test("a turn reports the first error after the end of all of its charges", async () => {
  let ended = 0;
  const charges: StartCharge[] = [
    () => Promise.reject(new Error("first")),
    async () => {
      await wait(5);
      ended++;
      return "DONE";
    },
  ];
  const claim = () => Promise.resolve({ found: 2, charges });
  const turn = new ConcurrentCharges({ concurrency: 2, mayContinue: () => false }, claim);
  await expect(turn.run()).rejects.toThrow("first");
  expect(ended).toBe(1);
});
