/** Modbus frames from a hostile device, over every transport, through the bus and over simulated ports. */
import { DeviceError, type RegisterTable } from "hemgate/sdk";
import { MemoryDisk, type SeededRandom, SimSerial, World } from "hemgate/testing";
import { expect } from "vitest";
import type { LineAddress } from "../../adapters/modbus/bus/line-address.ts";
import { type BusUnit, ModbusBus } from "../../adapters/modbus/bus/modbus-bus.ts";
import type { ByteStream, StreamEvents } from "../../src/platform/ports/ports.ts";
import { countedExpect } from "../counted-expect.ts";
import { campaign, type Step } from "./campaign.ts";
import { type Asked, HostileDevice, hex, joined, type Transport, truth, wasCarried } from "./hostile-line.ts";

const TRANSPORTS = ["tcp", "rtu-over-tcp", "rtu", "ascii", "udp"] as const;
const HOST = { host: "192.168.1.40", port: 502 } as const;
const SERIAL = { path: "/dev/ttyUSB0", baudRate: 19_200, dataBits: 8, parity: "even", stopBits: 1 } as const;
const TABLES: readonly [RegisterTable, ...RegisterTable[]] = ["holding", "input", "coil", "discrete"];
const CODES = { coil: 1, discrete: 2, holding: 3, input: 4 } as const;
/** The longest that a read may take in virtual time: its own patience, resends, probes, and those before it. */
const READ_LIMIT_MS = 60_000;
/** How long bytes may be under way; what a liar sent unasked may be taken for the answer to a request that crossed it. */
const UNDER_WAY_MS = 5;
/** Stretches of bytes that are kept of what the device sent. */
const KEPT = 500;

/** Brings bytes to the gateway; null hangs up. */
type Reach = (bytes: Uint8Array | null) => void;

/** What passes between the gateway and the device. */
class Wire {
  readonly #world: World;
  readonly #device: HostileDevice;
  readonly #step: Step;
  readonly #transport: Transport;
  readonly #sent: { readonly atMs: number; readonly bytes: Uint8Array }[] = [];
  /** The latest request of each shape. */
  readonly #asked = new Map<string, Asked>();
  #freeAtMs = 0;
  #reach: Reach | null = null;

  constructor(world: World, device: HostileDevice, transport: Transport, step: Step) {
    this.#world = world;
    this.#device = device;
    this.#transport = transport;
    this.#step = step;
  }

  /** A connection of the gateway's; late bytes go to whoever is connected then. */
  serve(stream: Pick<ByteStream, "write"> & Disposable): StreamEvents {
    const reach: Reach = (bytes) => (bytes === null ? stream[Symbol.dispose]() : stream.write(bytes));
    this.#reach = reach;
    return {
      data: (bytes) => this.heard(bytes),
      closed: () => {
        if (this.#reach === reach) this.#reach = null;
      },
    };
  }

  reachBy(reach: Reach): void {
    this.#reach = reach;
  }

  heard(bytes: Uint8Array): void {
    for (const asked of this.#device.asked(bytes)) {
      this.#step.sent(`< ${JSON.stringify(asked)}`);
      this.#asked.set(keyOf(asked), asked);
      const to = this.#reach;
      for (const { afterMs, bytes: answer } of this.#device.answer(asked)) this.#later(afterMs, answer, to);
    }
  }

  /** A device does one thing after the other, so that what it says keeps its order. */
  #later(afterMs: number, bytes: Uint8Array | null, to: Reach | null): void {
    const nowMs = this.#world.clock.monotonicMs();
    this.#freeAtMs = Math.max(this.#freeAtMs, nowMs) + afterMs;
    this.#world.clock.timer(this.#freeAtMs - nowMs, () => {
      // Modbus TCP answers on the connection of the request; a converter hands bytes to whoever is there.
      const reach = this.#transport === "tcp" ? to : this.#reach;
      this.#step.sent(`> ${bytes === null ? "hangs up" : hex(bytes)}`);
      if (bytes !== null) this.#sent.push({ atMs: this.#world.clock.monotonicMs(), bytes });
      this.#sent.splice(0, Math.max(0, this.#sent.length - KEPT));
      reach?.(bytes);
    });
  }

  /** Whether the device sent these registers for a request of this shape, and not before the read began. */
  carried({ unit, code, address }: Omit<Asked, "id" | "count">, registers: Uint16Array, beganAtMs: number): boolean {
    const request = { unit, code, address, count: registers.length };
    // What came unasked may have been there before the request was, where no transaction id tells.
    const asked = this.#asked.get(keyOf(request)) ?? (this.#transport === "tcp" ? null : { id: 0, ...request });
    if (asked === null) return false;
    const since = this.#sent.filter(({ atMs }) => atMs >= beganAtMs - UNDER_WAY_MS).map(({ bytes }) => bytes);
    return wasCarried(this.#transport, asked, registers, joined(...since));
  }
}

