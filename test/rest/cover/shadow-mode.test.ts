import { beforeEach, describe, expect, test } from "vitest";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import type { RecordedCase } from "../../../src/recovery/engine/recorded-case.ts";
import { noneLeftOut } from "../../../src/recovery/models/recorded-case.reading.ts";
import { streamRecordedCases } from "../../../src/recovery/models/recorded-cases.ts";
import { runMutation } from "../../support/cover-mutations.ts";
import { readCover } from "../../support/cover-reads.ts";
import { createTestChild } from "../../support/fixtures/child-vendors.ts";
import { registerCoverFixture, registerCoverOrder, type CoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { statusAndBody } from "../../support/rest-assertions.ts";
import { DAY, MINUTE } from "../../support/test-clock.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { updateVendorSettings } from "../../support/vendor-queries.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });

let own: { token: string };
let vendorId: number;
let shop: CoverFixture;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  const vendor = await gateway.openVendor();
  [own, vendorId] = [{ token: vendor.token }, vendor.id];
  await updateVendorSettings(gateway, { recoveryShadowMode: true }, own);
  shop = await registerCoverFixture(gateway, own);
});

const later = (ms: number) => new Date(Date.parse(NOW) + ms).toISOString();
async function report(orderId: number, ms: number, body: object = { errorCode: "51" }) {
  gateway.clock.setTo(later(ms));
  return gateway.post("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId, ...body }, own);
}
const openOrder = () => registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId }, own);

describe("a cover in shadow mode", () => {
  test("is answered the advice as ever, and takes tries of the caller's own schedule as they come", async () => {
    const { id } = await openOrder();
    const first = await report(id, 0);
    expect(statusAndBody(first)).toEqual({ status: 201, body: { coverId: expect.any(Number), retryDate: later(DAY) } });
    const second = await report(id, 7 * 60 * MINUTE);
    expect(statusAndBody(second)).toEqual({ status: 201, body: { ...first.body, retryDate: later(DAY) } });
    const third = await report(id, 2 * DAY + 60 * MINUTE);
    expect(third.body).toEqual({ ...first.body, retryDate: later(3 * DAY) });
    const { attempts, state } = await readCover(gateway, first.body.coverId!, own);
    expect(state).toBe("IN_PROGRESS");
    expect(attempts.map(({ kind }: { kind: string }) => kind)).toEqual(["FIRST_FAILURE", "SCHEDULED", "SCHEDULED"]);
  });

  test("takes the same report within five minutes as a repeat, and a later one as a try", async () => {
    const { id } = await openOrder();
    const { body } = await report(id, 0);
    await report(id, 4 * MINUTE);
    expect((await readCover(gateway, body.coverId!, own)).attempts).toHaveLength(1);
    await report(id, 4 * MINUTE, { errorCode: "61" });
    await report(id, 10 * MINUTE, { errorCode: "61" });
    expect((await readCover(gateway, body.coverId!, own)).attempts).toHaveLength(3);
  });

  test("goes on when its own plan is over or a decline forbids more, and ends with the payment", async () => {
    const { id } = await openOrder();
    const { body } = await report(id, 0);
    for (const days of [1, 3, 5, 10]) await report(id, days * DAY);
    expect((await report(id, 15 * DAY)).body).toEqual({ coverId: body.coverId, retryDate: null });
    expect((await report(id, 16 * DAY, { errorCode: "41" })).body.retryDate).toBeNull();
    expect(await readCover(gateway, body.coverId!, own)).toMatchObject({ state: "IN_PROGRESS", endReason: null });
    const { cover } = await gateway.queryData(
      "query ($id: ID!) { cover(id: $id) { shadow retryDate decision { retryDate endReason explanation } } }",
      { id: String(body.coverId) },
      own,
    );
    expect(cover).toMatchObject({
      shadow: true,
      retryDate: null,
      decision: { retryDate: null, endReason: "MUST_NOT_RETRY", explanation: expect.any(String) },
    });
    gateway.clock.setTo(later(17 * DAY));
    await runMutation(gateway, "reportCoverOrderPaid", { orderId: id }, undefined, own);
    expect(await readCover(gateway, body.coverId!, own)).toMatchObject({ state: "RECOVERED", endReason: "PAID" });
  });

  test("leaves recorded retries at the caller's times, without propensities", async () => {
    const { id } = await openOrder();
    await report(id, 0);
    await report(id, 2 * DAY);
    gateway.clock.setTo(later(6 * DAY));
    await runMutation(gateway, "reportCoverOrderPaid", { orderId: id }, undefined, own);
    const repository = createRepositories(gateway.database.handle).recordedCases;
    const period = { from: new Date(NOW), until: new Date(later(DAY)) };
    const cases: RecordedCase[] = [];
    for await (const one of streamRecordedCases(repository, vendorId, period, new Date(later(9 * DAY)), noneLeftOut()))
      cases.push(one);
    expect(cases[0]).toMatchObject({
      shadow: true,
      retries: [
        { at: new Date(later(2 * DAY)), approved: false, propensity: null },
        { at: new Date(later(6 * DAY)), approved: true, propensity: null },
      ],
    });
  });
});

describe("the shadow mode of a vendor", () => {
  const isShadow = async (options: { token: string }) => {
    const fixture = await registerCoverFixture(gateway, options);
    const { id } = await registerCoverOrder(gateway, fixture, { subscriptionId: fixture.subscriptionId }, options);
    const body = { subscriptionId: fixture.subscriptionId, orderId: id, errorCode: "51" };
    const { coverId } = await gateway.readRestBody("POST", "/cover/recovery", body, options);
    return (await gateway.queryData("query ($id: ID!) { cover(id: $id) { shadow } }", { id: coverId }, options)).cover!
      .shadow;
  };

  test("applies to its children unless they say otherwise", async () => {
    const child = await createTestChild(gateway, {}, own);
    expect(await isShadow(child)).toBe(true);
    await updateVendorSettings(gateway, { recoveryShadowMode: false }, child);
    expect(await isShadow(child)).toBe(false);
    expect(await isShadow(own)).toBe(true);
    await updateVendorSettings(gateway, { recoveryShadowMode: null }, own);
    expect(await isShadow(own)).toBe(false);
  });

  test("is read with the policy, by no statement of its own", async () => {
    gateway.statements.length = 0;
    await report((await openOrder()).id, 0);
    const settings = gateway.statements.filter(({ text }) => text.includes("recovery_shadow_mode"));
    expect(settings).toHaveLength(1);
    expect(settings[0]!.text).toContain('"recovery_policies"');
  });

  test("does not change covers in progress", async () => {
    const { id } = await openOrder();
    const coverId = (await report(id, 0)).body.coverId!;
    await updateVendorSettings(gateway, { recoveryShadowMode: false }, own);
    for (const days of [1, 3, 5, 10, 20]) await report(id, days * DAY);
    expect(await readCover(gateway, coverId, own)).toMatchObject({ state: "IN_PROGRESS" });
  });
});
