/** A device with HTTP that misbehaves below the answers: bodies without an end or without haste, broken frames, redirects. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { DeviceError } from "hemgate/sdk";
import { MemoryDisk, type SeededRandom, type VirtualClock, World } from "hemgate/testing";
import { expect } from "vitest";
import { httpJsonAdapter } from "../../adapters/http-json/http-json-adapter.ts";
import { nodeHttp } from "../../src/platform/node/http/node-http.ts";
import { calm } from "../adapters/http-json/http-world.ts";
import { countedExpect } from "../counted-expect.ts";
import { HomeWizardTwin } from "../twins/http-devices/homewizard-twin.ts";
import { campaign, type Step } from "./campaign.ts";

/** More than any call may take, of virtual time. */
const LIMIT_MS = 60_000;
/** What a device may send before the gateway hangs up: what is read at most, and what the kernel holds. */
const MAX_SENT_BYTES = 16 * 1_048_576;
const CHUNK = Buffer.alloc(65_536, "[1,2,3],");
const PROFILE = "homewizard-v1";

const TRICKS = [
  "endless",
  "endless-headers",
  "drip",
  "silence",
  "short",
  "long",
  "bad-chunk",
  "endless-chunks",
  "bomb",
  "redirect",
  "noise",
  "hang-up",
  "reset",
] as const;

class HostileServer {
  isOn = false;
  /** It holds a request without an end. */
  isHolding = false;
  /** The most that was taken of one endless answer. */
  mostBytes = 0;
  readonly sockets = new Set<Socket>();
  readonly #random: SeededRandom;
  readonly #step: Step;
  readonly #elsewhere: string;
  readonly #twin = new HomeWizardTwin(1);

  constructor(step: Step, elsewhere: string) {
    this.#step = step;
    this.#random = step.random.fork("server");
    this.#elsewhere = elsewhere;
  }

