/** Meters on real pseudo-terminals, which socat ties together, and behind a host that socat passes a line on at. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Driver, PointName } from "hemgate/sdk";
import { MemoryDisk, SeededRandom, TestLog, World } from "hemgate/testing";
import { afterAll, expect, test } from "vitest";
import { smartMeterAdapter } from "../../adapters/smart-meter/smart-meter-adapter.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeNet } from "../../src/platform/node/node-net.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import { nodeSerial } from "../../src/platform/node/node-serial.ts";
import type { ByteStream, StreamEvents } from "../../src/platform/ports/ports.ts";
import { freePort } from "../free-ports.ts";
import { IecTwin } from "../twins/smart-meters/iec-twin.ts";
import { SOME_MEASURED } from "../twins/smart-meters/measured.ts";
import { P1_SERIAL, p1Telegram } from "../twins/smart-meters/p1-twin.ts";
import { SML_SERIAL, smlFile } from "../twins/smart-meters/sml-twin.ts";
import { TalkingMeter } from "../twins/smart-meters/talking-meter.ts";

const calm = new AbortController().signal;
const clock = nodeClock(() => "synced");
const folder = mkdtempSync(join(tmpdir(), "hemgate-meters-"));
const children: ChildProcess[] = [];
const held: number[] = [];
const streams: Disposable[] = [];

afterAll(() => {
  for (const stream of streams) stream[Symbol.dispose]();
  for (const file of held) closeSync(file);
  for (const child of children) child.kill("SIGKILL");
});

/** Two pseudo-terminals, tied together. */
async function line(name: string): Promise<readonly [ours: string, theirs: string]> {
  const ends = [join(folder, `${name}-a`), join(folder, `${name}-b`)] as const;
  const places = ends.map((end) => `pty,raw,echo=0,link=${end}`);
  children.push(spawn("socat", places, { stdio: "ignore" }));
  while (!ends.every((end) => existsSync(end))) await clock.sleep(20, calm);
  // A pseudo-terminal is gone when the last one closes it; a serial port stays.
  held.push(openSync(ends[0], constants.O_RDWR | constants.O_NOCTTY));
  return ends;
}

/** Puts a twin at the far end of a line. */
async function hang(path: string, baudRate: number, twin: (stream: ByteStream) => StreamEvents): Promise<void> {
  let events: StreamEvents | null = null;
  const relay = {
    data: (bytes: Uint8Array) => events?.data(bytes),
    closed: (error: Error | null) => events?.closed(error),
  };
  const stream = await nodeSerial.open({ path, baudRate, dataBits: 8, parity: "none", stopBits: 1 }, relay, calm);
  streams.push(stream);
  events = twin(stream);
}

function talking(everyMs: number, telegram: () => Uint8Array): TalkingMeter {
  return new TalkingMeter({ clock, random: new SeededRandom(3), everyMs, telegram });
}

async function connect(given: object): Promise<Driver> {
  const simulated = new World({ seed: 1 }).boot("unused", new MemoryDisk()).adapterContext();
  const log = new TestLog();
  const context = { ...simulated, clock, log, random: nodeRandom, net: nodeNet(log), serial: nodeSerial };
  return await smartMeterAdapter.start(context).connect("meter", smartMeterAdapter.options.parse(given), calm);
}

async function read(driver: Driver): Promise<Readonly<Partial<Record<PointName, unknown>>>> {
  const readings = await driver.read("all", calm);
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}

test("SML on a pseudo-terminal, with garbage between the files", async () => {
  const [path, theirs] = await line("sml");
  const meter = talking(300, () => smlFile(SOME_MEASURED));
  meter.fault = "garbage";
  await hang(theirs, 9_600, (stream) => meter.line(stream));
  await using driver = await connect({ protocol: "sml", serialPort: path });
  expect(driver.identity.serial).toBe(SML_SERIAL);
  expect(await read(driver)).toMatchObject({ "meter.power": 555, "meter.energyImport": 5_155_595 });
});

test("D0 on a pseudo-terminal that is set to 7E1", async () => {
  const [path, theirs] = await line("d0");
  const meter = talking(300, () => Buffer.from(p1Telegram("easymeter", SOME_MEASURED), "latin1"));
  await hang(theirs, 9_600, (stream) => meter.line(stream));
  await using driver = await connect({ protocol: "iec62056-21", mode: "push", serialPort: path });
  expect(driver.identity.serial).toBe(P1_SERIAL);
  expect(await read(driver)).toMatchObject({ "meter.power": 555, "meter.power.l2": -310 });
});

test("IEC 62056-21 in mode C: the port is closed, and opened at the meter's speed, before the meter answers", async () => {
  const [path, theirs] = await line("iec");
  const lines = () => ["C.1.0(10203040)", "1.8.0(001846.0*kWh)", "16.7.0(-0.532*kW)"];
  const twin = new IecTwin({ clock, identification: "LGZ5ZMF100AC.M23", lines, reactionMs: 400 });
  await hang(theirs, 300, (stream) => twin.line(stream));
  await using driver = await connect({ protocol: "iec62056-21", serialPort: path });
  expect(driver.identity).toMatchObject({ manufacturer: "Landis+Gyr", serial: "10203040" });
  expect(await read(driver)).toEqual({ "meter.power": -532, "meter.energyImport": 1_846_000 });
  expect(twin.asked).toEqual([String.raw`/?!\r\n`, String.raw`\u0006050\r\n`]);
});

test("P1 behind a host that passes a line on", async () => {
  const [passed, theirs] = await line("p1");
  const meter = talking(300, () => Buffer.from(p1Telegram("dsmr5", SOME_MEASURED), "latin1"));
  await hang(theirs, 115_200, (stream) => meter.line(stream));
  const port = await freePort();
  const listen = `TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork`;
  children.push(spawn("socat", [listen, `OPEN:${passed},raw,echo=0`], { stdio: "ignore" }));
  await clock.sleep(300, calm);
  await using driver = await connect({ protocol: "p1", host: "127.0.0.1", port });
  expect(driver.identity).toMatchObject({ manufacturer: "Iskraemeco", serial: P1_SERIAL });
  expect(await read(driver)).toMatchObject({ "meter.power": 555, "meter.energyExport": 320_505 });
});
