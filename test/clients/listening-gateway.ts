import type { AddressInfo } from "node:net";
import { startGateway, type TestGateway } from "../support/test-gateway.ts";

/** A gateway that listens on a port of its own, for real clients. */
export async function listeningGateway(): Promise<{
  gateway: TestGateway;
  url: string;
  headers: Record<string, string>;
}> {
  const gateway = await startGateway();
  await gateway.gateway.server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = gateway.gateway.server.server.address() as AddressInfo;
  return { gateway, url: `http://127.0.0.1:${port}/graphql`, headers: { "secret-token": gateway.vendor.token } };
}

/** Registers customers whose names show their order, the newest last. */
export async function registerCustomers(gateway: TestGateway, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const body = {
      name: `Customer ${number}`,
      email: "payer@example.com",
      phone: "01012345678",
      partnerCustomerId: `c-${number}`,
    };
    await gateway.post("/cover/customer", body);
    gateway.clock.advance(1000);
  }
}
