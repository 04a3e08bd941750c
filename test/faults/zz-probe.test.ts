import { test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { Load } from "./harness/load.ts";
import { Postgres15 } from "./harness/postgres15.ts";
test("probe", async () => {
    const server = await Postgres15.start();
    const gateway = await GatewayProcess.start({ DATABASE_URL: server.url });
    const load = new Load(() => gateway.address);
    await load.start();
    await load.progress(60);
    await server.restart("fast");
    await sleep(2000);
    console.log("running", gateway.running, gateway.output.slice(-3000));
    console.log(JSON.stringify(load.log.slice(-10).map((e)=>({...e, tries:e.tries.slice(-2), body: undefined}))));
}, 60000);
