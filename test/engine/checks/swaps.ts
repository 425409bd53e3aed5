/** Installation mistakes, and the finding that the gateway has to report for each. */
import { eachPhase, type HomeTruth, type Phases } from "../../../adapters/simulated/home-truth.ts";
import type { HouseOptions, Wiring } from "./wired-house.ts";

export type Hour = "noon" | "afternoon" | "evening" | "dark";
export const STARTS: Readonly<Record<Hour, string>> = {
  noon: "2026-06-21T10:30:00Z",
  afternoon: "2026-04-15T13:10:00Z",
  evening: "2026-06-21T15:30:00Z",
  dark: "2026-01-14T17:30:00Z",
};
/** Mistakes at panels cannot be found in the dark. */
const BY_DAY = ["noon", "afternoon", "evening"] as const;

type Device = Readonly<Record<string, unknown>>;

export interface Swap {
  readonly name: string;
  readonly layout: HouseOptions["layout"];
  readonly wiring?: Wiring;
  /** Returns the wrong configuration, made of the correct one. */
  configure?(devices: readonly Device[]): readonly Device[];
  readonly hours?: readonly Hour[];
  readonly expected: {
    readonly check: string;
    /** Any of these; of two exchanged devices either may be named. */
    readonly devices: readonly string[];
    /** As in `/local/checks`; `null` if the configuration or the device has to be changed. */
    readonly fix: Readonly<Record<string, unknown>> | null;
  };
}

const METER_POINTS = ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"] as const;

const turned = (points: readonly string[]) => ({ kind: "invert", points, factor: -1 });
const scaled = (points: readonly string[], factor: number) => ({ kind: "scale", points, factor });
const expect = (check: string, device: string, fix: Swap["expected"]["fix"]): Swap["expected"] => ({
  check,
  devices: [device],
  fix,
});

/** Returns a grid meter's inputs: for each line the phase that it measures, and a factor. */
function inputs(...lines: readonly (readonly [from: 0 | 1 | 2, factor: number])[]): (truth: HomeTruth) => Phases {
  return ({ gridPhasesW }) =>
    eachPhase((line) => {
      const [from, factor] = lines[line] ?? [line, 1];
      return factor * gridPhasesW[from];
    });
}

/** Returns the currents of clamps that are mounted on other phases, A. */
function amps(...from: readonly (0 | 1 | 2)[]): (truth: HomeTruth) => Phases {
  return ({ gridPhasesW, voltages }) =>
    eachPhase((line) => Math.abs(gridPhasesW[from[line] ?? line]) / voltages[from[line] ?? line]);
}

const allInputs = (factor: number) => inputs([0, factor], [1, factor], [2, factor]);

function batterySeen(truth: HomeTruth, factor: number): HomeTruth {
  const { batteryCharged, batteryDischarged } = truth.energies;
  const [charged, discharged] = factor < 0 ? [batteryDischarged, batteryCharged] : [batteryCharged, batteryDischarged];
  const energies = { ...truth.energies, batteryCharged: charged, batteryDischarged: discharged };
  return { ...truth, batteryW: factor * truth.batteryW, energies };
}

function panelsSeen(truth: HomeTruth, factor: number): HomeTruth {
  const [first, second] = truth.stringsW;
  return { ...truth, pvW: factor * truth.pvW, stringsW: [factor * first, factor * second] };
}

function withRoles(roles: Readonly<Record<string, string>>) {
  return (devices: readonly Device[]): readonly Device[] =>
    devices.map((device) => {
      const role = roles[String(device["id"])];
      return role === undefined ? device : { ...device, role };
    });
}

function linkedTwice(id: string) {
  return (devices: readonly Device[]): readonly Device[] => [
    ...devices,
    ...devices
      .filter((device) => device["id"] === id)
      .map((device) => ({ ...device, id: "again", host: `${id}-2.lan` })),
  ];
}

const METER: readonly Swap[] = [
  {
    name: "the grid meter's clamps turned round",
    layout: "registers",
    wiring: { meterInputs: allInputs(-1) },
    expected: expect("sign", "meter", turned(METER_POINTS)),
  },
  {
    name: "one of its clamps turned round",
    layout: "registers",
    wiring: { meterInputs: inputs([0, 1], [1, -1], [2, 1]) },
    expected: expect("sign", "meter", turned(["meter.power.l2"])),
  },
  {
    name: "two of its clamps turned round",
    layout: "registers",
    wiring: { meterInputs: inputs([0, -1], [1, 1], [2, -1]) },
    expected: expect("sign", "meter", turned(["meter.power.l1", "meter.power.l3"])),
  },
  {
    name: "two of its clamps exchanged",
    layout: "registers",
    wiring: { meterInputs: inputs([1, -0.5], [0, -0.5], [2, 1]), meterAmps: amps(1, 0, 2) },
    expected: expect("phase", "meter", null),
  },
  {
    name: "its three clamps one phase on",
    layout: "registers",
    wiring: { meterInputs: inputs([1, -0.5], [2, -0.5], [0, -0.5]), meterAmps: amps(1, 2, 0) },
    expected: expect("phase", "meter", null),
  },
  {
    name: "its transformers' ratio not set",
    layout: "registers",
    wiring: { meterInputs: allInputs(0.1) },
    expected: expect("scale", "meter", scaled(METER_POINTS, 10)),
  },
  {
    name: "its transformers' ratio set twice",
    layout: "registers",
    wiring: { meterInputs: allInputs(10) },
    expected: expect("scale", "meter", scaled(METER_POINTS, 0.1)),
  },
  {
    name: "its powers in kW",
    layout: "registers",
    wiring: { meterUnit: 0.001 },
    expected: expect("scale", "meter", scaled(METER_POINTS, 1_000)),
  },
  {
    name: "it stands still",
    layout: "registers",
    wiring: { frozen: { device: "meter", atSecond: 30 } },
    expected: expect("frozen", "meter", null),
  },
  {
    name: "it is linked twice",
    layout: "registers",
    configure: linkedTwice("meter"),
    expected: { check: "duplicate", devices: ["meter", "again"], fix: { kind: "hide" } },
  },
  {
    name: "a charger before the grid meter",
    layout: "registers",
    wiring: { meterInputs: ({ gridPhasesW, carW }) => eachPhase((line) => gridPhasesW[line] - carW / 3) },
    expected: expect("balance", "charger", null),
  },
];

