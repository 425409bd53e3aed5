/** A house battery with a controller of its own, and panels whose inverter takes a limit. */
import type { OperationMode } from "../../src/points/points.ts";
import { FakeDevice } from "../../src/testing/fake-adapter.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";

const MODES = ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"] as const satisfies readonly OperationMode[];
const CAPACITY_WH = 10_000;
export const RESERVE = 10;
const VOLTS = 230;
const BATTERY_LATENCY_MS = 4_000;
const INVERTER_LATENCY_MS = 2_000;
/** Share of the error that the battery's own controller corrects each second. */
const GAIN = 0.5;
/** Of the rated power, a second. */
const INVERTER_RAMP = 0.2;
const RATED_W = 10_000;
const BATTERY_W = 5_000;

export class SimBattery {
  readonly device: FakeDevice;
  /** True if the power of its forced modes can be set. */
  readonly isByPower: boolean;
  /** False: only its own control stops at the reserve, a forced discharge goes on. */
  readonly keepsReserve: boolean;
  mode: OperationMode = "SELF_RELIANCE";
  /** Power of a forced mode, W; 0: all that it can. */
  setpointW = 0;
  watts = 0;
  soc: number;
  /** False: commands are acknowledged and lost. */
  isConnected = true;
  /** Monotonic ms at which another power was written than the one before. */
  readonly powersMs: number[] = [];
  /** Commands that no driver may write. */
  readonly faults: string[] = [];

  constructor(world: World, random: SeededRandom) {
    this.soc = random.between(20, 90);
    const pollMs = random.pick([2_000, 5_000]);
    const holdMs = random.pick([null, 60_000]);
    this.isByPower = random.isChance(0.5);
    this.keepsReserve = random.isChance(0.5);
    this.device = new FakeDevice({
      clock: world.clock,
      pollMs,
      values: {
        "battery.power": 0,
        "battery.soc": this.soc,
        "battery.capacity": CAPACITY_WH,
        "battery.reserve": RESERVE,
        "battery.mode": "SELF_RELIANCE",
        ...(this.isByPower && { "battery.powerSetpoint": 0 }),
      },
      controls: [
        { point: "battery.mode", values: MODES, holdMs, safeDefault: "SELF_RELIANCE" },
        ...(this.isByPower
          ? [
              {
                point: "battery.powerSetpoint" as const,
                range: { min: -BATTERY_W, max: BATTERY_W },
                holdMs,
                safeDefault: 0,
              },
            ]
          : []),
      ],
      identity: { manufacturer: "Batteries", model: "B", serial: "B-1" },
    });
    this.device.onWrite = (point, value) => {
      if (!this.isConnected) return;
      const change = point === "battery.mode" ? { mode: modeOf(value) } : { setpointW: Number(value) };
      if (change.setpointW !== undefined) this.#notePower(change.setpointW, world.clock.monotonicMs());
      this.#show(change);
      world.clock.timer(BATTERY_LATENCY_MS, () => {
        this.mode = change.mode ?? this.mode;
        this.setpointW = change.setpointW ?? this.setpointW;
      });
    };
  }

  get isForced(): boolean {
    return this.mode === "IMPORT_FOCUS" || this.mode === "EXPORT_FOCUS";
  }

  get isObedient(): boolean {
    return this.isConnected && this.device.isUp && this.device.refusesWrites === null;
  }

  ampsOnEachPhase(): number {
    return this.watts / 3 / VOLTS;
  }

  /** Somebody changes it by the maker's app. */
  change(mode: OperationMode): void {
    this.mode = mode;
    this.#show({ mode });
  }

  #notePower(watts: number, nowMs: number): void {
    if (watts !== this.device.values["battery.powerSetpoint"]) this.powersMs.push(nowMs);
    if (!this.isByPower || !(Math.abs(watts) <= BATTERY_W)) this.faults.push(`a power of ${watts} W was written`);
  }

  #show({ mode, setpointW }: { readonly mode?: OperationMode; readonly setpointW?: number }): void {
    if (mode !== undefined) this.device.show("battery.mode", mode);
    if (setpointW !== undefined) this.device.show("battery.powerSetpoint", setpointW);
  }

  /** `gridW` is the import a moment ago. */
  step(seconds: number, gridW: number): void {
    const highest = this.soc >= 100 ? 0 : BATTERY_W;
    const isAtReserve = this.soc <= (this.mode === "EXPORT_FOCUS" && !this.keepsReserve ? 0 : RESERVE);
    const lowest = isAtReserve ? 0 : -BATTERY_W;
    this.watts = Math.min(highest, Math.max(lowest, this.#goal(gridW)));
    this.soc += ((this.watts * seconds) / 3_600 / CAPACITY_WH) * 100;
    this.device.show("battery.power", this.watts);
    this.device.show("battery.soc", this.soc);
  }

  #goal(gridW: number): number {
    if (this.mode === "IDLE") return 0;
    if (this.isForced && this.setpointW !== 0) return this.setpointW;
    if (this.mode === "IMPORT_FOCUS") return BATTERY_W;
    if (this.mode === "EXPORT_FOCUS") return -BATTERY_W;
    return this.watts - GAIN * gridW;
  }
}

function modeOf(value: unknown): OperationMode {
  return MODES.find((each) => each === value) ?? "SELF_RELIANCE";
}

export class Panels {
  readonly device: FakeDevice;
  watts = 0;
  /** What the inverter obeys, %. */
  limitPct = 100;
  readonly #random: SeededRandom;
  #cloud = 1;
  #cloudGoal = 1;
  #cloudUntilS = 0;
  /** How cloudy today is, 0 to 1. */
  #gloom = 0.3;

  constructor(world: World, random: SeededRandom) {
    this.#random = random;
    this.device = new FakeDevice({
      clock: world.clock,
      pollMs: random.pick([2_000, 5_000]),
      values: { "inverter.power": 0, "inverter.powerLimit": 100 },
      controls: [{ point: "inverter.powerLimit", range: { min: 0, max: 100 }, holdMs: null, safeDefault: 100 }],
      identity: { manufacturer: "Suns", model: "S", serial: "S-1" },
    });
    this.device.onWrite = (_point, value) => {
      this.device.show("inverter.powerLimit", Number(value));
      world.clock.timer(INVERTER_LATENCY_MS, () => {
        this.limitPct = Number(value);
      });
    };
  }

  /** `hour` is that of the wall clock, with its fraction. */
  step(seconds: number, atS: number, hour: number): void {
    const available = this.#sun(atS, hour) * RATED_W;
    const goal = Math.min(available, (this.limitPct / 100) * RATED_W);
    this.watts = Math.min(available, this.watts + clamp(goal - this.watts, INVERTER_RAMP * RATED_W * seconds));
    this.device.show("inverter.power", this.watts);
  }

  /** Share of the rated power that the sun gives. */
  #sun(atS: number, hour: number): number {
    if (atS >= this.#cloudUntilS) {
      const random = this.#random;
      if (random.isChance(0.02)) this.#gloom = random.between(0.05, 0.9);
      this.#cloudGoal = random.isChance(this.#gloom) ? random.between(0.1, 0.5) : random.between(0.85, 1);
      this.#cloudUntilS = atS + random.between(15, 600);
    }
    this.#cloud += clamp(this.#cloudGoal - this.#cloud, 0.1);
    const height = Math.sin(((hour - 6) / 14) * Math.PI);
    return hour > 6 && hour < 20 ? Math.max(0, height) * this.#cloud : 0;
  }
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}
