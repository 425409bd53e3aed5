/** Finds what is wrong with the settings of a grid connection. Pure. */
import { type MeasuredText, type MeasuredValue, measured } from "../../checks/measured-text.ts";
import type { MeasuredKey } from "../../checks/texts/en-us.ts";
import { ONLY_PANELS, type Phase } from "./site-connection.ts";
import type { CircuitSettings, SiteSettings } from "./site-settings.ts";

/** Nominal voltage between a phase and neutral, V. */
const NOMINAL_V = 230;
const W_PER_KW = 1_000;
/** Devices that users linked have such ids, which no configuration file lists. */
const LINKED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface SiteMistake {
  /** Within the settings. */
  readonly path: readonly (string | number)[];
  /** What is wrong, and what to do. */
  readonly problem: string;
}

/** A mistake that is allowed, with its text in all languages. */
export interface SiteWarning extends SiteMistake {
  readonly words: MeasuredText;
}

/** What the house has beside the settings. */
export interface SiteHouse {
  isDevice(id: string): boolean;
  /** Peak power of the panels as the forecast has it, kW; `null` if it has none. */
  readonly panelsKw: number | null;
}

/** The devices of a configuration file; ids of devices that were linked later are accepted. */
export function houseOf(deviceIds: readonly string[], panelsKw: number | null): SiteHouse {
  const ids = new Set(deviceIds);
  return { isDevice: (id) => ids.has(id) || LINKED_ID.test(id), panelsKw };
}

/** Returns everything that makes the settings unusable. */
export function siteMistakes(settings: SiteSettings, house: SiteHouse): readonly SiteMistake[] {
  const { circuits = [] } = settings;
  return [
    ...feedInMistakes(settings, house),
    ...unknownDevice(["gridMeter"], settings.gridMeter, house),
    ...meterMistakes(settings, house),
    ...circuits.flatMap((circuit, index) => circuitMistakes(circuits, circuit, index, house)),
    ...repeatedMembers(circuits),
    ...phaseMistakes(settings, house),
    ...unmeteredMistakes(settings),
  ];
}

/** Devices by what they were seen to have. */
export interface SeenKinds {
  /** Ids of devices that have an inverter. */
  readonly inverters: readonly string[];
  /** Ids of devices that have something, and no meter. */
  readonly meterless: readonly string[];
}

/** Returns what is allowed but hardly intended. */
export function siteWarnings(settings: SiteSettings, { inverters, meterless }: SeenKinds): readonly SiteWarning[] {
  const { circuits = [], phases = 3, fuseA, importKw, peakKw } = settings;
  const warnings: SiteWarning[] = circuits.flatMap((circuit, index) => circuitWarnings(settings, circuit, index));
  const fuseKw = fuseA === undefined ? null : (fuseA * phases * NOMINAL_V) / W_PER_KW;
  if (importKw !== undefined && fuseKw !== null && importKw > fuseKw) {
    const limit = { amount: fuseKw, unit: "kW", decimals: 1 };
    warnings.push(warning(["importKw"], "siteImport", { import: kw(importKw), fuse: amps(fuseA ?? 0), limit }));
  }
  if (peakKw !== undefined && importKw !== undefined && peakKw > importKw) {
    warnings.push(warning(["peakKw"], "sitePeak", { peak: kw(peakKw), import: kw(importKw) }));
  }
  return [...warnings, ...meterWarnings(settings, meterless), ...panelWarnings(settings, inverters)];
}

function meterWarnings({ gridMeter, circuits = [] }: SiteSettings, meterless: readonly string[]) {
  const connection: MeasuredValue = { key: "siteConnection", values: {} };
  const named = [
    { path: ["gridMeter"], id: gridMeter, place: connection },
    ...circuits.map(({ id, meter }, index) => ({ path: ["circuits", index, "meter"], id: meter, place: `"${id}"` })),
  ];
  return named.flatMap(({ path, id, place }) =>
    id !== undefined && meterless.includes(id) ? [warning(path, "siteNoMeter", { device: `"${id}"`, place })] : [],
  );
}

function panelWarnings({ meters = {} }: SiteSettings, inverters: readonly string[]): readonly SiteWarning[] {
  if (inverters.length === 0) return [];
  return Object.entries(meters).flatMap(([id, use]) =>
    ONLY_PANELS.has(use) ? [warning(["meters", id], "sitePanels", { meter: `"${id}"`, inverters })] : [],
  );
}

function feedInMistakes(settings: SiteSettings, { panelsKw }: SiteHouse): readonly SiteMistake[] {
  const kinds = (["feedInKw", "feedInShare", "feedInPreset"] as const).filter((name) => settings[name] !== undefined);
  const [first, second] = kinds;
  if (second !== undefined) {
    return [{ path: [second], problem: `${first} limits the feed-in already; leave one of them out` }];
  }
  if (first === undefined || first === "feedInKw" || (settings.panelsKw ?? panelsKw) !== null) return [];
  return [
    { path: [first], problem: "needs the peak power of the panels; set panelsKw, or the planes of the forecast" },
  ];
}

function unknownDevice(path: SiteMistake["path"], id: string | undefined, house: SiteHouse): readonly SiteMistake[] {
  if (id === undefined || house.isDevice(id)) return [];
  return [{ path, problem: `there is no device "${id}"; use the id of a device` }];
}

function meterMistakes({ gridMeter, meters = {} }: SiteSettings, house: SiteHouse): readonly SiteMistake[] {
  return Object.keys(meters).flatMap((id) => [
    ...unknownDevice(["meters", id], id, house),
    ...(id === gridMeter
      ? [{ path: ["meters", id], problem: "gridMeter says that it is at the connection; leave it out in one of them" }]
      : []),
  ]);
}

