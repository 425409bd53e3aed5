import { HOUR_MS } from "hemgate/sdk";

/** Three phases, L1 first. */
export type Phases = readonly [number, number, number];

/** Energies since the start of the simulation, Wh. None ever falls. */
export interface HomeEnergies {
  /** From each of the two strings of panels. */
  readonly strings: readonly [number, number];
  /** Out of the inverter into the house; what it takes from the house is not deducted. */
  readonly acDelivered: number;
  readonly load: number;
  readonly car: number;
  /** Into the car at the second charger. */
  readonly secondCar: number;
  readonly heater: number;
  /** Into the battery's terminals. */
  readonly batteryCharged: number;
  /** Out of the battery's terminals. */
  readonly batteryDischarged: number;
  /** From the grid; the phases are netted, as a meter for billing does. */
  readonly imported: number;
  /** To the grid, netted. */
  readonly exported: number;
  readonly importedPhases: Phases;
  readonly exportedPhases: Phases;
}

/**
 * What is really so in the house, to be compared with what the API says. In each instant
 * grid = load + cars + heater + battery − panels.
 */
export interface HomeTruth {
  /** Wall-clock ms of the house. */
  readonly atMs: number;
  /** What the panels could give without any limit, W. */
  readonly availableW: number;
  /** What the panels give, W, never negative; its two strings. */
  readonly pvW: number;
  readonly stringsW: readonly [number, number];
  /** W at the battery's terminals; positive charges. */
  readonly batteryW: number;
  /** Energy in the battery, Wh, and the same in % of its capacity. */
  readonly batteryStoredWh: number;
  readonly batterySoc: number;
  /** W out of the inverter into the house; negative takes from the house. */
  readonly acW: number;
  /** What the household uses, W, without cars, heater and battery. */
  readonly loadW: number;
  /** W into the car. */
  readonly carW: number;
  readonly isCarPluggedIn: boolean;
  readonly carStoredWh: number;
  /** W into the car at the second charger, all of it on L1; 0 in a house without one. */
  readonly secondCarW: number;
  readonly isSecondCarPluggedIn: boolean;
  /** W into the heating rod, all of it on L3, and the temperature of its water, °C. */
  readonly heaterW: number;
  readonly waterC: number;
  /** W at the grid connection; positive is import. */
  readonly gridW: number;
  readonly gridPhasesW: Phases;
  /** V, phase to neutral. */
  readonly voltages: Phases;
  readonly frequencyHz: number;
  readonly energies: HomeEnergies;
}

export const NO_ENERGIES: HomeEnergies = {
  strings: [0, 0],
  acDelivered: 0,
  load: 0,
  car: 0,
  secondCar: 0,
  heater: 0,
  batteryCharged: 0,
  batteryDischarged: 0,
  imported: 0,
  exported: 0,
  importedPhases: [0, 0, 0],
  exportedPhases: [0, 0, 0],
};

/** The energies after the powers have lasted for a while. */
export function energiesAfter(
  before: HomeEnergies,
  powers: Omit<HomeTruth, "energies">,
  elapsedMs: number,
): HomeEnergies {
  const hours = elapsedMs / HOUR_MS;
  const { stringsW, gridPhasesW } = powers;
  return {
    strings: [before.strings[0] + stringsW[0] * hours, before.strings[1] + stringsW[1] * hours],
    acDelivered: before.acDelivered + Math.max(0, powers.acW) * hours,
    load: before.load + powers.loadW * hours,
    car: before.car + powers.carW * hours,
    secondCar: before.secondCar + powers.secondCarW * hours,
    heater: before.heater + powers.heaterW * hours,
    batteryCharged: before.batteryCharged + Math.max(0, powers.batteryW) * hours,
    batteryDischarged: before.batteryDischarged + Math.max(0, -powers.batteryW) * hours,
    imported: before.imported + Math.max(0, powers.gridW) * hours,
    exported: before.exported + Math.max(0, -powers.gridW) * hours,
    importedPhases: eachPhase((phase) => before.importedPhases[phase] + Math.max(0, gridPhasesW[phase]) * hours),
    exportedPhases: eachPhase((phase) => before.exportedPhases[phase] + Math.max(0, -gridPhasesW[phase]) * hours),
  };
}

/** Three values, one a phase. */
export function eachPhase(value: (phase: 0 | 1 | 2) => number): Phases {
  return [value(0), value(1), value(2)];
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