  readonly accept = (socket: Socket): void => {
    this.sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.sockets.delete(socket));
    let asked = "";
    socket.on("data", (bytes) => {
      asked += bytes.toString("latin1");
      if (!asked.includes("\r\n\r\n")) return;
      const [, method = "GET", path = "/"] = /^(\w+) (\S+)/.exec(asked) ?? [];
      asked = "";
      this.#answer(socket, method, path);
    });
  };

  #answer(socket: Socket, method: string, path: string): void {
    const served = this.#twin.serve({ method, host: "device", path, headers: {}, body: "", atMs: 0 });
    const body = Buffer.from(served.body ?? "");
    const head = (more: string, status = 200): string =>
      `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\n${more}\r\n`;
    const whole = Buffer.concat([Buffer.from(head(`content-length: ${body.length}\r\n`, served.status ?? 200)), body]);
    if (!this.isOn || this.#random.isChance(0.3)) {
      socket.write(whole);
      return;
    }
    const trick = this.#random.pick([...TRICKS]);
    this.#step.sent(`${path} ${trick}`);
    switch (trick) {
      case "endless":
        this.#pour(socket, head(""), CHUNK);
        return;
      case "endless-headers":
        this.#pour(socket, "HTTP/1.1 200 OK\r\n", Buffer.from(`x-a: ${"a".repeat(4_000)}\r\n`));
        return;
      case "endless-chunks":
        this.#pour(socket, head("transfer-encoding: chunked\r\n"), Buffer.from(`8\r\n[1,2,3],\r\n`.repeat(500)));
        return;
      case "drip":
        this.isHolding = true;
        socket.write(whole.subarray(0, this.#random.below(whole.length)));
        return;
      case "silence":
        this.isHolding = true;
        return;
      case "short":
        socket.end(whole.subarray(0, this.#random.below(whole.length)));
        return;
      case "long":
        socket.write(Buffer.concat([whole, whole, this.#random.secretBytes(300)]));
        return;
      case "bad-chunk":
        socket.end(
          `${head("transfer-encoding: chunked\r\n")}${this.#random.pick(["-1", "fffffffff", "zz", "5"])}\r\n{}`,
        );
        return;
      case "bomb": {
        const zipped = gzipSync(Buffer.alloc(8_000_000, "["));
        socket.write(
          Buffer.concat([Buffer.from(head(`content-encoding: gzip\r\ncontent-length: ${zipped.length}\r\n`)), zipped]),
        );
        return;
      }
      case "redirect":
        socket.write(
          head(`location: ${this.#elsewhere}\r\ncontent-length: 0\r\n`, this.#random.pick([301, 302, 307, 308])),
        );
        return;
      case "noise":
        socket.end(this.#random.secretBytes(this.#random.below(4_000)));
        return;
      case "hang-up":
        socket.end();
        return;
      case "reset":
        socket.resetAndDestroy();
        return;
      default:
        trick satisfies never;
    }
  }

  /** Sends on and on, as fast as it is taken. */
  #pour(socket: Socket, head: string, chunk: Buffer): void {
    socket.write(head);
    let sentBytes = 0;
    const more = (): void => {
      while (!socket.destroyed && sentBytes < MAX_SENT_BYTES * 2) {
        sentBytes += chunk.length;
        this.mostBytes = Math.max(this.mostBytes, sentBytes);
        if (!socket.write(chunk)) return;
      }
    };
    socket.on("drain", more);
    more();
  }
}

async function listening(accept: (socket: Socket) => void): Promise<Server & AsyncDisposable> {
  const server = createServer(accept);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Virtual time creeps while sockets are at work, and runs while the device holds what was asked. */
async function settle<T>(clock: VirtualClock, device: HostileServer, work: Promise<T>): Promise<T | Error> {
  let isOver = false;
  const result = work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  void result.then(() => {
    isOver = true;
  });
  const endMs = clock.monotonicMs() + LIMIT_MS;
  while (!isOver) {
    if (clock.monotonicMs() > endMs) throw new Error("it does not end");
    await clock.advance(device.isHolding ? 250 : 1);
  }
  device.isHolding = false;
  return await result;
}

const expectFailure = countedExpect("a read that fails");
const expectHonest = countedExpect("a value that is read");
const SOCKETS = { share: 0.05, counted: [expectFailure, expectHonest] };

campaign("a device with HTTP that sends no end, no haste, or no sense", SOCKETS, async (step) => {
  let strangers = 0;
  await using elsewhere = await listening((socket) => {
    strangers += 1;
    socket.destroy();
  });
  const device = new HostileServer(step, `http://127.0.0.1:${portOf(elsewhere)}/`);
  await using server = await listening(device.accept);
  const world = new World({ seed: 3 });
  const { clock } = world;
  const process = world.boot("gateway", new MemoryDisk());
  await using adapter = httpJsonAdapter.start({ ...process.adapterContext(), http: nodeHttp() });
  const options = httpJsonAdapter.options.parse({ host: "127.0.0.1", port: portOf(server), profile: PROFILE });
  const driver = await settle(clock, device, adapter.connect("device", options, calm));
  if (driver instanceof Error) throw driver;
  const read = async () => await settle(clock, device, driver.read("all", calm));
  const honest = await read();
  if (honest instanceof Error) throw honest;
  device.isOn = true;
  for (let turn = 0; turn < 12; turn += 1) {
    const readings = await read();
    if (readings instanceof Error) expectFailure(readings).toBeInstanceOf(DeviceError);
    // What was not answered is left out, or null in time; what is there was sent.
    else for (const each of readings) if (each.value !== null) expectHonest(honest).toContainEqual(each);
    await clock.advance(step.random.below(5_000));
  }
  device.isOn = false;
  await clock.advance(LIMIT_MS);
  expect(await read(), "what is read once the device is well again").toEqual(honest);
  expect(device.mostBytes, "bytes taken of an endless answer").toBeLessThan(MAX_SENT_BYTES);
  expect(strangers, "connections to where a redirect led").toBe(0);
  await driver[Symbol.asyncDispose]();
  for (const socket of device.sockets) socket.destroy();
});
