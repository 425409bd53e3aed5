/**
 * One client of `poll-cost.ts`, in a process of its own, that polls until it is killed: each second all devices at once.
 * Arguments: which (`sockets` or `driver`), requests in flight a device, port, devices, blocks, registers a block.
 */
import { connect } from "node:net";
import { SeededRandom, TestLog } from "hemgate/testing";
import { ModbusBus } from "../adapters/modbus/bus/modbus-bus.ts";
import { ModbusDriver } from "../adapters/modbus/driver/modbus-driver.ts";
import { nodeClock } from "../src/platform/node/node-clock.ts";
import { nodeNet } from "../src/platform/node/node-net.ts";
import { nodeSerial } from "../src/platform/node/node-serial.ts";
import { nodeUdp } from "../src/platform/node/node-udp.ts";
import { BLOCK_STEP, blockMap, hostOf } from "./poll-map.ts";

const PERIOD_MS = 1_000;
const [which = "", ...numbers] = process.argv.slice(2);
const [inFlight = 1, port = 0, devices = 0, blocks = 0, registers = 0] = numbers.map(Number);
const hosts = Array.from({ length: devices }, (_, device) => hostOf(device));

/** Our client with its driver: registers to readings. */
function drivers(): () => unknown {
  const clock = nodeClock(() => "synced");
  const world = { clock, net: nodeNet(new TestLog()), serial: nodeSerial, udp: nodeUdp, random: new SeededRandom(1) };
  const map = blockMap(blocks, registers);
  const { signal } = new AbortController();
  const all = hosts.map((host) => {
    const bus = new ModbusBus(world, { kind: "tcp", host, port });
    return new ModbusDriver({ clock, unit: bus.unit(1, { minGapMs: 0, inFlight }), map, pollMs: {}, resources: bus });
  });
  // On a busy machine an answer may come too late; such a device is not asked for a while.
  const read = (driver: ModbusDriver): Promise<unknown> => driver.read("all", signal).catch(console.error);
  return () => Promise.all(all.map(read));
}

/** No Modbus at all: prepared requests, and the next whenever the answer's bytes are complete. The floor for Node. */
async function sockets(): Promise<() => unknown> {
  const requests = Array.from({ length: blocks }, (_, block) => {
    const address = block * BLOCK_STEP;
    return Buffer.from([0, 1 + block, 0, 0, 0, 6, 1, 3, address >> 8, address & 0xff, 0, registers]);
  });
  const writes = Array.from({ length: Math.ceil(blocks / inFlight) }, (_, at) =>
    Buffer.concat(requests.slice(at * inFlight, (at + 1) * inFlight)),
  );
  const answerBytes = inFlight * (9 + 2 * registers);
  const starts = hosts.map(async (host) => {
    const socket = connect({ port, host, noDelay: true });
    await new Promise((resolve) => socket.once("connect", resolve));
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
      const next = bytes % answerBytes === 0 ? writes[bytes / answerBytes] : undefined;
      if (next !== undefined) socket.write(next);
    });
    return () => {
      bytes = 0;
      socket.write(writes[0] ?? Buffer.alloc(0));
    };
  });
  const all = await Promise.all(starts);
  return () => {
    for (const start of all) start();
  };
}

const poll = which === "driver" ? drivers() : await sockets();
await poll();
setInterval(poll, PERIOD_MS);
