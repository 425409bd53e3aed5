/** A device with registers: a twin, what it held when, and what it was told. */
import assert from "node:assert/strict";
import type { ControlPoint, DeviceProfile, PointName, PointValue } from "hemgate/sdk";
import { POINT_UNITS } from "hemgate/sdk";
import type { ModbusImage, ModbusReply, SeededRandom, World } from "hemgate/testing";
import { type PlatedDevice, plated } from "../adapters/modbus/discovery/plated-devices.ts";
import { type Candidate, candidatesFor } from "../adapters/modbus/twins/attribution.ts";
import { effectProblem, isAtDefault } from "../adapters/modbus/twins/expected-effect.ts";
import { twinOf } from "../adapters/modbus/twins/twin-of.ts";
import { createTwin } from "../twins/registers/create-twin.ts";
import type { RegisterTwin } from "../twins/registers/register-twin.ts";
import { History } from "./history.ts";
import { type Moment, momentOf, torn } from "./register-facts.ts";
import { moveRegisters } from "./register-weather.ts";
import type { Received, WeekDevice, Window } from "./week-device.ts";

/** Until a turn has failed for good: two pauses, and the deadlines of two calls. */
const GIVING_UP_MS = 75_000;
/** Time that the requests of one poll take. */
const TURN_MS = 15_000;
/** What no list of the maker tells. */
const UNLISTED = new Set(["goodwe-et battery.power", "goodwe-et meter.frequency"]);
const LIMIT = "charger.maxCurrent";
/** Of several registers that make a point, each may come from before or after a change. */
const MAX_TORN = 6;

export interface RegisterDeviceOptions {
  readonly id: string;
  readonly profile: DeviceProfile;
  readonly config: Readonly<Record<string, unknown>>;
  readonly pollMs: number;
  /** Each answer takes so long. */
  readonly answerMs?: number;
  /** What it does without the sun. */
  readonly night?: "silent" | "no-values";
  /** What it tells of itself. */
  readonly plate?: PlatedDevice;
}

export class RegisterDevice implements WeekDevice {
  readonly id: string;
  readonly config: WeekDevice["config"];
  readonly calmMs: number;
  readonly troubledMs: number;
  readonly paceMs: number;
  readonly profile: DeviceProfile;
  askedAtMs = 0;
  /** By how much each answer is slower than usual, ms. */
  slowMs = 0;
  /** What is answered in place of what was asked; null: this time nothing is spoiled. */
  spoil: (() => ModbusReply | null) | null = null;
  readonly #world: World;
  readonly #twin: RegisterTwin;
  /** The twin behind its plate. */
  readonly #shown: ModbusImage;
  readonly #night: RegisterDeviceOptions["night"];
  readonly #atFirst: Moment["effect"];
  readonly #history = new History<Moment>();
  readonly #candidates = new Map<PointName, readonly Candidate[]>();
  #writes: Received[] = [];
  #wear = 0;
  #isPluggedIn = true;
  #isDark = false;
  #isDead = false;

  static async open(world: World, options: RegisterDeviceOptions): Promise<RegisterDevice> {
    const which = twinOf(options.profile);
    assert(which !== null, `${options.profile.id} has no twin`);
    const { clock } = world;
    const wire = options.answerMs === undefined ? {} : { answerMs: options.answerMs };
    const plain = await createTwin(which.id, {
      clock,
      ...(which.behaviour && { behaviour: which.behaviour }),
      ...wire,
    });
    const { reversion } = plain.behaviour;
    let device: RegisterDevice | null = null;
    const watched = reversion && {
      ...reversion,
      fallBack: (twin: Parameters<typeof reversion.fallBack>[0]) => {
        reversion.fallBack(twin);
        clock.timer(0, () => device?.note());
      },
    };
    const behaviour = { ...plain.behaviour, ...(watched && { reversion: watched }) };
    device = new RegisterDevice(world, await createTwin(which.id, { clock, behaviour, ...wire }), options);
    return device;
  }