function keyOf({ unit, code, address, count }: Omit<Asked, "id">): string {
  return [unit, code, address, count].join();
}

async function openWire(world: World, transport: Transport, step: Step) {
  const device = new HostileDevice(step.random.fork("device"), transport);
  const wire = new Wire(world, device, transport, step);
  const isSerial = transport === "rtu" || transport === "ascii";
  const address: LineAddress = isSerial ? { kind: transport, ...SERIAL } : { kind: transport, ...HOST };
  // Without bit rates: a byte at a time costs a timer each.
  const serial = new SimSerial(world.clock);
  if (isSerial) serial.plug(SERIAL.path, (stream) => gathered(wire, stream));
  else if (transport === "udp") await serveDatagrams(world, wire);
  else await world.net.host().listen(HOST, (stream) => gathered(wire, stream));
  return { device, wire, address, serial: serial.host() };
}

/** A serial line brings bytes one by one; a device takes them for a frame when they stop. */
function gathered(wire: Wire, stream: ByteStream): StreamEvents {
  const events = wire.serve(stream);
  let held: Uint8Array = new Uint8Array(0);
  return {
    closed: events.closed,
    data(bytes) {
      held = joined(held, bytes);
      const frame = wholeRequest(held);
      if (frame === null) return;
      held = new Uint8Array(0);
      events.data(frame);
    },
  };
}

/** Requests here are reads: 6 bytes of unit and PDU, framed in 8, 12 or 17. */
function wholeRequest(bytes: Uint8Array): Uint8Array | null {
  const isAscii = bytes[0] === 0x3a;
  if (isAscii) return bytes.at(-1) === 0x0a ? bytes : null;
  return bytes.length >= 8 ? bytes : null;
}

async function serveDatagrams(world: World, wire: Wire): Promise<void> {
  let from: { readonly host: string; readonly port: number } | null = null;
  const socket = await world.udp.host(HOST.host).open(
    { port: HOST.port },
    {
      datagram: (bytes, sender) => {
        from = sender;
        wire.heard(bytes);
      },
      closed: () => undefined,
    },
  );
  wire.reachBy((bytes) => {
    if (bytes !== null && from !== null) socket.send(bytes, from);
  });
}

const expectRead = countedExpect("a read that succeeds");
const expectTruth = countedExpect("a read of a truthful device");
const READS = { share: 0.06, counted: [expectRead, expectTruth] };

async function readSome(world: World, unit: BusUnit, wire: Wire, isLiar: boolean, id: number, random: SeededRandom) {
  const table = random.pick(TABLES);
  const code = CODES[table];
  const [address, count] = [random.below(5) * 100, 1 + random.below(random.isChance(0.2) ? 125 : 4)];
  const beganAtMs = world.clock.monotonicMs();
  const reading = unit.read(table, address, count, new AbortController().signal).catch((error: unknown) => error);
  const result = await world.clock.resolve(reading, READ_LIMIT_MS);
  if (result instanceof Uint16Array) {
    expectRead(result).toHaveLength(count);
    expect(
      wire.carried({ unit: id, code, address }, result, beganAtMs),
      `unit ${id}, ${table} ${address}: [${result}]`,
    ).toBe(true);
    const held = Array.from({ length: count }, (_, at) => truth(id, code, address + at) & (code <= 2 ? 1 : 0xffff));
    if (!isLiar) expectTruth([...result]).toEqual(held);
    return;
  }
  if (!(result instanceof DeviceError)) throw result;
}

for (const transport of TRANSPORTS) {
  campaign(`Modbus ${transport}: a hostile device`, READS, async (step) => {
    const { random } = step;
    const world = new World({ seed: random.below(1_000_000) });
    const process = world.boot("gateway", new MemoryDisk());
    const { device, wire, address, serial } = await openWire(world, transport, step);
    step.sent(device.isLiar ? "a liar" : "truthful");
    using bus = new ModbusBus({ ...process.platform, serial }, address);
    const manners = { minGapMs: 0, inFlight: random.isChance(0.3) ? 3 : 1 };
    const units = [1, 2].map((id) => ({ id, unit: bus.unit(id, manners) }));
    for (let turn = 0; turn < 12; turn += 1) {
      const chosen = units[random.below(units.length)];
      if (chosen === undefined) continue;
      await readSome(world, chosen.unit, wire, device.isLiar, chosen.id, random);
      if (random.isChance(0.4)) await world.clock.advance(random.between(0, 40_000));
    }
    bus[Symbol.dispose]();
    await world.clock.advance(60_000);
    expect(process.resources, "what is left when the bus is closed").toEqual({ streams: 0, listeners: 0, timers: 0 });
    expect(serial.openPorts).toBe(0);
  });
}
