/** What heats: a rod in a tank whose power can be set, or a heat pump with SG Ready states. One store with one temperature. */
import type { Phase } from "../../src/domain/energy/site/site-connection.ts";
import type { PointValue } from "../../src/points/points.ts";
import { FakeDevice } from "../../src/testing/fake-adapter.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";

const VOLTS = 230;
const SECONDS_AN_HOUR = 3_600;
const LEAST_HEATER_W = 100;
const ROD_W = 3_000;
const PUMP_W = 2_500;

/** What a store is in truth; the gateway has its defaults, which are near. */
interface Store {
  readonly kwhPerK: number;
  readonly lossKwPerK: number;
  readonly surroundingsC: number;
  readonly heatPerPower: number;
  /** Its own control heats no higher, °C. */
  readonly cutOffC: number;
}

const TANK: Store = { kwhPerK: 0.35, lossKwPerK: 0.002, surroundingsC: 18, heatPerPower: 1, cutOffC: 75 };
const BUILDING: Store = { kwhPerK: 10, lossKwPerK: 0.2, surroundingsC: 8, heatPerPower: 3, cutOffC: 24 };
/** A shower, and how often one is taken. */
const SHOWER = { kw: 20, seconds: 300, aDay: 3.5 };
/** The heat pump's own programme. */
const OWN_C = { on: 20, off: 20.5 };
/** The compressor rests for this long after a stop, ms. */
const REST_MS = 180_000;
/** The compressor's power changes by this a second, W. */
const PUMP_RAMP_W = 100;

export class Heating {
  readonly id = "heat";
  readonly kind: "heater" | "heat-pump";
  readonly device: FakeDevice;
  readonly phases: readonly Phase[];
  /** From a command to its effect, ms. */
  readonly latencyMs: number;
  readonly maxW: number;
  temperatureC: number;
  watts = 0;
  /** False: commands are acknowledged and lost. */
  isConnected = true;
  /** Monotonic ms at which the gateway asked a heat pump for more. */
  readonly startsMs: number[] = [];
  #setW = 0;
  #mode: "OFF" | "AUTO" | "HEAT" = "AUTO";
  #isOwnOn = false;
  #stoppedAtMs = Number.NEGATIVE_INFINITY;
  #showerS = 0;
  readonly #store: Store;
  readonly #random: SeededRandom;
  readonly #world: World;

  constructor(world: World, kind: "heater" | "heat-pump", random: SeededRandom) {
    const isHeater = kind === "heater";
    this.kind = kind;
    this.#world = world;
    this.#random = random;
    this.#store = isHeater ? TANK : BUILDING;
    this.phases = isHeater ? [random.pick(["L1", "L2", "L3"])] : ["L1", "L2", "L3"];
    this.latencyMs = random.pick(isHeater ? [2_000, 10_000, 30_000] : [10_000, 60_000]);
    this.maxW = isHeater ? ROD_W : PUMP_W;
    this.temperatureC = isHeater ? random.between(44, 58) : random.between(20, 21.5);
    this.device = new FakeDevice({
      clock: world.clock,
      pollMs: random.pick([2_000, 5_000, 10_000]),
      values: {
        ...(isHeater ? { "hvac.maxPower": 0 } : { "hvac.mode": "AUTO" }),
        ...{ "hvac.power": 0, "hvac.temperature": this.temperatureC, "hvac.isActive": false },
      },
      controls: [
        isHeater
          ? {
              point: "hvac.maxPower",
              range: { min: 0, max: ROD_W },
              holdMs: random.pick([null, 60_000]),
              safeDefault: 0,
            }
          : { point: "hvac.mode", values: ["OFF", "AUTO", "HEAT"], holdMs: null, safeDefault: "AUTO" },
      ],
      identity: { manufacturer: "Heats", model: "H", serial: "H-1", ...(!isHeater && { category: "HEAT_PUMP" }) },
    });
    this.device.onWrite = (point, value) => this.#command(point, value);
  }

  /** True if it takes power because it was asked to, and not by its own programme. */
  get isRaised(): boolean {
    return this.kind === "heater" ? this.watts > LEAST_HEATER_W : this.#mode === "HEAT" && !this.#isOwnOn;
  }

  get isObedient(): boolean {
    return this.isConnected && this.device.isUp && this.device.refusesWrites === null;
  }

  /** What it can be lowered to on a phase while it goes on, A. */
  get leastA(): number {
    return this.kind === "heater" ? LEAST_HEATER_W / VOLTS : this.maxW / VOLTS / this.phases.length;
  }

  ampsOn(phase: Phase): number {
    return this.phases.includes(phase) ? this.watts / VOLTS / this.phases.length : 0;
  }

  /** Somebody changes it by the maker's app. */
  change(value: PointValue): void {
    this.#set(this.kind === "heater" ? "hvac.maxPower" : "hvac.mode", value);
  }

  step(seconds: number): void {
    const { kwhPerK, lossKwPerK, surroundingsC, heatPerPower } = this.#store;
    this.watts = this.kind === "heater" ? this.#rodW() : this.#pumpW(seconds);
    const lossKw =
      lossKwPerK * (this.temperatureC - surroundingsC) + (this.kind === "heater" ? this.#drawnKw(seconds) : 0);
    const heatKw = (this.watts * heatPerPower) / 1_000 - lossKw;
    this.temperatureC += (heatKw * seconds) / SECONDS_AN_HOUR / kwhPerK;
    this.device.show("hvac.power", this.watts);
    this.device.show("hvac.temperature", Math.round(this.temperatureC * 10) / 10);
    this.device.show("hvac.isActive", this.watts > 0);
  }

  #rodW(): number {
    return this.temperatureC < this.#store.cutOffC ? this.#setW : 0;
  }

  #pumpW(seconds: number): number {
    if (this.temperatureC < OWN_C.on) this.#isOwnOn = true;
    if (this.temperatureC > OWN_C.off) this.#isOwnOn = false;
    const nowMs = this.#world.clock.monotonicMs();
    const wants =
      this.#mode !== "OFF" && (this.#isOwnOn || this.#mode === "HEAT") && this.temperatureC < this.#store.cutOffC;
    const mayRun = this.watts > 0 || nowMs - this.#stoppedAtMs >= REST_MS;
    if (!wants || !mayRun) {
      if (this.watts > 0) this.#stoppedAtMs = nowMs;
      return 0;
    }
    return Math.min(this.maxW, this.watts + PUMP_RAMP_W * seconds);
  }

  #drawnKw(seconds: number): number {
    if (this.#showerS <= 0 && this.#random.isChance((SHOWER.aDay / 86_400) * seconds)) this.#showerS = SHOWER.seconds;
    this.#showerS -= seconds;
    return this.#showerS > 0 ? SHOWER.kw : 0;
  }

  #command(point: string, value: PointValue): void {
    if (!this.isConnected) return;
    if (value === "HEAT" && this.device.values["hvac.mode"] !== "HEAT")
      this.startsMs.push(this.#world.clock.monotonicMs());
    this.#show(point, value);
    this.#world.clock.timer(this.latencyMs, () => {
      // A later command goes before one that is still on its way.
      if (this.device.values[point === "hvac.mode" ? "hvac.mode" : "hvac.maxPower"] === value) this.#set(point, value);
    });
  }

  #set(point: string, value: PointValue): void {
    if (point === "hvac.maxPower") this.#setW = Number(value);
    else this.#mode = value === "HEAT" || value === "OFF" ? value : "AUTO";
    this.#show(point, value);
  }

  #show(point: string, value: PointValue): void {
    if (point === "hvac.maxPower" || point === "hvac.mode") this.device.show(point, value);
  }
}
