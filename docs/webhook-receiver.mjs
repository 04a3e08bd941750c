import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set(); // In production: a table with a unique key.

createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    let event;
    try {
      event = webhook.verify(Buffer.concat(chunks).toString("utf8"), request.headers);
    } catch {
      return response.writeHead(400).end("The signature is wrong.");
    }
    if (!seen.has(event.id)) console.log(event.type, JSON.stringify(event.data));
    seen.add(event.id);
    response.writeHead(204).end();
  });
}).listen(Number(process.env.PORT ?? 3000));
