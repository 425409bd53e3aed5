/**
 * Which facts a point may be made of, and how: sums of registers by the names of the vendors' tables, in W, Wh, A, V, %
 * and °C with the sign of our points. It knows no addresses and no profiles.
 */
import type { PointName } from "hemgate/sdk";
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";
import type { TwinRegister } from "../../../twins/registers/twin-register.ts";

/** As much of a twin as a point can be worked out from. */
type Facts = Pick<RegisterTwin, "has" | "value" | "registers">;

/** One way to make a point. */
export interface Candidate {
  /** The facts that are summed up. */
  readonly of: readonly string[];
  /** What the point has to say; null when one of the facts says "no value". */
  value(twin: Facts): number | null;
  /** How far a reading may be off: a float of 32 bits is told in the seven digits that it has. */
  tolerance(twin: Facts): number;
  /** What it may say instead: the sum of those facts that are known. */
  valueOfKnown(twin: Facts, isRefused: (id: string) => boolean): number | null;
}

const PHASES = ["l1", "l2", "l3"] as const;
/** Facts that count down what our points count up. */
const NEGATIVE = new Set(["export", "discharge"]);
const UNITS: Readonly<Record<string, number>> = { kW: 1_000, kWh: 1_000 };

function phases(pattern: string): readonly string[] {
  return PHASES.map((phase) => pattern.replace("*", phase));
}

function strings(count: number): readonly string[] {
  return Array.from({ length: count }, (_unused, index) => `pv.power.${index + 1}`);
}

const BY_POINT: Partial<Record<PointName, readonly (readonly string[])[]>> = {
  "battery.power": [
    ["battery.power"],
    ["battery.power.legacy"],
    ["battery.chargePower", "battery.dischargePower"],
    ["plant.battery.power"],
  ],
  "battery.soc": [["battery.soc"], ["battery.soc.int"], ["plant.battery.soc"], ["vebus.soc"]],
  "battery.capacity": [["battery.capacity"], ["battery.ratedCapacity"], ["battery.maxEnergy"]],
  "battery.reserve": [
    ["battery.control.minSoc"],
    ["battery.control.minSocOnGrid"],
    ["battery.control.backupReserve"],
    ["battery.control.backupReserveSoc"],
    ["battery.control.reserveSoc"],
    ["battery.control.dischargeCutoffSoc"],
    ["battery.control.overdischargeSoc"],
  ],
  "battery.energyCharged": [["battery.energy.charged"]],
  "battery.energyDischarged": [["battery.energy.discharged"]],
  "inverter.power": [
    ["inverter.power.ac"],
    ["pv.power"],
    ["pv.power.dc"],
    ["pv.dc.power"],
    ...[2, 3, 4, 5, 6, 10].map(strings),
    phases("inverter.power.*"),
    ["plant.pv.power"],
    ["pv.meterPower", ...strings(6)],
    [...phases("pv.acOut.*"), ...phases("pv.acGrid.*"), ...phases("system.ac.pvongenset.*.power"), "pv.dc.power"],
  ],
  "inverter.energy": [["pv.energy.total"], ["inverter.energy.total"], ["inverter.energy.yield"], ["pv.energy.dc"]],
  "inverter.powerLimit": [["inverter.control.activePowerLimit"], ["pv.control.limitPercent"]],
  "meter.power": [
    ["grid.power"],
    ["grid.meter.power"],
    ["grid.power.import", "grid.power.export"],
    ["grid.feedInPower"],
    phases("grid.power.*"),
    phases("grid.ac.*.power"),
    phases("grid.ac.*.power.int32"),
    phases("grid.power.*.32"),
    phases("vebus.ac.activein.*.p"),
    [...phases("grid.power.import.*"), ...phases("grid.power.export.*")],
  ],
  "meter.frequency": [["grid.frequency"], ["grid.ac.frequency"], ["vebus.ac.activein.l1.f"]],
  "meter.energyImport": [
    ["grid.energy.import"],
    ["grid.ac.energy.forward"],
    ["grid.energy.import.low", "grid.energy.import.high"],
    phases("grid.energy.import.*"),
    phases("grid.ac.*.energy.forward.uint32"),
    ["acin1toacout", "acin1toinverter", "acin2toacout", "acin2toinverter"].map((name) => `vebus.energy.${name}`),
  ],
  "meter.energyExport": [
    ["grid.energy.export"],
    ["grid.ac.energy.reverse"],
    phases("grid.energy.export.*"),
    phases("grid.ac.*.energy.reverse.uint32"),
    ["acouttoacin1", "acouttoacin2", "invertertoacin1", "invertertoacin2"].map((name) => `vebus.energy.${name}`),
  ],
  "hem.load": [
    ["home.load"],
    phases("home.load.*"),
    phases("home.load.*.32"),
    phases("system.ac.consumptiononoutput.*.power"),
    ["home.load.grid", "home.load.battery", "home.load.pv"],
  ],
  "charger.power": [["charger.power"], phases("charger.power.*")],
  "charger.maxCurrent": [
    ["charger.control.maxCurrent"],
    ["charger.maxCurrent"],
    ["charger.appliedMaxCurrent"],
    ["charger.signalledCurrent"],
    ["charger.control.signalledCurrent"],
    ["charger.control.maxAmpere"],
  ],
  "charger.phases": [["charger.control.phases"]],
  "charger.energy": [["charger.energy.total"], ["charger.energy"], phases("charger.energy.*")],
  "charger.energySession": [["charger.energy.session"]],
  "hvac.power": [["hvac.power"], ["heatpump.ac.power"], ["heater.power"]],
  "hvac.temperature": [["hvac.roomTemperature"], ["hvac.roomTemperatureAvg"], ["heater.temperature"]],
  "hvac.heatSetpoint": [["hvac.control.heatSetpoint"]],
  "hvac.coolSetpoint": [["hvac.control.coolSetpoint"]],
};

