import {
  type BatteryStatus,
  type Control,
  type ControlPoint,
  DeviceError,
  type PointName,
  type PointValue,
} from "hemgate/sdk";
import type { BridgeOptions, Command, Intake } from "../kit/bridge.ts";
import { PHASES } from "../kit/role.ts";
import { toPoint } from "../kit/units.ts";
import { type EssLimits, type EssState, essCommand, essControls, essMode } from "./ess.ts";
import { type GxNotice, type GxPart, type GxPath, numberIn, textIn } from "./gx-part.ts";
import { KnownSum } from "./known-sum.ts";

const LINES = ["L1", "L2", "L3"] as const;
const CGWACS = "Settings/CGwacs";
const OVERRIDE = "Overrides/Setpoint";
const byLine = (group: string): readonly string[] => LINES.map((line) => `${group}/${line}/Power`);
const GRID = byLine("Ac/Grid");
const LOAD = byLine("Ac/Consumption");
const PV = [...byLine("Ac/PvOnGrid"), ...byLine("Ac/PvOnOutput"), "Dc/Pv/Power"];
/** On a generator, which few have: added when it is there. */
const GENSET_PV = byLine("Ac/PvOnGenset");

/** Paths whose number is a point as it stands. */
const NUMBERS: Readonly<Record<string, { readonly point: PointName; readonly unit: string }>> = {
  "system Dc/Battery/Soc": { point: "battery.soc", unit: "%" },
  "system Dc/Battery/Power": { point: "battery.power", unit: "W" },
  [`settings ${CGWACS}/BatteryLife/MinimumSocLimit`]: { point: "battery.reserve", unit: "%" },
  ...Object.fromEntries(
    PHASES.flatMap((phase, index) => [
      [`system ${GRID[index]}`, { point: `meter.power.${phase}`, unit: "W" }],
      [`grid Ac/${LINES[index]}/Voltage`, { point: `meter.voltage.${phase}`, unit: "V" }],
      [`grid Ac/${LINES[index]}/Current`, { point: `meter.current.${phase}`, unit: "A" }],
    ]),
  ),
  "grid Ac/Frequency": { point: "meter.frequency", unit: "Hz" },
  "grid Ac/Energy/Forward": { point: "meter.energyImport", unit: "kWh" },
  "grid Ac/Energy/Reverse": { point: "meter.energyExport", unit: "kWh" },
};

/** Paths that say what the energy storage system does. */
const ESS: Readonly<Record<string, keyof EssState>> = {
  "system DynamicEss/Active": "isScheduled",
  "settings Settings/DynamicEss/Mode": "scheduler",
  [`settings ${CGWACS}/Hub4Mode`]: "mode",
  [`settings ${CGWACS}/BatteryLife/State`]: "batteryLife",
  [`settings ${CGWACS}/AcPowerSetPoint`]: "ownersW",
  [`settings ${CGWACS}/MaxDischargePower`]: "mostDischargeW",
  [`settings ${CGWACS}/MaxChargePower`]: "mostChargeW",
  [`hub4 ${OVERRIDE}`]: "overrideW",
};

/** Counters of everything that makes sun power, since installation. */
const YIELDS = ["pvinverter Ac/Energy/Forward", "solarcharger Yield/System"];
const NAMES = ["platform Device/Model", "platform Firmware/Installed/Version"];
const STATUS: Readonly<Record<number, BatteryStatus>> = { 0: "IDLE", 1: "CHARGING", 2: "DISCHARGING" };

/** The system that a GX manages: battery, sun, grid and house. */
export class SystemPart implements GxPart {
  readonly paths: readonly GxPath[];
  readonly #portal: string;
  readonly #limits: EssLimits;
  readonly #grid = new KnownSum(GRID);
  readonly #load = new KnownSum(LOAD);
  readonly #pv = new KnownSum(PV);
  readonly #yield = new KnownSum([]);
  /** Of several of a kind, the first one counts: the grid has one meter. */
  readonly #instances = new Map<string, number>();
  #ess: EssState = {};
  #isComplete = false;

