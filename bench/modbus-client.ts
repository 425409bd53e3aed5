/** One client of the Modbus bench, in a process of its own. Arguments: which, port, warm-up reads, reads. */
import { connect } from "node:net";
import type { RegisterPoint } from "hemgate/sdk";
import { SeededRandom, TestLog } from "hemgate/testing";
import ModbusSerial from "modbus-serial";
import { type BusUnit, ModbusBus } from "../adapters/modbus/bus/modbus-bus.ts";
import { ModbusDriver } from "../adapters/modbus/driver/modbus-driver.ts";
import { foldMeter, newMeter } from "../src/domain/assets/meter.ts";
import { snapshotOf } from "../src/domain/assets/snapshot.ts";
import { sift } from "../src/engine/devices/sift.ts";
import { nodeClock } from "../src/platform/node/node-clock.ts";
import { nodeNet } from "../src/platform/node/node-net.ts";
import { nodeSerial } from "../src/platform/node/node-serial.ts";
import { nodeUdp } from "../src/platform/node/node-udp.ts";

const REGISTERS = 60;
const signal = new AbortController().signal;

/** Reads so many times, so many at once. */
async function flatOut(reads: number, window: number, read: () => Promise<unknown>): Promise<void> {
  let left = reads;
  const loop = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await read();
    }
  };
  await Promise.all(Array.from({ length: window }, loop));
}

function unitOf(port: number, inFlight: number): BusUnit {
  const clock = nodeClock(() => "synced");
  const world = { clock, net: nodeNet(new TestLog()), serial: nodeSerial, udp: nodeUdp, random: new SeededRandom(1) };
  return new ModbusBus(world, { kind: "tcp", host: "127.0.0.1", port }).unit(1, { minGapMs: 0, inFlight });
}

/** The gateway's client alone. */
function ours(port: number, window: number): (reads: number) => Promise<void> {
  const unit = unitOf(port, window);
  return (reads) => flatOut(reads, window, () => unit.read("holding", 0, REGISTERS, signal));
}

const POINTS = [
  "meter.power",
  "meter.power.l1",
  "meter.power.l2",
  "meter.power.l3",
  "meter.voltage.l1",
  "meter.voltage.l2",
  "meter.voltage.l3",
  "meter.current.l1",
  "meter.current.l2",
  "meter.current.l3",
  "meter.frequency",
  "meter.energyImport",
  "meter.energyExport",
] as const;

/** The whole path: planner, decoding of 30 values, readings, and with `isFolded` the asset that the API shows. */
function wholePath(port: number, isFolded: boolean): (reads: number) => Promise<void> {
  const registers = Array.from({ length: REGISTERS / 2 }, (_, index): RegisterPoint<string> => {
    const where = { table: "holding", address: 2 * index, poll: "fast", scale: 0.001 } as const;
    return { key: POINTS[index] ?? `raw.${index}`, type: "int32", ...where };
  });
  const identity = { manufacturer: null, model: null, serial: null, version: null };
  const limits = { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false };
  const map = { identity, vendors: ["MODBUS"], registers, derived: [], controls: [], limits };
  const clock = nodeClock(() => "synced");
  const resources = { [Symbol.dispose]: () => undefined };
  const driver = new ModbusDriver({ clock, unit: unitOf(port, 1), map, pollMs: {}, resources });
  const device = { identity, vendors: map.vendors, points: driver.points, controls: [] };
  const seed = {
    id: "",
    userId: "",
    scopes: [],
    siteName: "",
    timezone: "UTC",
    lastSeenMs: 0,
    installedAtMs: 0,
    device,
  };
  let meter = newMeter(seed);
  return (reads) =>
    flatOut(reads, 1, async () => {
      const readings = await driver.read("all", signal);
      if (isFolded) meter = foldMeter(meter, snapshotOf(sift(readings).valid), clock.nowMs());
    });
}

/** No Modbus at all: a prepared request, again whenever the answer's bytes are complete. The floor for Node. */
async function bareSockets(port: number, window: number): Promise<(reads: number) => Promise<void>> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await new Promise((resolve) => socket.once("connect", resolve));
  const request = Buffer.from([0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, REGISTERS]);
  const answerBytes = 9 + 2 * REGISTERS;
  return (reads) =>
    new Promise((resolve) => {
      let sent = Math.min(window, reads);
      let bytes = 0;
      let answered = 0;
      socket.removeAllListeners("data");
      socket.on("data", (chunk) => {
        bytes += chunk.length;
        const whole = Math.floor(bytes / answerBytes);
        const more = Math.min(whole - answered, reads - sent);
        answered = whole;
        sent += more;
        if (more > 0) socket.write(Buffer.concat(new Array<Buffer>(more).fill(request)));
        if (answered === reads) resolve();
      });
      socket.write(Buffer.concat(new Array<Buffer>(sent).fill(request)));
    });
}

async function modbusSerial(port: number): Promise<(reads: number) => Promise<void>> {
  const client = new ModbusSerial.default();
  await client.connectTCP("127.0.0.1", { port });
  client.setID(1);
  client.setTimeout(5_000);
  return (reads) => flatOut(reads, 1, () => client.readHoldingRegisters(0, REGISTERS));
}

const CLIENTS: Readonly<Record<string, (port: number) => Promise<(reads: number) => Promise<void>>>> = {
  "sockets-1": (port) => bareSockets(port, 1),
  "sockets-4": (port) => bareSockets(port, 4),
  "ours-1": async (port) => ours(port, 1),
  "ours-4": async (port) => ours(port, 4),
  driver: async (port) => wholePath(port, false),
  folded: async (port) => wholePath(port, true),
  "modbus-serial": modbusSerial,
};

const [which = "", port, warmUp, reads] = process.argv.slice(2);
const start = CLIENTS[which];
if (start === undefined) throw new Error(`no client ${which}`);
const run = await start(Number(port));
await run(Number(warmUp));
const cpu = process.cpuUsage();
const startedMs = performance.now();
await run(Number(reads));
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ cpuMs: (user + system) / 1_000, wallMs: performance.now() - startedMs }));
process.exit(0);