/** What Victron's table calls power, voltage and current. */
const LETTERS: Readonly<Record<string, string>> = { power: "p", voltage: "v", current: "i" };

/** A current's sign is not ours to know: a table counts it by direction, or as it is. */
function phaseFacts(point: PointName): readonly (readonly string[])[] {
  const [kind, quantity, phase] = point.split(".");
  if (phase === undefined || !PHASES.some((each) => each === phase)) return [];
  const place = kind === "meter" ? "grid" : kind;
  return [
    [`${place}.${quantity}.${phase}`],
    [`${place}.${quantity}.${phase}.32`],
    [`${place}.ac.${phase}.${quantity}`],
    [`${place}.ac.${phase}.${quantity}.int32`],
    ...(place === "grid" ? [[`vebus.ac.activein.${phase}.${LETTERS[quantity ?? ""]}`]] : []),
    ...(quantity === "power" ? [[`grid.power.import.${phase}`, `grid.power.export.${phase}`]] : []),
  ];
}

/** What is more than a sum, by the facts that it takes. */
const OTHERS: readonly (Candidate & { readonly point: PointName })[] = [
  // Solis: a magnitude, and whether it flows out (1) or in (0).
  made("battery.power", ["battery.power.abs", "battery.direction"], (power, isOut) => power * (isOut === 1 ? -1 : 1)),
  made("battery.power", ["vebus.dc.0.voltage", "vebus.dc.0.current"], (voltage, current) => voltage * current),
  // Older Sungrow firmware tells a magnitude, and in bit 1 of its state whether it flows in.
  made("battery.power", ["battery.power.legacy", "inverter.runningState"], (power, state) =>
    (state >> 1) % 2 === 1 ? Math.abs(power) : -Math.abs(power),
  ),
  // GoodWe's second battery is in no table; the reserve is what its depth of discharge leaves.
  madeOf("battery.reserve", ["battery.control.depthOfDischarge"], ([depth = 0]) => 100 - depth),
  // Wallbe's firmware counts tenths of an ampere, which shows in a limit that no charger has.
  madeOf("charger.maxCurrent", ["charger.control.maxCurrent"], ([limit = 0]) => (limit >= 60 ? limit / 10 : limit)),
  madeOf("charger.energy", ["charger.energy.total.wallbe"], ([energy = 0]) => energy),
  madeOf("charger.energySession", ["charger.energy.session.wallbe"], ([energy = 0]) => energy),
  // go-e: by itself, one, three.
  madeOf("charger.phases", ["charger.control.phases"], ([mode = 0]) => [0, 1, 3][mode] ?? null),
  // KEBA P30: contacts that are closed for three; the P40 shows the number.
  madeOf("charger.phases", ["charger.phaseState"], ([state = 0]) => [1, 3][state] ?? null),
  madeOf("charger.phases", ["charger.phaseState"], ([state = 0]) => (state === 1 || state === 3 ? state : null)),
  // E3/DC: an inverter beside it counts what it makes as negative consumption.
  made("inverter.power", ["pv.power", "pv.externalPower"], (own, external) => own - Math.min(0, external)),
];

