import { expect, test } from "vitest";
import { FairSemaphore, NoSlotError } from "../../../src/kernel/scheduling/fair-semaphore.ts";
import type { Party } from "../../../src/kernel/scheduling/current-party.ts";

const vendor = (id: number): Party => ({ kind: "API", id });
const worker = (id: number): Party => ({ kind: "WORKER", id });

/** Work of several parties that runs until the test ends it, in the order of its start. */
function parties(share: FairSemaphore) {
  const begun: { party: Party; leave: () => void }[] = [];
  return {
    begun,
    names: () => begun.map(({ party: { kind, id } }) => `${kind}${id}`),
    send: (party: Party, times = 1) => {
      for (let time = 0; time < times; time++) {
        const entered = share.acquire(party).then((leave) => begun.push({ party, leave }));
        // Some wait until after the test.
        entered.catch(() => undefined);
      }
    },
  };
}

test("a single party leaves one slot free for the next party", async () => {
  const { send, names } = parties(new FairSemaphore({ slots: 4, acquireTimeoutMs: 60_000 }));
  send(vendor(1), 10);
  await expect.poll(names).toEqual(["API1", "API1", "API1"]);
  send(vendor(2));
  await expect.poll(names).toEqual(["API1", "API1", "API1", "API2"]);
});

test("a party takes slots that another does not use, and leaves one free for the next party", async () => {
  const { send, names } = parties(new FairSemaphore({ slots: 6, acquireTimeoutMs: 60_000 }));
  send(vendor(2));
  send(vendor(1), 100);
  await expect.poll(names).toEqual(["API2", "API1", "API1", "API1", "API1"]);
  send(vendor(3));
  await expect.poll(names).toEqual(["API2", "API1", "API1", "API1", "API1", "API3"]);
});

test("a slot above a party's share is not given to it again while another waits", async () => {
  const { send, names, begun } = parties(new FairSemaphore({ slots: 6, acquireTimeoutMs: 60_000 }));
  send(vendor(1), 100);
  await expect.poll(() => begun.length).toBe(5);
  send(vendor(2), 100);
  await expect.poll(() => begun.length).toBe(6);
  for (const { leave } of begun.slice(0, 3)) leave();
  await expect.poll(names).toEqual([...Array<string>(5).fill("API1"), "API2", "API2", "API2", "API1"]);
});

test("free slots go to the kinds in turn, and within each to its parties in turn", async () => {
  const { send, names, begun } = parties(new FairSemaphore({ slots: 1, acquireTimeoutMs: 60_000 }));
  send(vendor(9));
  await expect.poll(names).toEqual(["API9"]);
  send(vendor(1), 9);
  send(worker(3), 9);
  send(vendor(2), 9);
  for (let turn = 0; turn < 6; turn++) {
    begun[turn]!.leave();
    await expect.poll(() => begun.length).toBe(turn + 2);
  }
  expect(names()).toEqual(["API9", "WORKER3", "API1", "WORKER3", "API2", "WORKER3", "API1"]);
});

test("a party's request over its queue limit is refused at once, and another party's is not", async () => {
  const share = new FairSemaphore({ slots: 6, acquireTimeoutMs: 60_000, maxWaiting: 2 });
  const { send, names, begun } = parties(share);
  send(vendor(1), 7);
  await expect(share.acquire(vendor(1))).rejects.toThrow(NoSlotError);
  expect(begun).toHaveLength(5);
  send(vendor(2));
  await expect.poll(() => names().at(-1)).toBe("API2");
});
