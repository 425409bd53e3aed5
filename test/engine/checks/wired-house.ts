/** The sandbox home with installation mistakes in its wiring. */
import type { ChargerBox } from "../../../adapters/simulated/charger-box.ts";
import { CHARGER_UNIT, createChargerTwin } from "../../../adapters/simulated/charger-twin.ts";
import { createHomeModel, type HomeModel, SANDBOX_SPEC } from "../../../adapters/simulated/home-model.ts";
import { eachPhase, type HomeTruth, type Phases, sumOf } from "../../../adapters/simulated/home-truth.ts";
import { createInverterTwin } from "../../../adapters/simulated/inverter-twin.ts";
import { createMeterTwin } from "../../../adapters/simulated/meter-twin.ts";
import type { RegisterImage } from "../../../adapters/simulated/register-image.ts";
import { MemoryDisk, serveModbus, World } from "../../../src/testing/index.ts";
import { Board } from "../../twins/firmware/board.ts";
import { ShellyGen2Twin } from "../../twins/firmware/shelly-gen2.ts";

const BROKER = "mqtt://10.0.0.9";
const SECOND_MS = 1_000;
/** The time that the house runs before the test starts. */
const BEFORE_MS = 600_000;

export type ClampId = "grid" | "panels" | "storage";

/** Installation mistakes; an absent property means correct wiring. */
export interface Wiring {
  /** Returns what the grid meter's three inputs measure, W. */
  readonly meterInputs?: (truth: HomeTruth) => Phases;
  /** Returns the currents of its clamps, A, if they do not match its powers. */
  readonly meterAmps?: (truth: HomeTruth) => Phases;
  /** A factor on all powers that it reports, but not on its counters. */
  readonly meterUnit?: number;
  /** Returns what the hybrid inverter measures. */
  readonly inverterSees?: (truth: HomeTruth) => HomeTruth;
  readonly chargerSees?: (truth: HomeTruth) => HomeTruth;
  /** The house's phases, from 0, that are the charger's L1, L2 and L3. */
  readonly chargerLines?: Phases;
  /** The vehicle charges on one phase of the charger. */
  readonly isOnePhase?: boolean;
  /** A factor for each three-phase meter over MQTT. */
  readonly clamps?: Readonly<Partial<Record<ClampId, number>>>;
  /** A device that repeats its last measurement from this second on. */
  readonly frozen?: { readonly device: "inverter" | "meter"; readonly atSecond: number };
}

export interface HouseOptions {
  readonly seed: number;
  readonly start: string;
  /** `registers`: hybrid inverter and meter over Modbus. `clamps`: three meters over MQTT, each with a configured role. */
  readonly layout: "registers" | "clamps";
  readonly wiring?: Wiring;
}

export interface WiredHouse {
  readonly world: World;
  readonly disk: MemoryDisk;
  /** The correct configuration. */
  readonly devices: readonly Readonly<Record<string, unknown>>[];
  truth(): HomeTruth;
  /** Switches charging on or off at the charger. */
  setCharging(isEnabled: boolean): void;
}

export async function buildHouse({ seed, start, layout, wiring = {} }: HouseOptions): Promise<WiredHouse> {
  const startMs = Date.parse(start);
  const world = new World({ seed, startMs });
  const spec = wiring.isOnePhase === true ? onePhaseSpec() : SANDBOX_SPEC;
  const home = createHomeModel({ spec, seed, startMs: startMs - BEFORE_MS, hasCar: true });
  home.step(BEFORE_MS);
  const house = new Metered(stoppedAt(home, wiring, "meter", startMs), wiring);
  const { platform } = world.boot("house", new MemoryDisk());
  const { clock } = platform;
  const views: Readonly<Record<"inverter" | "meter" | "charger", RegisterImage>> = {
    inverter: createInverterTwin(stoppedAt(seenBy(home, wiring.inverterSees), wiring, "inverter", startMs)),
    meter: withFloats(
      createMeterTwin(() => house.meterTruth),
      (address, value) => house.meterFloat(address, value),
    ),
    charger: wired(createChargerTwin(seenBy(home, wiring.chargerSees)), wiring),
  };
  const shown = layout === "registers" ? (["inverter", "meter", "charger"] as const) : (["charger"] as const);
  for (const id of shown) {
    await serveModbus(platform, views[id], { host: `${id}.lan`, port: 502 });
    // The same device under a second host name.
    await serveModbus(platform, views[id], { host: `${id}-2.lan`, port: 502 });
  }
  world.mqtt.broker(BROKER);
  const clamps = layout === "clamps" ? clampBoards(world) : [];
  const tick = (): void => {
    home.step(SECOND_MS);
    house.count();
    for (const clamp of clamps) clamp.show(home.truth(), wiring.clamps?.[clamp.id] ?? 1);
    clock.timer(SECOND_MS, tick);
  };
  tick();
  return {
    world,
    disk: new MemoryDisk(),
    devices: layout === "registers" ? REGISTER_DEVICES : CLAMP_DEVICES,
    truth: () => home.truth(),
    setCharging: (isEnabled) => home.setChargerBox({ ...home.chargerBox(), isEnabled } satisfies ChargerBox),
  };
}

