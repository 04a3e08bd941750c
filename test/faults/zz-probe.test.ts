import { test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { Load } from "./harness/load.ts";
import { Postgres15 } from "./harness/postgres15.ts";
import { session } from "./harness/databases.ts";
import { check } from "./harness/checker.ts";
test("probe", async () => {
    const server = await Postgres15.start();
    const gateway = await GatewayProcess.start({ DATABASE_URL: server.url });
    for (let i = 0; i < 4; i++) {
    const load = new Load(() => gateway.address);
    await load.start();
    await load.progress(60);
    const t = Date.now();
    await server.restart("immediate");
    console.log("restart took", Date.now() - t);
    await load.progress(60);
    const b = Date.now();
    await load.stop();
    console.log("stop took", Date.now() - b, await check(session(server.url), load.log));
    }
    console.log("running", gateway.running, gateway.output.split("\n").filter((l) => /"milliseconds":\d{4}/.test(l) || !l.startsWith("{")|| /"level":50/.test(l)).join("\n").slice(-12000));
}, 150000);