function circuitMistakes(
  circuits: readonly CircuitSettings[],
  { id, parent, meter, members = [] }: CircuitSettings,
  index: number,
  house: SiteHouse,
): readonly SiteMistake[] {
  const at = ["circuits", index];
  const mistakes: SiteMistake[] = [];
  const before = circuits.findIndex((other) => other.id === id);
  if (before < index) {
    mistakes.push({ path: [...at, "id"], problem: `circuits[${before}] has the id "${id}" already; use another one` });
  }
  if (parent === id) {
    const problem = `"${id}" cannot be behind itself; name the circuit it is behind, or leave parent out`;
    mistakes.push({ path: [...at, "parent"], problem });
  } else if (parent !== undefined && !circuits.some((other) => other.id === parent)) {
    mistakes.push({ path: [...at, "parent"], problem: `there is no circuit "${parent}"; use the id of a circuit` });
  } else {
    const circle = circleFrom(circuits, id);
    if (circle !== null) {
      const problem = `the circuits are behind each other in a circle: ${circle.join(" → ")}; leave parent out in one`;
      mistakes.push({ path: [...at, "parent"], problem });
    }
  }
  mistakes.push(...unknownDevice([...at, "meter"], meter, house));
  mistakes.push(...members.flatMap((member, place) => unknownDevice([...at, "members", place], member, house)));
  return mistakes;
}

/** Returns the ids of a circle that begins and ends at the circuit; `null` if there is no such circle. */
function circleFrom(circuits: readonly CircuitSettings[], id: string): readonly string[] | null {
  const path = [id];
  let next = circuits.find((circuit) => circuit.id === id)?.parent;
  while (next !== undefined && path.length <= circuits.length) {
    path.push(next);
    if (next === id) return path;
    const parentId: string = next;
    next = circuits.find((circuit) => circuit.id === parentId)?.parent;
  }
  return null;
}

function repeatedMembers(circuits: readonly CircuitSettings[]): readonly SiteMistake[] {
  const first = new Map<string, string>();
  return circuits.flatMap(({ id, members = [] }, index) =>
    members.flatMap((member, place) => {
      const before = first.get(member);
      if (before === undefined) first.set(member, id);
      if (before === undefined) return [];
      const problem = `"${member}" is in the circuit "${before}" already; name it in the innermost circuit only`;
      return [{ path: ["circuits", index, "members", place], problem }];
    }),
  );
}

function phaseMistakes({ phases = 3, phasesOf = {} }: SiteSettings, house: SiteHouse): readonly SiteMistake[] {
  return Object.entries(phasesOf).flatMap(([id, list]) => [
    ...unknownDevice(["phasesOf", id], id, house),
    ...missingPhases(["phasesOf", id], list, phases),
    ...(new Set(list).size < list.length
      ? [{ path: ["phasesOf", id], problem: `${list.join(", ")} names a phase twice; name each once` }]
      : []),
  ]);
}

function missingPhases(path: SiteMistake["path"], list: readonly Phase[], phases: 1 | 3): readonly SiteMistake[] {
  const missing = phases === 3 ? undefined : list.find((phase) => phase !== "L1");
  if (missing === undefined) return [];
  return [{ path, problem: `the site has no ${missing}; use L1, or set phases to 3` }];
}

function unmeteredMistakes({ circuits = [], phases = 3, unmetered = [] }: SiteSettings): readonly SiteMistake[] {
  return unmetered.flatMap((load, index) => {
    const at = ["unmetered", index];
    const isUnknown = load.circuit !== undefined && !circuits.some(({ id }) => id === load.circuit);
    return [
      ...(isUnknown
        ? [{ path: [...at, "circuit"], problem: `there is no circuit "${load.circuit}"; use the id of a circuit` }]
        : []),
      ...missingPhases([...at, "phases"], load.phases ?? [], phases),
    ];
  });
}

function circuitWarnings(settings: SiteSettings, circuit: CircuitSettings, index: number): readonly SiteWarning[] {
  const { circuits = [] } = settings;
  const at = ["circuits", index];
  const parent = circuits.find(({ id }) => id === circuit.parent) ?? null;
  const { fuseA, maxKw } = parent ?? { fuseA: settings.fuseA, maxKw: settings.importKw };
  const above: MeasuredValue = parent === null ? { key: "siteConnection", values: {} } : `"${parent.id}"`;
  const warnings: SiteWarning[] = [];
  if (circuit.fuseA !== undefined && fuseA !== undefined && circuit.fuseA > fuseA) {
    const values = { fuse: amps(circuit.fuseA), limit: amps(fuseA), above };
    warnings.push(warning([...at, "fuseA"], "siteFuse", values));
  }
  if (circuit.maxKw !== undefined && maxKw !== undefined && circuit.maxKw > maxKw) {
    warnings.push(warning([...at, "maxKw"], "siteCircuitKw", { power: kw(circuit.maxKw), limit: kw(maxKw), above }));
  }
  if (circuit.fuseA === undefined && circuit.maxKw === undefined) {
    warnings.push(warning(at, "siteNoLimit", { circuit: `"${circuit.id}"` }));
  }
  return warnings;
}

function warning(path: SiteMistake["path"], key: MeasuredKey, values: MeasuredText["values"]): SiteWarning {
  const { measured: problem, text: words } = measured(key, values);
  return { path, problem, words };
}

function kw(amount: number): MeasuredValue {
  return { amount, unit: "kW" };
}

function amps(amount: number): MeasuredValue {
  return { amount, unit: "A" };
}
