/** The house's devices with registers, and the wires that they hang on. */
import assert from "node:assert/strict";
import {
  type ModbusImage,
  type ModbusReply,
  type ModbusServer,
  modbusLine,
  serveModbus,
  type World,
} from "hemgate/testing";
import { allProfiles } from "../../adapters/modbus/profile/known-profiles.ts";
import { PLATED, type PlatedDevice } from "../adapters/modbus/discovery/plated-devices.ts";
import { settingsOf } from "../adapters/modbus/twins/twin-bench.ts";
import type { Mover } from "./movers.ts";
import { RegisterDevice, type RegisterDeviceOptions } from "./register-device.ts";
import { deviceTroubles, GarbledNet, netTroubles, plugIn, spoilTrouble } from "./register-troubles.ts";
import type { Trouble } from "./week-device.ts";

const KNOWN_PROFILES = await allProfiles();

type ServerOptions = Parameters<typeof serveModbus>[3];
interface Row extends Pick<RegisterDeviceOptions, "answerMs" | "night" | "plate"> {
  readonly profile: string;
  readonly owner: string;
  readonly pollMs?: number;
  readonly server?: ServerOptions;
}

/** Each at an address of its own. */
const ON_TCP: readonly Row[] = [
  { profile: "huawei-sun2000-luna", owner: "ann" },
  { profile: "solaredge-storedge", owner: "ben", server: { maxClients: 1, idleCloseMs: 120_000 } },
  { profile: "kostal-plenticore", owner: "eva", pollMs: 30_000 },
  { profile: "sma-hybrid", owner: "dan" },
  { profile: "solax-g3g4", owner: "ida", answerMs: 800 },
  { profile: "foxess-h3", owner: "kai" },
  { profile: "goodwe-et", owner: "lea", night: "no-values" },
  { profile: "sungrow-sh", owner: "max", server: { maxClients: 1 }, plate: plateOf("sungrow-sh") },
  { profile: "victron-gx", owner: "noa" },
  { profile: "e3dc-simple", owner: "pia", server: { idleCloseMs: 10_000 } },
  { profile: "sungrow-sg", owner: "ann", night: "silent" },
  { profile: "growatt-tlxh", owner: "ben", night: "silent" },
  { profile: "janitza-umg", owner: "eva" },
  { profile: "kostal-ksem", owner: "eva", pollMs: 30_000 },
  { profile: "siemens-pac2200", owner: "dan" },
  { profile: "keba-p30", owner: "ann", answerMs: 200, plate: plateOf("keba-p30") },
  { profile: "alfen-ng9xx", owner: "ben" },
  { profile: "go-e-modbus", owner: "eva" },
  { profile: "webasto-next-tq", owner: "dan" },
  { profile: "phoenix-charx", owner: "ida" },
  { profile: "lambda-eul", owner: "ann", answerMs: 1_500 },
  { profile: "stiebel-wpm", owner: "ben" },
  { profile: "nibe-s", owner: "eva" },
  { profile: "luxtronik-shi", owner: "dan" },
];

interface Wire {
  readonly name: string;
  readonly kind: "rtu" | "ascii" | "rtu-over-tcp";
  readonly setting?: Readonly<Record<string, unknown>>;
  /** By unit id. */
  readonly units: Readonly<Record<number, Row>>;
}

const WIRES: readonly Wire[] = [
  {
    name: "/dev/ttyUSB0",
    kind: "rtu",
    setting: { baudRate: 9_600, parity: "none" },
    units: {
      1: { profile: "eastron-sdm630", owner: "kai", pollMs: 120_000 },
      2: { profile: "eastron-sdm120", owner: "lea", pollMs: 120_000 },
      3: { profile: "chint-dtsu666", owner: "max", pollMs: 120_000 },
      4: { profile: "abb-b23-b24", owner: "noa", pollMs: 120_000 },
    },
  },
  { name: "/dev/ttyUSB1", kind: "rtu", units: { 1: { profile: "heidelberg-ec", owner: "kai" } } },
  { name: "/dev/ttyUSB2", kind: "ascii", units: { 1: { profile: "abl-emh1", owner: "lea" } } },
  { name: "/dev/ttyUSB3", kind: "rtu", units: { 50: { profile: "mennekes-compact", owner: "max", pollMs: 30_000 } } },
  {
    name: "10.0.1.1",
    kind: "rtu-over-tcp",
    units: {
      1: { profile: "deye-3p", owner: "uwe" },
      5: { profile: "eastron-sdm72-v2", owner: "ida" },
      6: { profile: "cg-em24-rtu", owner: "pia" },
    },
  },
];

const POLL_MS = 60_000;
const PORT = 502;

export interface RegisterHouse {
  readonly devices: readonly RegisterDevice[];
  readonly troubles: readonly Trouble[];
  /** Those that tell their serial numbers, so that they are found again elsewhere. */
  readonly movers: readonly Mover[];
}

