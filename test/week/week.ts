/** Some days of a home with all kinds of devices, faults, residents and restarts, checked minute by minute. */
import { type SeededRandom, World } from "hemgate/testing";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/duration.ts";
import { ApiClient } from "../long-run/api-client.ts";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import { LongRun, type RunReport } from "../long-run/long-run.ts";
import { Calm } from "./calm.ts";
import { Deeds } from "./deeds.ts";
import { buildFirmwareHouse } from "./firmware-house.ts";
import { retainedMb } from "./heap.ts";
import { HouseFlow } from "./house-flow.ts";
import { houseParts } from "./house-parts.ts";
import { HouseSystem } from "./house-system.ts";
import { buildHttpHouse } from "./http-house.ts";
import { buildMeterHouse } from "./meter-house.ts";
import { Mishaps, WEEK_START_MS } from "./mishaps.ts";
import { Movers } from "./movers.ts";
import { Pace } from "./pace.ts";
import { buildRegisterHouse } from "./register-house.ts";
import { Residents } from "./residents.ts";
import { Shown } from "./shown.ts";
import { weekBox } from "./week-box.ts";
import type { Trouble, WeekDevice } from "./week-device.ts";

const MINUTES_A_DAY = 1_440;
const TOLD_EVERY_MINUTES = 360;
/** USB converters hand on what came in pieces; byte by byte a third of all that happens would be serial lines. */
const LUMP_BYTES = 64;
/** Devices change between two polls, which are at whole tens of seconds. */
const MOVES_AT_MS = 53_000;
const BROKER = "mqtt://10.0.0.9";
/** Lines of the log an hour, of the gateway and all boards: more is a flood. */
const MAX_LINES_AN_HOUR = 1_500;
/** After so many nothing new is learned. */
const MAX_BREACHES = 25;
/** Lines of the world's log about the device that a breach names. */
const MAX_LINES_OF_DEVICE = 15;

export interface WeekResult extends RunReport {
  readonly counts: Readonly<Record<string, number>>;
  readonly fired: Readonly<Record<string, number>>;
  /** Classes of faults that never came. */
  readonly missing: readonly string[];
  readonly devices: number;
}

/** `tell` hears of each breach when it is found, and four times a day of how far the week is. */
export async function liveThrough({
  seed,
  days,
  tell = () => undefined,
}: {
  readonly seed: number;
  readonly days: number;
  readonly tell?: (line: string) => void;
}): Promise<WeekResult> {
  const world = new World({ seed, startMs: WEEK_START_MS, serialLumpBytes: LUMP_BYTES });
  const house = new HouseFlow(world);
  const registers = await buildRegisterHouse(world);
  const web = buildHttpHouse(world);
  const houses = [
    await buildMeterHouse(world, house),
    registers,
    buildFirmwareHouse(world, BROKER, houseParts(house)),
    web,
  ];
  const movers = new Movers(world, [...registers.movers, ...web.movers]);
  const troubles = [...houses.flatMap((each): readonly Trouble[] => each.troubles), ...movers.troubles];
  const devices = houses.flatMap((each): readonly WeekDevice[] => each.devices);
  const week = new Week({ world, house, movers, devices, troubles, tell, minutes: days * MINUTES_A_DAY });
  return await week.live();
}

interface WeekParts {
  readonly world: World;
  readonly house: HouseFlow;
  readonly movers: Movers;
  readonly devices: readonly WeekDevice[];
  readonly troubles: readonly Trouble[];
  tell(line: string): void;
  readonly minutes: number;
}

class Week {
  readonly #run: LongRun;
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #devices: readonly WeekDevice[];
  readonly #troubles: readonly Trouble[];
  readonly #box: GatewayBox;
  readonly #client: ApiClient;
  readonly #calm: Calm;
  readonly #shown: Shown;
  readonly #pace: Pace;
  readonly #deeds: Deeds;
  readonly #mishaps: Mishaps;
  readonly #residents: Residents;
  readonly #movers: Movers;
  readonly #tell: (line: string) => void;
  readonly #minutes: number;
  /** Of the minutes in which something begins; in a short time so many that each class comes. */
  readonly #troublePart: number;
  readonly #system: HouseSystem;
  #linesBefore = 0;
  #heapMb = 0;