/** A vehicle that takes 32 A of one phase takes as much as one of 10.7 A on three. */
function onePhaseSpec() {
  return { ...SANDBOX_SPEC, car: { ...SANDBOX_SPEC.car, maxCurrentA: 32 / 3 } };
}

function seenBy(home: HomeModel, sees: ((truth: HomeTruth) => HomeTruth) | undefined): HomeModel {
  return sees === undefined ? home : { ...home, truth: () => sees(home.truth()) };
}

/** Returns a model that repeats its last measurement from the configured second on. */
function stoppedAt(home: HomeModel, { frozen }: Wiring, device: "inverter" | "meter", startMs: number): HomeModel {
  if (frozen?.device !== device) return home;
  let last = home.truth();
  return {
    ...home,
    truth() {
      const now = home.truth();
      if (now.atMs <= startMs + frozen.atSecond * SECOND_MS) last = now;
      return last;
    },
  };
}

/** The grid meter: the phases that its inputs measure, and its counters. */
class Metered {
  readonly #home: HomeModel;
  readonly #wiring: Wiring;
  #energies: HomeTruth["energies"];
  #counted: HomeTruth | null = null;

  constructor(home: HomeModel, wiring: Wiring) {
    this.#home = home;
    this.#wiring = wiring;
    this.#energies = home.truth().energies;
  }