  private constructor(world: World, twin: RegisterTwin, options: RegisterDeviceOptions) {
    const { id, profile, config, pollMs, night } = options;
    this.id = id;
    this.profile = profile;
    this.config = config;
    this.calmMs = pollMs + TURN_MS;
    this.troubledMs = 2 * pollMs + GIVING_UP_MS;
    this.paceMs = pollMs + TURN_MS;
    this.#world = world;
    this.#twin = twin;
    this.#shown = options.plate === undefined ? twin : plated(options.plate, twin);
    this.#night = night;
    // KEBA: 1.2.1 and later count in 0.1 Wh.
    if (twin.has("device.firmware") && profile.id.startsWith("keba")) twin.set("device.firmware", 10_300);
    this.#atFirst = twin.effect;
    this.note();
  }

  /** What stands on the wire. */
  readonly image: Required<ModbusImage> = {
    readHolding: (...asked) => this.#asked((shown) => shown.readHolding(...asked)),
    readInput: (...asked) => this.#asked((shown) => shown.readInput(...asked)),
    readCoils: (...asked) => this.#asked(() => this.#twin.readCoils(...asked)),
    readDiscrete: () => ({ kind: "exception", code: 1 }),
    writeHolding: (unit, address, values, code) =>
      this.#written(`register ${address}: ${values.join(",")}`, (twin) =>
        twin.writeHolding(unit, address, values, code),
      ),
    writeCoil: (unit, address, isOn) =>
      this.#written(`coil ${address}: ${isOn}`, (twin) => twin.writeCoil(unit, address, isOn)),
  };

  get reversion(): WeekDevice["reversion"] {
    const { behaviour, effect } = this.#twin;
    const timerMs = behaviour.reversion?.afterMs(this.#twin) ?? 0;
    return timerMs === 0 ? null : { timerMs, isAtDefault: isAtDefault(effect, this.#atFirst) };
  }

  live(random: SeededRandom, hour: number): void {
    moveRegisters(this.#twin, random, hour);
    if (this.#twin.effect.charger !== undefined && random.isChance(1 / 240)) {
      this.#isPluggedIn = !this.#isPluggedIn;
      this.#twin.plug(this.#isPluggedIn);
    }
    if (this.#night === "no-values") this.#isDark = hour < 4 || hour >= 20;
    this.#posture();
    this.note();
  }

  /** Nobody there, until it is disposed. */
  die(): Disposable {
    this.#isDead = true;
    this.#posture();
    return {
      [Symbol.dispose]: () => {
        this.#isDead = false;
        this.#posture();
      },
    };
  }

  /** Whether it sleeps without a word at this hour. */
  isAsleep(hour: number): boolean {
    return this.#night === "silent" && (hour < 4 || hour >= 20);
  }

  sleep(isAsleep: boolean): void {
    this.#isDead = isAsleep;
    this.#posture();
  }

  wasSo(point: PointName, value: PointValue | null, { sinceMs, untilMs }: Window): boolean | null {
    const moments = this.#history.during(sinceMs, untilMs);
    if (POINT_UNITS[point] === "") return this.#wasState(point, value, moments);
    const candidates = this.#candidatesFor(point);
    if (candidates.length === 0 || value === null || (point === LIMIT && moments.some(isStopped))) return null;
    if (typeof value !== "number") return false;
    return candidates.some((each) => moments.some((moment, at) => isFrom(each, value, moment, moments[at + 1])));
  }

  told(point: PointName, { sinceMs, untilMs }: Window): string {
    const moments = this.#history.during(sinceMs, untilMs);
    const values = this.#candidatesFor(point).map(
      ({ of, value }) => `${of.join("+")} ${moments.map((moment) => value(moment)).join(", ")}`,
    );
    return values.length > 0 ? values.join(" or ") : JSON.stringify(moments.map(({ effect }) => effect));
  }

  wasDone(point: ControlPoint, value: PointValue, { sinceMs, untilMs }: Window): boolean | null {
    const control = this.profile.controls.find((each) => each.point === point);
    if (control === undefined) return null;
    const isRough = control.approximate !== undefined;
    const moments = this.#history.during(sinceMs, untilMs);
    if (point === LIMIT && moments.some(isStopped)) return null;
    return moments.some((moment) => effectProblem(moment, point, value, isRough) === null);
  }

  did({ sinceMs, untilMs }: Window): string {
    const effects = this.#history.during(sinceMs, untilMs).map(({ effect }) => JSON.stringify(effect));
    return [...new Set(effects)].toReversed().join(", then ");
  }

  takeWrites(): readonly Received[] {
    const writes = this.#writes;
    this.#writes = [];
    return writes;
  }

  /** Something changed. */
  note(): void {
    const moment = momentOf(this.#twin, { isPluggedIn: this.#isPluggedIn, isDark: this.#isDark });
    this.#history.note(this.#world.clock.monotonicMs(), moment);
  }

  #posture(): void {
    if (this.#isDead) this.#twin.sleep("silent");
    else if (this.#isDark) this.#twin.sleep("no-values");
    else this.#twin.wake();
  }

  #asked(answer: (shown: ModbusImage) => ModbusReply): ModbusReply {
    if (this.#isDead) return { kind: "silence" };
    this.askedAtMs = this.#world.clock.monotonicMs();
    return this.spoil?.() ?? this.#delayed(answer(this.#shown));
  }

  #delayed(reply: ModbusReply): ModbusReply {
    if (this.slowMs === 0 || reply.kind === "silence" || reply.kind === "hang-up") return reply;
    return { ...reply, delayMs: (reply.delayMs ?? 0) + this.slowMs };
  }

  #written(what: string, answer: (twin: RegisterTwin) => ModbusReply): ModbusReply {
    if (this.#isDead) return { kind: "silence" };
    const spoiled = this.spoil?.();
    if (spoiled !== undefined && spoiled !== null) return spoiled;
    const reply = this.#delayed(answer(this.#twin));
    const { length } = this.#twin.wear;
    this.#writes.push({ atMs: this.#world.clock.monotonicMs(), what, isWear: length > this.#wear });
    this.#wear = length;
    this.note();
    return reply;
  }

  #candidatesFor(point: PointName): readonly Candidate[] {
    const known = this.#candidates.get(point);
    if (known !== undefined) return known;
    const found = UNLISTED.has(`${this.profile.id} ${point}`) ? [] : candidatesFor(point, this.#twin);
    this.#candidates.set(point, found);
    return found;
  }

  #wasState(point: PointName, value: PointValue | null, moments: readonly Moment[]): boolean | null {
    if (point !== "charger.state" || value === null || value === "UNKNOWN") return null;
    const isAllowed = ({ effect: { charger } }: Moment): boolean => charger?.isAllowed === true;
    if (value === "UNPLUGGED") return moments.some(({ isPluggedIn }) => !isPluggedIn);
    if (value === "PLUGGED_IN:CHARGING") return moments.some((each) => each.isPluggedIn && isAllowed(each));
    return moments.some(({ isPluggedIn }) => isPluggedIn);
  }
}

/** A station that is stopped by its limit, be it 0 or none: what is shown and set meanwhile is for its next start. */
function isStopped({ effect: { charger } }: Moment): boolean {
  return charger?.limitA === 0 || charger?.limitA === null;
}

/** Whether a candidate gives the value, at a moment or while the moment before it turned into it. */
function isFrom(candidate: Candidate, value: number, moment: Moment, before: Moment | undefined): boolean {
  const isNear = (facts: Moment): boolean => {
    const wanted = candidate.value(facts);
    return wanted !== null && Math.abs(value - wanted) <= candidate.tolerance(facts);
  };
  const { of } = candidate;
  if (isNear(moment)) return true;
  if (before === undefined || of.length < 2 || of.length > MAX_TORN) return false;
  for (let mask = 1; mask < 2 ** of.length - 1; mask += 1) {
    const old = new Set(of.filter((_id, index) => Math.floor(mask / 2 ** index) % 2 === 1));
    if (isNear(torn(moment, before, old))) return true;
  }
  return false;
}
