import { connect, createServer, type Socket } from "node:net";
import { freePort } from "../free-ports.ts";

/** What becomes of what a client sends: it goes on, it is swallowed, or its connection ends. */
export type Passage = "on" | "swallowed" | "broken";

export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** For gateways. */
  readonly url: string;
}

/** A way to a broker on loopback that sees all that passes. `connection` counts the clients from 0. */
export async function openRelay(
  brokerPort: number,
  up: (bytes: Buffer, connection: number) => Passage,
  down: (bytes: Buffer) => void = () => undefined,
): Promise<Relay> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const connection = connections++;
    const broker = connect(brokerPort, "127.0.0.1");
    for (const socket of [client, broker]) sockets.add(socket.on("error", () => undefined));
    client.on("data", (bytes) => {
      const passage = up(bytes, connection);
      if (passage === "on") broker.write(bytes);
      else if (passage === "broken") client.destroy();
    });
    broker.on("data", (bytes) => {
      down(bytes);
      client.write(bytes);
    });
    client.on("close", () => broker.destroy());
    broker.on("close", () => client.destroy());
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
