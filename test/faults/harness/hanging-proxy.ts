import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onFileEnd } from "./cleanup.ts";

/** Passes connections on to a port, until it hangs: then it accepts connections and passes nothing on in either direction. */
export class HangingProxy {
  port = 0;
  private isHanging = false;
  private readonly sockets = new Set<Socket>();

  static async start(targetPort: number): Promise<HangingProxy> {
    const proxy = new HangingProxy();
    const server = createServer((client) => {
      const target = connect(targetPort, "127.0.0.1");
      for (const socket of [client, target]) {
        proxy.sockets.add(socket);
        if (proxy.isHanging) socket.pause();
        socket.on("error", () => undefined);
        socket.on("close", () => {
          proxy.sockets.delete(socket);
          client.destroy();
          target.destroy();
        });
      }
      client.on("data", (bytes) => target.write(bytes));
      target.on("data", (bytes) => client.write(bytes));
      if (proxy.isHanging) for (const socket of [client, target]) socket.pause();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    proxy.port = (server.address() as AddressInfo).port;
    onFileEnd(async () => {
      server.close();
      for (const socket of proxy.sockets) socket.destroy();
    });
    return proxy;
  }

  hang(): void {
    this.isHanging = true;
    for (const socket of this.sockets) socket.pause();
  }

  resume(): void {
    this.isHanging = false;
    for (const socket of this.sockets) socket.resume();
  }
}
