/** The sandbox home as its devices would tell it, with one of them installed or read wrongly. */
import { createHomeModel, SANDBOX_SPEC } from "../../../adapters/simulated/home-model.ts";
import type { HomeTruth } from "../../../adapters/simulated/home-truth.ts";
import type { AssetKind } from "../../../src/domain/assets/asset.ts";
import { checkHouse } from "../../../src/domain/checks/check-house.ts";
import { type Finding, findingKey } from "../../../src/domain/checks/finding.ts";
import { type Sample, Source } from "../../../src/domain/checks/house-history.ts";
import type { Wiring } from "../../../src/domain/checks/phase-check.ts";

export type Told = Record<string, number>;
export type DeviceName = "meter" | "panels" | "battery" | "charger" | "twin";
/** Changes what a device tells, `second` seconds after the start. */
export type Swap = (device: DeviceName, told: Told, truth: HomeTruth, second: number) => Told | null;

const KINDS: Readonly<Record<DeviceName, AssetKind>> = {
  meter: "meter",
  panels: "inverter",
  battery: "battery",
  charger: "charger",
  twin: "inverter",
};
const LINES = [0, 1, 2] as const;

function tellAll(truth: HomeTruth): Readonly<Record<DeviceName, Told>> {
  const meter: Told = {
    "meter.power": truth.gridW,
    "meter.frequency": truth.frequencyHz,
    "meter.energyImport": Math.round(truth.energies.imported),
    "meter.energyExport": Math.round(truth.energies.exported),
  };
  const charger: Told = {
    "charger.power": Math.round(truth.carW),
    "charger.energy": Math.round(truth.energies.car),
  };
  for (const line of LINES) {
    const volts = truth.voltages[line];
    meter[`meter.power.l${line + 1}`] = truth.gridPhasesW[line];
    meter[`meter.voltage.l${line + 1}`] = volts;
    meter[`meter.current.l${line + 1}`] = Math.abs(truth.gridPhasesW[line] / volts) + 0.2;
    charger[`charger.voltage.l${line + 1}`] = Math.round(volts);
    charger[`charger.current.l${line + 1}`] = truth.carW / 3 / volts;
  }
  const [first, second] = truth.energies.strings;
  const panels = { "inverter.power": Math.round(truth.pvW), "inverter.energy": Math.round(first + second) };
  const soc = Math.round(truth.batterySoc * 10) / 10;
  const battery = { "battery.power": Math.round(truth.batteryW), "battery.soc": soc, "battery.capacity": 10_240 };
  return { meter, panels, battery, charger, twin: { "inverter.power": Math.round(truth.pvW / 10) * 10 } };
}

export interface Watch {
  readonly start: string;
  readonly seed: number;
  readonly seconds: number;
  readonly isDark?: boolean;
  /** The installer stops the charger at 40 s and starts it at 90 s. */
  readonly isTried: boolean;
  readonly swap?: Swap;
  /** The phases that the owner has declared. */
  readonly wiring?: Wiring;
}

/** The findings that were seen twice in a row, each looked for every 10 s. */
export function watchHouse({ start, seed, seconds, isTried, isDark = false, swap, wiring }: Watch): readonly Finding[] {
  const home = createHomeModel({ spec: SANDBOX_SPEC, seed, startMs: Date.parse(start), hasCar: true });
  home.step(600_000);
  const samples: Record<DeviceName, Sample[]> = { meter: [], panels: [], battery: [], charger: [], twin: [] };
  const confirmed = new Map<string, Finding>();
  let before = new Set<string>();
  for (let second = 0; second < seconds; second++) {
    if (isTried && second === 40) home.setChargerBox({ ...home.chargerBox(), isEnabled: false });
    if (isTried && second === 90) home.setChargerBox({ ...home.chargerBox(), isEnabled: true });
    home.step(1_000);
    const truth = home.truth();
    for (const [device, told] of Object.entries(tellAll(truth)) as [DeviceName, Told][]) {
      if (device === "charger" && second % 5 !== 0) continue;
      const values = swap === undefined ? told : swap(device, told, truth, second);
      if (values === null || (device === "twin" && swap === undefined)) continue;
      samples[device].push({ atMs: second * 1_000, values });
      if (samples[device].length > 200) samples[device].shift();
    }
    if (second % 10 !== 9) continue;
    const findings = checkHouse(sourcesOf(samples), second * 1_000, isDark, wiring);
    for (const finding of findings) if (before.has(findingKey(finding))) confirmed.set(findingKey(finding), finding);
    before = new Set(findings.map(findingKey));
  }
  return [...confirmed.values()];
}

function sourcesOf(samples: Readonly<Record<DeviceName, readonly Sample[]>>): readonly Source[] {
  return (Object.entries(samples) as [DeviceName, readonly Sample[]][])
    .filter(([, told]) => told.length > 0)
    .map(([deviceId, told]) => new Source(deviceId, KINDS[deviceId], told));
}

/** Multiplies the points of a device whose names match. */
export function times(target: DeviceName, points: RegExp, factor: number): Swap {
  return onlyTwinless((device, told) =>
    device !== target
      ? told
      : Object.fromEntries(
          Object.entries(told).map(([point, value]) => [point, points.test(point) ? factor * value : value]),
        ),
  );
}

/** From 20 s on the device repeats itself. */
export function frozen(target: DeviceName): Swap {
  let last: Told | null = null;
  return onlyTwinless((device, told, _truth, second) => {
    if (device !== target) return told;
    if (second <= 20 || last === null) last = told;
    return last;
  });
}

/** The house has no second device for the panels. */
export function onlyTwinless(swap: Swap): Swap {
  return (device, told, truth, second) => (device === "twin" ? null : swap(device, told, truth, second));
}
