/** The house's meters that speak by themselves: one with a P1 port, one with SML, and one of SMA's in its multicast group. */
import type { World } from "hemgate/testing";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import { type Measured, netW, SOME_MEASURED } from "../twins/smart-meters/measured.ts";
import { p1Telegram } from "../twins/smart-meters/p1-twin.ts";
import { smlFile } from "../twins/smart-meters/sml-twin.ts";
import { type DatagramFault, SpeedwireTwin } from "../twins/smart-meters/speedwire-twin.ts";
import { type LineFault, TalkingMeter } from "../twins/smart-meters/talking-meter.ts";
import type { HouseFlow } from "./house-flow.ts";
import { HOUSE_OWNER, HOUSE_PARTS } from "./house-parts.ts";
import { netTroubles } from "./register-troubles.ts";
import { type Truth, TruthDevice } from "./truth-device.ts";
import type { Trouble, WeekDevice } from "./week-device.ts";

const P1_EVERY_MS = 10_000;
const SML_EVERY_MS = 30_000;
/** More rarely than real ones, which send each second: ten seconds of silence count as the end of a meter. */
const SPEEDWIRE_EVERY_MS = 4_000;
/** Until the engine takes a silent device for gone: its pauses between tries. */
const GIVING_UP_MS = 75_000;
const LEAST_LIMIT_MS = 10_000;
const LATE_FACTOR = 3;
const HOSTS = { p1: "10.0.2.1", sml: "10.0.2.2", speedwire: "10.0.2.3" } as const;
const PORT = 2_001;
const NOBODY = { datagram: () => undefined, closed: () => undefined };

export interface MeterHouse {
  readonly devices: readonly WeekDevice[];
  readonly troubles: readonly Trouble[];
}

export async function buildMeterHouse(world: World, house: HouseFlow): Promise<MeterHouse> {
  const parts = [
    await talking(world, {
      id: HOUSE_PARTS.meter,
      owner: HOUSE_OWNER,
      host: HOSTS.p1,
      everyMs: P1_EVERY_MS,
      protocol: "p1",
      telegram: (measured) => Buffer.from(p1Telegram("dsmr5", measured), "latin1"),
      moved: (_before, random, hour) => {
        house.turn(random, hour);
        return measuredIn(house);
      },
    }),
    await talking(world, {
      id: "sml-meter",
      owner: "gus",
      host: HOSTS.sml,
      everyMs: SML_EVERY_MS,
      protocol: "sml",
      telegram: (measured) => smlFile(measured),
      moved: wandered,
    }),
    await speedwire(world),
  ];
  return { devices: parts.map(({ device }) => device), troubles: parts.flatMap(({ troubles }) => troubles) };
}

interface Built {
  readonly device: TruthDevice;
  readonly troubles: readonly Trouble[];
}

interface Talking {
  readonly id: string;
  readonly owner: string;
  readonly host: string;
  readonly everyMs: number;
  readonly protocol: "p1" | "sml";
  telegram(measured: Measured): Uint8Array;
  moved(before: Measured, random: SeededRandom, hour: number): Measured;
}

