import { workerCaller } from "../../src/vendors/people/caller.ts";
import { test } from "vitest";
import { createRepositories } from "../../src/graphql/repositories.ts";
import { required } from "../../src/kernel/required-values.ts";
import { registerCoverFixture, registerCoverOrder } from "../support/fixtures/cover-fixture.ts";
import { Scenario } from "../support/scenario.ts";
import { cardInput, testCards } from "../support/test-payments.ts";

/* Counts the walks of docs/walks.md: `npm run -s walks` prints the files of each in the order in which they first run. */

/** Whether a file is of what every request passes through, or of what every walk looks things up in. */
const isUncounted = (file: string): boolean =>
  /^src\/(?:(?:kernel|database|graphql|http|events|vendors|customers|products)\/|[^/]+$)/.test(file);

const moduleOf = (file: string): string => /^(?:src\/)?([^/]+)/.exec(file)?.[1] ?? file;

const scenario = await Scenario.start("2026-03-05T03:00:00.000Z");
const { gateway, payments } = scenario;

let transactions = 0;
const { transaction } = gateway.database;
Object.assign(gateway.database, {
  transaction: (...work: Parameters<typeof transaction>) => {
    transactions++;
    return transaction(...work);
  },
});

/** Prints the files that run during a walk, and counts them. */
async function countWalk(name: string, walk: () => Promise<unknown>): Promise<void> {
  const files = new Set<string>();
  transactions = 0;
  Object.assign(globalThis, { reportFile: (file: string) => isUncounted(file) || files.add(file) });
  await walk();
  Object.assign(globalThis, { reportFile: undefined });
  const lines: string[] = [];
  const modules = new Set<string>();
  let [crossings, returns, last] = [-1, 0, ""];
  for (const file of files) {
    const module = moduleOf(file);
    if (module !== last) {
      crossings++;
      const isReturn = modules.has(module);
      if (isReturn) returns++;
      lines.push(isReturn ? `  back in ${module}` : `  ${module}`);
    }
    modules.add((last = module));
    lines.push(`    ${file}`);
  }
  process.stdout.write(
    `\n${name}: ${files.size} files, ${modules.size} modules, ${crossings} crossings, ${returns} returns, ${transactions} transactions\n${lines.join("\n")}\n`,
  );
}

test("the walks of docs/walks.md", async () => {
  await payments.payOrder((await payments.createOrder()).databaseId);
  await gateway.sendRest("GET", "/orders");
  await countWalk("GET /orders", () => gateway.sendRest("GET", "/orders"));

  const fixture = await registerCoverFixture(gateway);
  const { id: orderId } = await registerCoverOrder(gateway, fixture);
  const report = { subscriptionId: fixture.subscriptionId, orderId, errorCode: "51" };
  await countWalk("POST /cover/recovery", () => gateway.post("/cover/recovery", report));

  const { databaseId } = await payments.createOrder();
  const input = { orderId: String(databaseId), method: "CARD", card: cardInput(testCards.approved) };
  await countWalk("A payer who pays", () => payments.runMutation("payOrder", input, "order { databaseId }"));

  await scenario.subscribe(await scenario.createOffer({ plan: { price: "19900" } }), testCards.recoversOnThirdRetry);
  gateway.clock.setTo("2026-04-05T03:00:00.000Z");
  const vendor = await createRepositories(gateway.database.handle).vendors.byId(gateway.vendor.id);
  const { renewalRunner } = gateway.gateway.contexts.createContext(
    required(vendor, "the vendor"),
    "walk",
    workerCaller,
  );
  await countWalk("A renewal that becomes a cover", () =>
    renewalRunner.chargeDueRenewals({ concurrency: 1, mayContinue: () => false }),
  );
});