  constructor({ world, house, movers, devices, troubles, tell, minutes }: WeekParts) {
    this.#world = world;
    this.#random = world.random.fork("week");
    this.#devices = devices;
    this.#troubles = troubles;
    this.#run = new LongRun(world, { maxBreaches: MAX_BREACHES, onBreach: (breach) => this.#tellBreach(breach) });
    const box = weekBox(world, devices, BROKER);
    const calm = new Calm(world);
    const parts = { world, box, calm };
    this.#box = box;
    this.#calm = calm;
    this.#client = new ApiClient(world, box);
    this.#movers = movers;
    this.#tell = tell;
    this.#minutes = minutes;
    const classes = new Set(troubles.map(({ name }) => name)).size;
    this.#troublePart = Math.max(1 / 6, (1.6 * classes) / minutes);
    this.#system = new HouseSystem({ ...parts, house });
    this.#shown = new Shown(parts);
    this.#pace = new Pace(parts);
    this.#deeds = new Deeds(parts);
    this.#mishaps = new Mishaps({ world, box, deeds: this.#deeds, devices: devices.length, minutes });
    const { mqtt } = world;
    this.#residents = new Residents({
      ...{ world, box, client: this.#client, broker: mqtt.broker(BROKER) },
      mishaps: this.#mishaps,
    });
  }

  async live(): Promise<WeekResult> {
    await this.#box.start();
    await this.#client.join("resident");
    this.#run.every(MINUTE_MS, (turn) => this.#minute(turn), { afterMs: 0, times: this.#minutes, isAligned: true });
    await this.#run.live();
    return this.#result();
  }

  async #minute(minute: number): Promise<readonly string[]> {
    const breaches = await this.#happen(minute);
    await this.#world.clock.advance(MOVES_AT_MS - (this.#world.clock.monotonicMs() % MINUTE_MS));
    const found = [...breaches, ...this.#check(minute)];
    this.#move();
    if (minute % TOLD_EVERY_MINUTES === 0) {
      const heapMb = retainedMb(this.#box.disk);
      this.#tell(`${this.#time()} ${JSON.stringify({ ...this.#counts(), heapMb })}`);
    }
    if (minute === Math.floor(this.#minutes / 4)) this.#heapMb = retainedMb(this.#box.disk);
    return found;
  }

  #result(): WeekResult {
    const fired = Object.fromEntries([...this.#calm.fired, ...this.#mishaps.fired]);
    const names = [...this.#troubles.map(({ name }) => name), ...Mishaps.names];
    const counts = { ...this.#counts(), grownMb: retainedMb(this.#box.disk) - this.#heapMb };
    const missing = [...new Set(names)].filter((name) => !(name in fired));
    return { ...this.#run.report(), counts, fired, missing, devices: this.#devices.length };
  }

  #counts(): Record<string, number> {
    const { confirmed, failed, cancelled, unjudged } = this.#deeds.counts;
    return {
      ...this.#shown.counts,
      ...this.#residents.counts,
      ...this.#system.counts,
      found: this.#movers.found,
      ...{ confirmed, failed, cancelled, unjudged },
      ...this.#deeds.causes,
      reversions: this.#deeds.reversions,
      wear: this.#deeds.wear,
      latestMs: Math.round(this.#pace.latestMs),
      timers: this.#world.clock.firedTimers,
    };
  }

  async #happen(minute: number): Promise<readonly string[]> {
    const breaches = [...(await this.#mishaps.atMinute(minute))];
    if (this.#random.isChance(this.#troublePart)) this.#calm.beginOne(this.#troubles);
    if (this.#random.isChance(1 / 4)) breaches.push(...(await this.#residents.act()));
    return breaches;
  }

  #move(): void {
    const hour = (this.#world.clock.monotonicMs() / HOUR_MS) % 24;
    for (const device of this.#devices) device.live(this.#random, hour);
  }

  #check(minute: number): readonly string[] {
    this.#movers.afterMinute(this.#box, this.#calm);
    const breaches = [
      ...this.#shown.afterMinute(this.#devices),
      ...this.#system.afterMinute(this.#devices),
      ...this.#pace.afterMinute(this.#devices),
      ...this.#deeds.afterMinute(this.#devices),
    ];
    if (minute % 60 !== 59) return breaches;
    const lines = this.#world.events.count - this.#linesBefore;
    this.#linesBefore = this.#world.events.count;
    return lines > MAX_LINES_AN_HOUR ? [...breaches, `${lines} lines were logged in an hour`] : breaches;
  }

  /** Prints a breach with the world's last lines about the device that it names. */
  #tellBreach(breach: string): void {
    const device = this.#devices.find(({ id }) => breach.includes(`${id} `) || breach.includes(`${id}:`));
    const { recent } = this.#world.events;
    const lines = device === undefined ? [] : recent.filter((line) => line.includes(`"${device.id}"`));
    this.#tell([`BREACH ${breach}`, ...lines.slice(-MAX_LINES_OF_DEVICE)].join("\n    "));
  }

  /** Day, hour and minute of the week. */
  #time(): string {
    const atMs = this.#world.clock.monotonicMs();
    return `day ${Math.floor(atMs / DAY_MS)}, ${new Date(WEEK_START_MS + atMs).toISOString().slice(11, 19)}:`;
  }
}