export async function buildRegisterHouse(world: World): Promise<RegisterHouse> {
  const devices: RegisterDevice[] = [];
  const troubles: Trouble[] = [];
  const movers: Mover[] = [];
  for (const [index, row] of ON_TCP.entries()) {
    const { device, place, garbled } = await openOnTcp(world, row, `10.0.0.${10 + index}`);
    devices.push(device);
    troubles.push(...netTroubles(world, () => place.host, [device]), ...deviceTroubles(world, device));
    troubles.push(garbled.trouble(device.id), spoilTrouble(world, device, "hang-up", { kind: "hang-up" }));
    if (row.plate !== undefined) movers.push(place);
  }
  for (const wire of WIRES) {
    const units = await openUnits(world, wire);
    const image = sharedImage(units);
    const here = [...units.values()];
    devices.push(...here);
    troubles.push(...here.flatMap((device) => deviceTroubles(world, device)));
    if (wire.kind === "rtu-over-tcp") {
      const line = modbusLine(world.clock, image, { framing: "rtu" });
      await world.net.host().listen({ host: wire.name, port: PORT }, line);
      troubles.push(...netTroubles(world, () => wire.name, here));
    } else troubles.push(...plugIn(world, wire.name, wire.kind, image, here));
  }
  return { devices, troubles, movers };
}

async function openOnTcp(world: World, row: Row, firstHost: string) {
  const unit = row.plate === undefined ? {} : { unit: row.plate.unit };
  const device = await open(world, row, row.profile, { host: firstHost, port: PORT, ...unit });
  const garbled = new GarbledNet(world);
  const serve = (host: string): Promise<ModbusServer> =>
    serveModbus({ clock: world.clock, net: garbled }, device.image, { host, port: PORT }, row.server);
  return { device, place: new Place(device.id, await serve(firstHost), serve), garbled };
}

/** Where a device is. */
class Place implements Mover {
  readonly id: string;
  readonly #serve: (host: string) => Promise<ModbusServer>;
  #server: ModbusServer;

  constructor(id: string, server: ModbusServer, serve: (host: string) => Promise<ModbusServer>) {
    this.id = id;
    this.#server = server;
    this.#serve = serve;
  }

  get host(): string {
    return this.#server.address.host;
  }

  async moveTo(host: string): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    this.#server = await this.#serve(host);
  }
}

async function open(
  world: World,
  row: Row,
  id: string,
  place: Readonly<Record<string, unknown>>,
): Promise<RegisterDevice> {
  const { pollMs = POLL_MS, owner, profile: name, server: _server, ...rest } = row;
  const profile = KNOWN_PROFILES.find((each) => each.id === name);
  assert(profile !== undefined, `there is no profile ${name}`);
  const config = {
    id,
    adapter: "modbus",
    owner,
    profile: name,
    ...place,
    confirmUnverified: true,
    settings: settingsOf(profile),
    pollMs: { fast: pollMs, normal: pollMs, slow: pollMs },
  };
  return await RegisterDevice.open(world, { ...rest, id, profile, config, pollMs });
}

async function openUnits(
  world: World,
  { name, kind, setting, units }: Wire,
): Promise<ReadonlyMap<number, RegisterDevice>> {
  const opened = new Map<number, RegisterDevice>();
  for (const [unit, row] of Object.entries(units)) {
    const line =
      kind === "rtu-over-tcp" ? { host: name, port: PORT, framing: "rtu" } : { serialPort: name, framing: kind };
    opened.set(Number(unit), await open(world, row, row.profile, { ...line, ...setting, unit: Number(unit) }));
  }
  return opened;
}

/** Several units behind one wire; nobody answers for those that are not there. */
function sharedImage(units: ReadonlyMap<number, RegisterDevice>): ModbusImage {
  const of = <Asked extends readonly unknown[]>(
    name: keyof RegisterDevice["image"],
  ): ((unit: number, ...asked: Asked) => ModbusReply) => {
    return (unit, ...asked) => {
      const device = units.get(unit);
      if (device === undefined) return { kind: "silence" };
      const method: (unit: number, ...asked: never[]) => ModbusReply = device.image[name];
      return method(unit, ...(asked as readonly unknown[] as never[]));
    };
  };
  return {
    readHolding: of("readHolding"),
    readInput: of("readInput"),
    readCoils: of("readCoils"),
    readDiscrete: of("readDiscrete"),
    writeHolding: of("writeHolding"),
    writeCoil: of("writeCoil"),
  };
}

function plateOf(profile: string): PlatedDevice {
  const found = PLATED.find((device) => device.profile === profile);
  assert(found !== undefined, `there is no plate of ${profile}`);
  return found;
}
