import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { seedDemo } from "../../src/demo/demo-data.ts";
import { SECRETS_KEY, startGateway, type TestGateway } from "../support/test-gateway.ts";

export const DEMO_TOKEN = "demo-secret-token";

/** A gateway with the demo vendor, whose token requests use by default. */
export async function startDemo(now = "2026-03-01T09:30:00.000Z"): Promise<TestGateway> {
  const gateway = await startGateway({ now, demoToken: DEMO_TOKEN, isLoopback: true });
  await seed(gateway);
  const { vendor } = await gateway.queryData("{ vendor { databaseId } }", {}, { token: DEMO_TOKEN });
  gateway.vendor = { id: vendor.databaseId, token: DEMO_TOKEN };
  return gateway;
}

/** Fills the gateway's database, as each start does. */
export const seed = ({ database, clock }: TestGateway) =>
  seedDemo(database, { clock, token: DEMO_TOKEN, vault: new SecretVault([SECRETS_KEY]) });