async function talking(world: World, given: Talking): Promise<Built> {
  const { id, owner, host, everyMs, protocol, telegram, moved } = given;
  let measured = SOME_MEASURED;
  const meter = new TalkingMeter({
    clock: world.clock,
    random: world.random.fork(id),
    everyMs,
    telegram: () => telegram(measured),
  });
  await world.net.host().listen({ host, port: PORT }, (stream) => meter.line(stream));
  const device = new TruthDevice(world, {
    id,
    config: { id, adapter: "smart-meter", owner, protocol, host, port: PORT, intervalSeconds: everyMs / 1_000 },
    calmMs: everyMs + LEAST_LIMIT_MS,
    troubledMs: Math.max(LEAST_LIMIT_MS, LATE_FACTOR * everyMs) + GIVING_UP_MS,
    paceMs: null,
    tolerance: 1,
    truth: () => truthOf(measured),
    move: (random, hour) => {
      measured = moved(measured, random, hour);
    },
  });
  const fault = (name: string, isDeath: boolean, kind: LineFault): Trouble => ({
    name,
    devices: [id],
    isDeath,
    begin: () => {
      meter.fault = kind;
      return {
        [Symbol.dispose]: () => {
          meter.fault = "none";
        },
      };
    },
  });
  const troubles = [
    // Nothing is asked of these meters, so that a stream that is open outlives the closing of its port.
    ...netTroubles(world, () => host, [device]).map((each) => ({
      ...each,
      isDeath: each.isDeath && each.name !== "port closed",
    })),
    fault("meter silent", true, "silent"),
    fault("wrong checksums", true, "wrong-checksum"),
    fault("telegrams cut", true, "cut"),
    fault("noise between telegrams", false, "garbage"),
    fault("telegrams in pieces", false, "slow"),
  ];
  return { device, troubles };
}

async function speedwire(world: World): Promise<Built> {
  const id = "sma-meter";
  const host = HOSTS.speedwire;
  let measured = SOME_MEASURED;
  const everyMs = SPEEDWIRE_EVERY_MS;
  const twin = new SpeedwireTwin({
    clock: world.clock,
    serial: 1_901_427_928,
    susyId: 349,
    everyMs,
    measured: () => measured,
  });
  twin.start(await world.udp.host(host).open({}, NOBODY));
  const device = new TruthDevice(world, {
    id,
    config: { id, adapter: "speedwire", owner: "fay", serial: 1_901_427_928 },
    calmMs: everyMs + LEAST_LIMIT_MS,
    troubledMs: LEAST_LIMIT_MS + GIVING_UP_MS,
    paceMs: null,
    tolerance: 1,
    truth: () => truthOf(measured),
    move: (random) => {
      measured = wandered(measured, random);
    },
  });
  const fault = (name: string, kind: DatagramFault): Trouble => ({
    name,
    devices: [id],
    isDeath: true,
    begin: () => {
      twin.fault = kind;
      return {
        [Symbol.dispose]: () => {
          twin.fault = "none";
          twin.restart();
        },
      };
    },
  });
  const struck = (name: string, kind: "lost-answer" | "garbage", share: number): Trouble => ({
    name,
    devices: [id],
    isDeath: share === 1,
    begin: () => world.net.faults.begin({ kind, host, share }),
  });
  const troubles = [
    fault("meter silent", "silent"),
    fault("datagrams cut", "cut"),
    struck("no multicast", "lost-answer", 1),
    struck("lost datagrams", "lost-answer", 0.25),
    struck("garbled datagrams", "garbage", 0.25),
  ];
  return { device, troubles };
}

function measuredIn({ gridW, energiesWh }: HouseFlow): Measured {
  const l1 = Math.round(gridW / 2);
  const l2 = Math.round(gridW / 4);
  return {
    ...SOME_MEASURED,
    powerW: [l1, l2, gridW - l1 - l2],
    importWh: [Math.floor(energiesWh.import), 0],
    exportWh: [Math.floor(energiesWh.export), 0],
  };
}

function wandered({ importWh: [day, night], exportWh: [sold], ...rest }: Measured, random: SeededRandom): Measured {
  const power = (): number => Math.round(random.between(-2_000, 3_000));
  return {
    ...rest,
    powerW: [power(), power(), power()],
    importWh: [day + random.below(60), night],
    exportWh: [sold + random.below(60), 0],
  };
}

function truthOf(measured: Measured): Truth {
  const [l1, l2, l3] = measured.powerW;
  return {
    "meter.power": netW(measured),
    "meter.power.l1": l1,
    "meter.power.l2": l2,
    "meter.power.l3": l3,
    "meter.energyImport": measured.importWh[0] + measured.importWh[1],
    "meter.energyExport": measured.exportWh[0] + measured.exportWh[1],
  };
}
