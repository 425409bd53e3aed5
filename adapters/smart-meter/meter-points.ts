/** Which registers make which points, with our signs: positive is import. */
import type { PointName } from "hemgate/sdk";
import type { Registers, RegisterUnit } from "./telegram.ts";

interface PhaseCodes {
  readonly phase: "l1" | "l2" | "l3";
  /** Import minus export, where the meter calculates it. */
  readonly net: string;
  readonly imported: string;
  readonly exported: string;
  readonly current: readonly string[];
  readonly voltage: readonly string[];
}

/** Meters of one phase may name its voltage and current 12.7 and 11.7, any phase. */
const PHASES: readonly PhaseCodes[] = [
  {
    phase: "l1",
    net: "36.7.0",
    imported: "21.7.0",
    exported: "22.7.0",
    current: ["31.7.0", "11.7.0"],
    voltage: ["32.7.0", "12.7.0"],
  },
  {
    phase: "l2",
    net: "56.7.0",
    imported: "41.7.0",
    exported: "42.7.0",
    current: ["51.7.0"],
    voltage: ["52.7.0"],
  },
  {
    phase: "l3",
    net: "76.7.0",
    imported: "61.7.0",
    exported: "62.7.0",
    current: ["71.7.0"],
    voltage: ["72.7.0"],
  },
];
/** Registers of single tariffs; Spain has six, most countries two. */
const TARIFFS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export type MeterPoints = ReadonlyMap<PointName, number>;

/** The points that a telegram's registers tell; one that it does not tell is not there. Most meters give currents no sign. */
export function meterPoints(registers: Registers): MeterPoints {
  const points = new Map<PointName, number>();
  const tell = (point: PointName, value: number | null): void => {
    // Nobody wants to read -0.
    if (value !== null) points.set(point, value === 0 ? 0 : value);
  };
  const of = (unit: RegisterUnit, ...codes: readonly string[]): number | null => {
    for (const code of codes) {
      const register = registers.get(code);
      if (register?.unit === unit) return register.value;
    }
    return null;
  };
  tell("meter.power", netPower(of("W", "16.7.0"), of("W", "1.7.0"), of("W", "2.7.0")));
  for (const { phase, net, imported, exported, current, voltage } of PHASES) {
    const power = netPower(of("W", net), of("W", imported), of("W", exported));
    tell(`meter.power.${phase}`, power);
    tell(`meter.current.${phase}`, of("A", ...current));
    tell(`meter.voltage.${phase}`, of("V", ...voltage));
  }
  tell("meter.frequency", of("Hz", "14.7.0"));
  tell("meter.energyImport", total(1, of));
  tell("meter.energyExport", total(2, of));
  return points;
}

/** A meter that measures one direction has one register; some give it a sign. */
function netPower(net: number | null, imported: number | null, exported: number | null): number | null {
  if (net !== null) return net;
  if (imported === null && exported === null) return null;
  return (imported ?? 0) - (exported ?? 0);
}

function total(group: 1 | 2, of: (unit: RegisterUnit, ...codes: readonly string[]) => number | null): number | null {
  const all = of("Wh", `${group}.8.0`);
  if (all !== null) return all;
  const tariffs = TARIFFS.map((tariff) => of("Wh", `${group}.8.${tariff}`)).filter((value) => value !== null);
  return tariffs.length === 0 ? null : tariffs.reduce((sum, value) => sum + value, 0);
}
