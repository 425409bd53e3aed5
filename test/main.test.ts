import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askState } from "../src/cli/control-client.ts";
import { configSchema } from "../src/config/config.ts";
import type { Gateway } from "../src/gateway.ts";
import { type BoxOptions, runBox } from "../src/main.ts";
import { nodeHttp } from "../src/platform/node/http/node-http.ts";
import { nodeHttpStreams } from "../src/platform/node/http/node-http-streams.ts";
import { nodeWebSockets } from "../src/platform/node/http/node-websocket.ts";
import { nodeMqtt } from "../src/platform/node/mqtt/node-mqtt.ts";
import { nodeMqtt5 } from "../src/platform/node/mqtt/node-mqtt5.ts";
import { nodeClock } from "../src/platform/node/node-clock.ts";
import { nodeCron } from "../src/platform/node/node-cron.ts";
import { nodeMdns } from "../src/platform/node/node-mdns.ts";
import { nodeNet } from "../src/platform/node/node-net.ts";
import { nodeRandom } from "../src/platform/node/node-random.ts";
import { nodeSerial } from "../src/platform/node/node-serial.ts";
import { nodeUdp } from "../src/platform/node/node-udp.ts";
import { InProcessOptimizer } from "../src/platform/optimizer/in-process-optimizer.ts";
import { StorageError } from "../src/platform/ports/storage-error.ts";
import { MemoryDisk, TestLog, VirtualClock } from "../src/testing/index.ts";
import { SimFiles } from "../src/testing/sim-files.ts";

/** What a stop may take at most. */
const STOP_LIMIT_MS = 5_000;

let folder: string;
let log: TestLog;
let told: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hg-"));
  log = new TestLog();
  told = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function box(more: Partial<BoxOptions>): BoxOptions {
  return {
    platform: {
      clock: nodeClock(() => "synced"),
      cron: nodeCron(nodeClock(() => "synced")),
      random: nodeRandom,
      net: nodeNet(log),
      serial: nodeSerial,
      udp: nodeUdp,
      mdns: nodeMdns(log),
      http: nodeHttp(),
      webSockets: nodeWebSockets({ clock: nodeClock(() => "synced") }),
      mqtt: nodeMqtt({ clock: nodeClock(() => "synced"), random: nodeRandom, log }),
      httpStreams: nodeHttpStreams(),
      mqtt5: nodeMqtt5({ clock: nodeClock(() => "synced") }),
      disk: new MemoryDisk(),
      files: new SimFiles(),
      optimizer: new InProcessOptimizer(),
      log,
      openBroker: () => Promise.reject(new Error("no broker is configured")),
    },
    config: configSchema([]).parse({ http: { host: "127.0.0.1", port: 0 } }),
    adapters: [],
    secretKeys: [],
    version: "1.2.3",
    socketPath: join(folder, "control.sock"),
    manager: { watchdogMs: null, notify: async (...states) => void told.push(...states) },
    ...more,
  };
}

test("a box runs until it is to stop, and tells the service manager of both ends", async () => {
  const stop = new AbortController();
  const end = runBox(box({ whileRunning: async () => stop.abort() }), stop.signal);
  expect(await end).toBe("stopped");
  expect(told.map((state) => state.replace(/:\d+,/, ":PORT,"))).toEqual([
    "READY=1",
    "STATUS=API at http://127.0.0.1:PORT, devices: 0",
    "STOPPING=1",
  ]);
});

test("an error that nobody handles is logged as fatal, and everything is closed before the box ends", async () => {
  let served: Gateway | null = null;
  const end = runBox(
    box({
      whileRunning: async (gateway) => {
        served = gateway;
        throw new Error("a bug");
      },
    }),
    new AbortController().signal,
  );
  expect(await end).toBe("crashed");
  expect(log.texts("error")).toEqual(["fatal: an error that nobody handles"]);
  expect(served!.api.server.listening).toBe(false);
});

test("a part that does not close in its time is told, and does not keep the box", async () => {
  const stop = new AbortController();
  const clock = new VirtualClock();
  const manager: BoxOptions["manager"] = {
    watchdogMs: null,
    notify: async (...states) => {
      if (!states.includes("STOPPING=1")) return;
      void clock.advance(STOP_LIMIT_MS);
      await new Promise(() => undefined);
    },
  };
  const platform = { ...box({}).platform, clock };
  let isRunning = false;
  const whileRunning = async (): Promise<void> => {
    isRunning = true;
  };
  const end = runBox(box({ platform, manager, whileRunning }), stop.signal);
  while (!isRunning) await clock.advance(10);
  stop.abort();
  expect(await end).toBe("crashed");
  expect(log.texts("error")).toEqual(["the gateway did not close in order"]);
});

test("a state folder whose path is too long for a socket still has a gateway, without the command line's way in", async () => {
  const stop = new AbortController();
  const end = runBox(
    box({ socketPath: `${folder}/${"x".repeat(120)}`, whileRunning: async () => stop.abort() }),
    stop.signal,
  );
  expect(await end).toBe("stopped");
  expect(log.texts("warn")).toEqual(["the state folder's path is too long for the command line's socket"]);
});

test("a state folder that takes no socket still has a gateway, and the command line says what is the matter", async () => {
  const socketPath = join(folder, "control.sock");
  // In place of a file system without sockets: nothing can be made at this path either.
  await mkdir(join(socketPath, "taken"), { recursive: true });
  const stop = new AbortController();
  const signal = new AbortController().signal;
  let told: unknown = null;
  const whileRunning = async (gateway: Gateway): Promise<void> => {
    expect((await fetch(`${gateway.address}/health/ready`)).status).toBe(204);
    told = await askState(folder, signal).catch((error: unknown) => error);
    stop.abort();
  };
  expect(await runBox(box({ socketPath, whileRunning }), stop.signal)).toBe("stopped");
  expect(log.texts("warn")).toEqual(["the state folder takes no socket: the command line does not reach this gateway"]);
  expect(String(told)).toContain(`the gateway (process ${process.pid}) runs without a socket for the command line`);
  expect(await askState(folder, signal)).toBeNull();
  await rm(socketPath, { recursive: true });
});

test("a file system that takes neither socket nor file keeps no gateway from running", async () => {
  const stop = new AbortController();
  const end = runBox(box({ socketPath: "/proc/control.sock", whileRunning: async () => stop.abort() }), stop.signal);
  expect(await end).toBe("stopped");
  expect(log.texts("warn")).toHaveLength(1);
});

test("a box that cannot start leaves nothing open", async () => {
  const locked = () => Promise.reject(new StorageError("locked", "the critical database does not open"));
  const platform = { ...box({}).platform, disk: { ...box({}).platform.disk, open: locked } };
  await expect(runBox(box({ platform }), new AbortController().signal)).rejects.toThrow(StorageError);
  expect(told).toEqual(["STOPPING=1"]);
});