  constructor(portal: string, { settings }: BridgeOptions) {
    this.#portal = portal;
    this.#limits = { maxChargeW: settings["maxChargeW"], maxDischargeW: settings["maxDischargeW"] };
    const sums = [...GRID, ...LOAD, ...PV, ...GENSET_PV, "Dc/Battery/State"].map((path) => `system ${path}`);
    this.paths = [...new Set([...sums, ...Object.keys(NUMBERS), ...Object.keys(ESS), ...YIELDS, ...NAMES])].map(
      (key) => {
        const [service = "", path = ""] = key.split(" ");
        return { service, path };
      },
    );
  }

  take(notice: GxNotice, intake: Intake): void {
    const { service, path, instance } = notice;
    const key = `${service} ${path}`;
    if (YIELDS.includes(key)) {
      this.#yield.tell(`${key} ${instance}`, numberIn(notice));
      if (this.#isComplete) this.#tellYield(intake);
      return;
    }
    if (!this.#instances.has(service)) this.#instances.set(service, instance);
    if (this.#instances.get(service) !== instance) return;
    const number = NUMBERS[key];
    if (number !== undefined && this.#isThere(notice)) {
      intake.number(number.point, notice.value, toPoint(number.unit, number.point));
    }
    if (service === "system") this.#add(path, notice, intake);
    if (key === "system Dc/Battery/State" && this.#isThere(notice)) {
      intake.value("battery.status", STATUS[numberIn(notice) ?? -1] ?? "UNKNOWN");
    }
    if (key === NAMES[0]) intake.identity({ model: textIn(notice) });
    if (key === NAMES[1]) intake.identity({ version: textIn(notice) });
    this.#learn(key, notice, intake);
  }

  complete(intake: Intake): void {
    this.#isComplete = true;
    this.#tellYield(intake);
    this.#tellMode(intake);
  }

  missing(): string | null {
    return this.#isComplete ? null : "the end of what the GX has to tell";
  }

  controls(): readonly Control[] {
    return essControls(this.#ess, this.#limits);
  }

  command(point: ControlPoint, value: PointValue): Command {
    const instance = this.#instances.get("hub4");
    if (instance === undefined) throw new DeviceError("unreachable", `${point}: ESS is not on the bus`);
    return essCommand(value, `${this.#portal}/hub4/${instance}/${OVERRIDE}`, this.#ess, this.#limits);
  }

  /** A path without a value from the start belongs to something that the house does not have. */
  #isThere({ value, service, path }: GxNotice): boolean {
    const key = `${service} ${path}`;
    if (value !== null) this.#seen.add(key);
    return this.#seen.has(key);
  }

  readonly #seen = new Set<string>();

  #add(path: string, notice: GxNotice, intake: Intake): void {
    const value = numberIn(notice);
    const tell = (sum: KnownSum, point: PointName): number | null | undefined => {
      sum.tell(path, value);
      const all = sum.value;
      if (all !== undefined) intake.value(point, all);
      return all;
    };
    if (GRID.includes(path)) this.#ess = { ...this.#ess, gridW: tell(this.#grid, "meter.power") ?? null };
    else if (LOAD.includes(path)) tell(this.#load, "hem.load");
    else if (PV.includes(path) || GENSET_PV.includes(path)) tell(this.#pv, "inverter.power");
    else if (path === "Dc/Battery/Power") this.#ess = { ...this.#ess, batteryW: value };
  }

  #learn(key: string, notice: GxNotice, intake: Intake): void {
    const name = ESS[key];
    if (name === undefined) return;
    this.#ess = { ...this.#ess, [name]: numberIn(notice) };
    if (this.#isComplete) this.#tellMode(intake);
  }

  #tellYield(intake: Intake): void {
    const energy = this.#yield.value;
    if (energy !== undefined) intake.number("inverter.energy", energy, toPoint("kWh", "inverter.energy"));
  }

  #tellMode(intake: Intake): void {
    if (this.#ess.mode !== undefined) intake.value("battery.mode", essMode(this.#ess));
  }
}
