import { createServer } from "node:net";

/** Below those from which a system takes the ports of outgoing connections, so that none of these comes first. */
const LOWEST = 12_000;
const HIGHEST = 32_000;

const given = new Set<number>();

/** A TCP port of loopback that nobody has, and that stays free while a server that had it is away. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

export async function freePorts(count: number): Promise<readonly number[]> {
  return await Promise.all(Array.from({ length: count }, freePort));
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isListening;
}