/** Every way in which a twin's facts may make a point. */
export function candidatesFor(point: PointName, twin: Facts): readonly Candidate[] {
  const lists = [...(BY_POINT[point] ?? []), ...phaseFacts(point)];
  const sums = lists.map((of) => sum(of, false));
  const unsigned = point.startsWith("meter.current.") ? lists.map((of) => sum(of, true)) : [];
  const others = OTHERS.filter((each) => each.point === point);
  return [...sums, ...unsigned, ...others].filter(({ of }) => of.every((id) => twin.has(id)));
}

function made(
  point: PointName,
  of: readonly [string, string],
  make: (first: number, second: number) => number,
): Candidate & { readonly point: PointName } {
  return madeOf(point, of, ([first = 0, second = 0]) => make(first, second));
}

function madeOf(
  point: PointName,
  of: readonly string[],
  make: (parts: readonly number[]) => number | null,
): Candidate & { readonly point: PointName } {
  return {
    point,
    of,
    tolerance: (twin) => toleranceOf(twin, of),
    value: (twin) => {
      const parts = of.map((id) => factOf(twin, id, true)).filter((part) => part !== null);
      return parts.length < of.length ? null : make(parts);
    },
    valueOfKnown: () => null,
  };
}

function sum(of: readonly string[], isUnsigned: boolean): Candidate {
  const known = (twin: Facts, isRefused: (id: string) => boolean): readonly number[] =>
    of.flatMap((id) => (isRefused(id) ? [] : (factOf(twin, id, isUnsigned) ?? [])));
  const total = (parts: readonly number[]): number => parts.reduce((so, part) => so + part, 0);
  return {
    of,
    tolerance: (twin) => toleranceOf(twin, of),
    value(twin) {
      const parts = known(twin, () => false);
      return parts.length < of.length ? null : total(parts);
    },
    valueOfKnown(twin, isRefused) {
      const parts = known(twin, isRefused);
      return parts.length === 0 ? null : total(parts);
    },
  };
}

function toleranceOf(twin: Facts, of: readonly string[]): number {
  return of.reduce((sum, id) => {
    const isShort = twin.registers.find((each) => each.id === id)?.type === "float32";
    return sum + 1e-6 + (isShort ? 1e-7 : 1e-9) * Math.abs(factOf(twin, id, true) ?? 0);
  }, 0);
}

function factOf(twin: Facts, id: string, isUnsigned: boolean): number | null {
  const value = twin.value(id);
  const register = twin.registers.find((each) => each.id === id);
  if (typeof value !== "number" || register === undefined) return null;
  return value * (UNITS[register.unit ?? ""] ?? 1) * (isUnsigned ? 1 : signOf(register));
}

function signOf({ positive }: TwinRegister): number {
  return positive !== undefined && NEGATIVE.has(positive) ? -1 : 1;
}