const HYBRID: readonly Swap[] = [
  {
    name: "the battery's direction",
    layout: "registers",
    wiring: { inverterSees: (truth) => batterySeen(truth, -1) },
    expected: expect("sign", "inverter", turned(["battery.power"])),
  },
  {
    name: "a tenth of the battery",
    layout: "registers",
    wiring: { inverterSees: (truth) => batterySeen(truth, 0.1) },
    expected: expect("scale", "inverter", scaled(["battery.power"], 10)),
  },
  {
    name: "a tenth of the panels",
    layout: "registers",
    wiring: { inverterSees: (truth) => panelsSeen(truth, 0.1) },
    hours: BY_DAY,
    expected: expect("scale", "inverter", scaled(["inverter.power"], 10)),
  },
  {
    name: "the inverter stands still",
    layout: "registers",
    wiring: { frozen: { device: "inverter", atSecond: 30 } },
    expected: expect("frozen", "inverter", null),
  },
  {
    name: "the inverter is linked twice",
    layout: "registers",
    configure: linkedTwice("inverter"),
    expected: { check: "duplicate", devices: ["inverter", "again"], fix: { kind: "hide" } },
  },
];

const CHARGER: readonly Swap[] = [
  {
    name: "the charger's powers in kW",
    layout: "registers",
    wiring: { chargerSees: (truth) => ({ ...truth, carW: truth.carW / 1_000 }) },
    expected: expect("scale", "charger", scaled(["charger.power"], 1_000)),
  },
  {
    name: "the charger's powers times ten",
    layout: "registers",
    wiring: { chargerSees: (truth) => ({ ...truth, carW: 10 * truth.carW }) },
    expected: expect("scale", "charger", scaled(["charger.power"], 0.1)),
  },
  {
    name: "the charger on other phases, by its voltages",
    layout: "registers",
    wiring: { chargerLines: [1, 2, 0] },
    expected: expect("phase", "charger", { kind: "phases", order: [2, 3, 1] }),
  },
  {
    name: "the charger on other phases, with a vehicle on one",
    layout: "registers",
    wiring: { chargerLines: [2, 0, 1], isOnePhase: true },
    expected: expect("phase", "charger", { kind: "phases", order: [3, 1, 2] }),
  },
];

const CLAMPS: readonly Swap[] = [
  {
    name: "the panels' clamps turned round",
    layout: "clamps",
    wiring: { clamps: { panels: -1 } },
    hours: BY_DAY,
    expected: expect("sign", "panels", turned(["inverter.power"])),
  },
  {
    name: "the battery's clamps turned round",
    layout: "clamps",
    wiring: { clamps: { storage: -1 } },
    expected: expect("sign", "storage", turned(["battery.power"])),
  },
  {
    name: "the grid's clamps turned round, over MQTT",
    layout: "clamps",
    wiring: { clamps: { grid: -1 } },
    expected: expect("sign", "grid", turned(METER_POINTS)),
  },
  {
    name: "the panels times ten",
    layout: "clamps",
    wiring: { clamps: { panels: 10 } },
    hours: BY_DAY,
    expected: expect("scale", "panels", scaled(["inverter.power"], 0.1)),
  },
  {
    name: "the grid meter said to be that of panels",
    layout: "clamps",
    configure: withRoles({ grid: "inverter" }),
    expected: expect("role", "grid", null),
  },
  {
    name: "the panels' meter said to be the grid's",
    layout: "clamps",
    configure: withRoles({ panels: "meter" }),
    hours: BY_DAY,
    expected: expect("role", "panels", null),
  },
  {
    name: "grid and panels exchanged",
    layout: "clamps",
    configure: withRoles({ grid: "inverter", panels: "meter" }),
    hours: BY_DAY,
    expected: { check: "role", devices: ["grid", "panels"], fix: null },
  },
  {
    name: "panels and battery exchanged",
    layout: "clamps",
    configure: withRoles({ panels: "battery", storage: "inverter" }),
    expected: { check: "role", devices: ["panels", "storage"], fix: null },
  },
  {
    name: "the battery said to be panels",
    layout: "clamps",
    configure: withRoles({ storage: "inverter" }),
    expected: expect("role", "storage", null),
  },
];

export const SWAPS: readonly Swap[] = [...METER, ...HYBRID, ...CHARGER, ...CLAMPS];
