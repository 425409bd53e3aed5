/** Sockets that begin something and do not go on, and a client that asks beside them. */
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";

const STARTS = [
  "",
  "GET /batteries HTTP/1.1\r\nHost: local",
  "POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\ngrant",
] as const;

export class SlowSockets implements Disposable {
  readonly open = new Set<Socket>();
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Opens so many from each address, in turn silent, with half a head and with half a body. */
  async from(addresses: readonly string[], each: number): Promise<void> {
    for (let count = 0; count < each; count += 1) {
      await Promise.all(addresses.map((address, at) => this.#one(address, STARTS[(count + at) % STARTS.length] ?? "")));
    }
  }

  async #one(localAddress: string, start: string): Promise<void> {
    const socket = connect({ port: this.#port, host: "127.0.0.1", localAddress });
    this.open.add(socket);
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once("connect", () => {
      socket.write(start);
      resolve();
    });
    // Whoever is turned away is done as well.
    socket.on("error", () => undefined);
    socket.once("close", () => {
      this.open.delete(socket);
      resolve();
    });
    socket.resume();
    await promise;
  }

  [Symbol.dispose](): void {
    for (const socket of this.open) socket.destroy();
  }
}

/** The status of a request over a connection of its own, and how long it took, ms. */
export function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  localAddress = "127.0.0.1",
): Promise<{ readonly status: number; readonly ms: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; ms: number }>();
  const begun = performance.now();
  const call = request({ port, host: "127.0.0.1", path, headers, localAddress, agent: false }, (answer) => {
    answer.resume();
    answer.once("end", () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - begun }));
  });
  call.once("error", reject);
  call.end();
  return promise;
}

export const LOOPBACK_ADDRESSES = Array.from({ length: 10 }, (_, at) => `127.0.0.${at + 2}`);