  /** The home as the meter measures it. */
  get meterTruth(): HomeTruth {
    const gridPhasesW = this.#inputs();
    return { ...this.#home.truth(), gridPhasesW, gridW: sumOf(gridPhasesW), energies: this.#energies };
  }

  count(): void {
    const truth = this.#home.truth();
    if (truth === this.#counted) return;
    this.#counted = truth;
    const netW = sumOf(this.#inputs());
    const { imported, exported } = this.#energies;
    const energies = {
      ...this.#energies,
      imported: imported + Math.max(0, netW) / 3_600,
      exported: exported + Math.max(0, -netW) / 3_600,
    };
    this.#energies = energies;
  }

  meterFloat(address: number, value: number): number {
    const { meterAmps, meterUnit = 1 } = this.#wiring;
    const line = (address - 6) / 2;
    if (meterAmps !== undefined && (line === 0 || line === 1 || line === 2)) return meterAmps(this.#truth())[line];
    return POWER_REGISTERS.includes(address) ? value * meterUnit : value;
  }

  #inputs(): Phases {
    const truth = this.#truth();
    return this.#wiring.meterInputs?.(truth) ?? truth.gridPhasesW;
  }

  /** Returns the home with the whole charging power on one phase if the vehicle charges on one phase. */
  #truth(): HomeTruth {
    const truth = this.#home.truth();
    if (this.#wiring.isOnePhase !== true) return truth;
    const at = this.#wiring.chargerLines?.[0] ?? 0;
    const gridPhasesW = eachPhase((line) => truth.gridPhasesW[line] - truth.carW / 3 + (line === at ? truth.carW : 0));
    return { ...truth, gridPhasesW };
  }
}

const POWER_REGISTERS = [12, 14, 16, 52];

/** Returns a meter's image with changed float32 values. */
function withFloats(image: RegisterImage, change: (address: number, value: number) => number): RegisterImage {
  return {
    ...image,
    readInput(unit, address, count) {
      const reply = image.readInput(unit, address, count);
      if (reply.kind !== "values") return reply;
      const view = new DataView(new ArrayBuffer(2 * count));
      for (const [index, word] of reply.values.entries()) view.setUint16(2 * index, word);
      for (let index = address % 2; index + 1 < count; index += 2) {
        view.setFloat32(2 * index, change(address + index, view.getFloat32(2 * index)));
      }
      return { ...reply, values: reply.values.map((_, index) => view.getUint16(2 * index)) };
    },
  };
}

/** Returns the charger connected to other phases, or with a vehicle that charges on one phase. */
function wired(image: RegisterImage, { chargerLines = [0, 1, 2], isOnePhase = false }: Wiring): RegisterImage {
  return {
    ...image,
    readHolding(unit, address, count) {
      if (address >= 1040 && address <= 1044) {
        return image.readHolding(unit, 1040 + 2 * (chargerLines[(address - 1040) / 2] ?? 0), count);
      }
      const reply = image.readHolding(unit, address, count);
      if (!isOnePhase || address < 1008 || address > 1012 || reply.kind !== "values") return reply;
      const [high = 0, low = 0] = reply.values;
      const milliamps = address === 1008 ? 3 * (high * 0x1_0000 + low) : 0;
      return { ...reply, values: [Math.floor(milliamps / 0x1_0000), milliamps % 0x1_0000] };
    },
  };
}

interface ClampBoard {
  readonly id: ClampId;
  show(truth: HomeTruth, factor: number): void;
}

const LETTERS = ["a", "b", "c"] as const;

/** The power at each clamp, W: positive on import at the grid, on production at the panels, on charging at the battery. */
function flowAt(id: ClampId, truth: HomeTruth): Phases {
  if (id === "grid") return truth.gridPhasesW;
  return eachPhase(() => (id === "panels" ? truth.pvW : truth.batteryW) / 3);
}

function clampBoards(world: World): readonly ClampBoard[] {
  return (["grid", "panels", "storage"] as const).map((id) => {
    const twin = new ShellyGen2Twin(`shellypro3em-${id}`, "SPEM-003CEBEU", {
      "em:0": { id: 0 },
      "emdata:0": { id: 0 },
    });
    new Board(world, BROKER, twin).start();
    let [forwardWh, reverseWh] = [0, 0];
    return {
      id,
      show(truth, factor) {
        const flows = flowAt(id, truth).map((powerW) => factor * powerW);
        for (const powerW of flows) {
          forwardWh += Math.max(0, powerW) / 3_600;
          reverseWh += Math.max(0, -powerW) / 3_600;
        }
        const lines = flows.flatMap((powerW, line): [string, number][] => {
          const volts = truth.voltages[line as 0 | 1 | 2];
          const letter = LETTERS[line];
          return [
            [`${letter}_act_power`, tenth(powerW)],
            [`${letter}_voltage`, tenth(volts)],
            [`${letter}_current`, Math.round((1_000 * Math.abs(powerW)) / volts) / 1_000],
          ];
        });
        twin.set("em:0", { ...Object.fromEntries(lines), total_act_power: tenth(sumOf(flows)), a_freq: 50 });
        twin.set("emdata:0", { total_act: tenth(forwardWh), total_act_ret: tenth(reverseWh) });
      },
    };
  });
}

function tenth(value: number): number {
  return Math.round(10 * value) / 10;
}

const CHARGER = {
  id: "charger",
  adapter: "modbus",
  host: "charger.lan",
  unit: CHARGER_UNIT,
  profile: "keba-p30",
} as const;

const REGISTER_DEVICES = [
  { id: "inverter", adapter: "modbus", host: "inverter.lan", unit: 1, profile: "sunspec", confirmUnverified: true },
  { id: "meter", adapter: "modbus", host: "meter.lan", unit: 1, profile: "eastron-sdm630" },
  CHARGER,
] as const;

function shelly(id: ClampId, role: string) {
  const topic = `shellypro3em-${id}`;
  return { id, adapter: "mqtt", bridge: "shelly-gen2", topic, role, intervalSeconds: 2, broker: { url: BROKER } };
}

const CLAMP_DEVICES = [
  shelly("grid", "meter"),
  shelly("panels", "inverter"),
  shelly("storage", "battery"),
  CHARGER,
] as const;
