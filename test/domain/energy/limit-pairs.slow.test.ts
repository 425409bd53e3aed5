/** Every limit against everybody who asks for power, and every limit against every other: the lowest one is kept and named. */
import { describe, expect, test } from "vitest";
import type { ChargeAsk, ChargerView, EnergySnapshot } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import type { SiteConnection } from "../../../src/domain/energy/site/site-connection.ts";
import {
  type BatterySpec,
  type CarSpec,
  type HouseSpec,
  inMode,
  type Readout,
  reasonsOf,
  runHouse,
} from "./house-loop.ts";
import { makeLimit, makeSite } from "./makers.ts";

const LOAD_A = 1;
/** Two minutes to settle, and a minute in which it has to hold. */
const SETTLED_S = 200;
const SECONDS = 260;

interface Limit {
  readonly name: string;
  readonly code: string;
  readonly site?: Partial<SiteConnection>;
  readonly limits?: EnergySnapshot["limits"];
  /** What flows through the limit, and the limit itself. */
  readonly taken: (state: Readout) => number;
  readonly most: number;
}

function carA({ cars }: Readout): number {
  return cars.reduce((sum, { amps }) => sum + amps, 0);
}

const LIMITS: readonly Limit[] = [
  {
    name: "the operator's import limit",
    code: "grid-operator",
    limits: [makeLimit({ watts: 6_900 })],
    taken: ({ gridW }) => gridW,
    most: 6_900,
  },
  {
    name: "the operator's limit of § 14a",
    code: "grid-operator",
    limits: [makeLimit({ id: "limit-2", watts: 6_200, scope: "controllable" })],
    taken: ({ cars, sunW }) => cars.reduce((sum, { watts }) => sum + watts, 0) - sunW,
    most: 6_200,
  },
  {
    name: "the main fuse",
    code: "fuse",
    site: { fuseA: 12 },
    taken: ({ phaseA }) => Math.max(...phaseA),
    most: 12,
  },
  {
    name: "the fuse of a circuit",
    code: "circuit",
    site: {
      circuits: [
        {
          id: "garage",
          name: "Garage",
          parentId: null,
          fuseA: 8,
          maxKw: null,
          meterId: null,
          memberIds: ["charger-1"],
        },
      ],
    },
    taken: carA,
    most: 8,
  },
  { name: "the contract", code: "contract", site: { importKw: 7.5 }, taken: ({ gridW }) => gridW, most: 7_500 },
];

type Asker = readonly [name: string, ask: ChargeAsk, house?: Partial<HouseSpec>, view?: Partial<ChargerView>];

/** Everybody asks for more than each limit leaves. */
const ASKERS: readonly Asker[] = [
  ["a person", { by: "person", isOn: true, maxA: null }],
  ["a schedule", { by: "schedule", isOn: true, maxA: null }],
  ["smart charging", { by: "smart-charging", isOn: true, maxA: null }],
  ["the charger's own setting", { by: "device" }],
  ["the mode FAST", inMode("FAST")],
  ["the plan", inMode("PLANNED", 22_000)],
  ["surplus with a share of the grid", inMode("SURPLUS"), { sunW: () => 2_500 }, { gridShare: 0.9 }],
];

function house(limits: readonly Limit[], [, ask, more, view]: Asker): HouseSpec {
  const site = Object.assign({}, ...limits.map((limit) => limit.site ?? {})) as Partial<SiteConnection>;
  return {
    snapshot: { site: makeSite({ fuseA: 63, ...site }), limits: limits.flatMap((limit) => limit.limits ?? []) },
    load: () => [LOAD_A, LOAD_A, LOAD_A],
    cars: [{ startsOnA: 16, ask: () => ask, carMaxA: 16, view: { range: { minA: 6, maxA: 16, stepA: 1 }, ...view } }],
    ...more,
  };
}

function settled(trace: readonly Readout[]): readonly Readout[] {
  return trace.filter(({ atS }) => atS >= SETTLED_S);
}

function codesOf(trace: readonly Readout[], id: string): ReadonlySet<string> {
  return new Set(
    settled(trace)
      .flatMap(({ decisions }) => decisions.filter((each) => each.id === id))
      .map(({ reason }) => reason.code),
  );
}

describe.each(LIMITS)("$name", (limit) => {
  test.each(ASKERS.map((asker) => ({ name: asker[0], asker })))("narrows $name, and is the reason", ({ asker }) => {
    const free = settled(runHouse(house([], asker), SECONDS).trace);
    expect(Math.min(...free.map(limit.taken)), "without it, it would be exceeded").toBeGreaterThan(limit.most);
    const { trace } = runHouse(house([limit], asker), SECONDS);
    expect(Math.max(...settled(trace).map(limit.taken))).toBeLessThanOrEqual(limit.most);
    // It leaves what fits: the car is trimmed and not stopped.
    expect(Math.min(...settled(trace).map(carA))).toBeGreaterThanOrEqual(6);
    expect(codesOf(trace, "charger-1")).toEqual(new Set([limit.code]));
  });
});

const LIMIT_PAIRS = LIMITS.flatMap((one, i) => LIMITS.slice(i + 1).map((other) => ({ one, other })));

test.each(LIMIT_PAIRS)("$one.name and $other.name are both kept, and the lower one is the reason", ({ one, other }) => {
  const person = ASKERS[0]!;
  const alone = [one, other].map((limit) => carA(runHouse(house([limit], person), SECONDS).trace.at(-1)!));
  const { trace } = runHouse(house([one, other], person), SECONDS);
  for (const limit of [one, other]) {
    expect(Math.max(...settled(trace).map(limit.taken))).toBeLessThanOrEqual(limit.most);
  }
  expect(carA(trace.at(-1)!)).toBe(Math.min(...alone));
  const binding = alone[0]! <= alone[1]! ? one : other;
  const codes = alone[0] === alone[1] ? [one.code, other.code] : [binding.code];
  for (const code of codesOf(trace, "charger-1")) expect(codes).toContain(code);
});

/** A heat pump of 2.8 kW: on or off. */
const PUMP = { powerW: 2_760, minimumOnMs: 1_200_000, minimumOffMs: 600_000, startsPerDay: 8 };
const SMALL_LIMITS: readonly (readonly [string, string, Partial<EnergySnapshot>])[] = [
  ["the operator's import limit", "grid-operator", { limits: [makeLimit({ watts: 2_000 })] }],
  ["the operator's limit of § 14a", "grid-operator", { limits: [makeLimit({ watts: 2_000, scope: "controllable" })] }],
  ["the main fuse", "fuse", { site: makeSite({ fuseA: 4 }) }],
  [
    "the fuse of a circuit",
    "circuit",
    {
      site: makeSite({
        circuits: [
          {
            id: "cellar",
            name: "Cellar",
            parentId: null,
            fuseA: 3,
            maxKw: null,
            meterId: null,
            memberIds: ["charger-1"],
          },
        ],
      }),
    },
  ],
  ["the contract", "contract", { site: makeSite({ importKw: 2 }) }],
];
const PUMP_ASKERS = [
  ["the mode FAST", inMode("FAST")],
  ["the plan", inMode("PLANNED", 2_760)],
  ["surplus that has gone", inMode("SURPLUS")],
  ["a person", { by: "person", isOn: true, maxA: null }],
  ["a schedule", { by: "schedule", isOn: true, maxA: null }],
] as const satisfies readonly (readonly [string, ChargeAsk])[];

describe.each(SMALL_LIMITS)("%s", (_name, code, snapshot) => {
  test.each(PUMP_ASKERS)("switches a heat pump off that %s has on, also in its minimum time", (_asker, ask) => {
    const pump: CarSpec = {
      ...{ ask: () => ask, carMaxA: 4, latencyS: 5, startsOnA: 4 },
      view: { range: null, switched: PUMP, offeredA: 4 },
    };
    const { trace } = runHouse(
      { snapshot, sunW: () => 0, load: () => [LOAD_A, LOAD_A, LOAD_A], cars: [pump] },
      SECONDS,
    );
    expect(trace.filter(({ atS }) => atS >= 90).every(({ cars }) => !cars[0]!.isOn)).toBe(true);
    // Then it waits for its rest, whatever asks for it.
    expect(reasonsOf(trace, "charger-1").some((reason) => reason.startsWith(code))).toBe(true);
  });
});

/** What has a battery charge from the grid with 5 kW, or feed it. */
const BATTERY_ASKERS = ["plan", "person", "its own setting"] as const;

function battery(asker: (typeof BATTERY_ASKERS)[number], mode: "IMPORT_FOCUS" | "EXPORT_FOCUS"): BatterySpec {
  if (asker === "plan") return { soc: 60, plannedMode: () => mode };
  if (asker === "person") return { soc: 60, view: { isOthers: true, askedMode: mode, mode } };
  return { soc: 60, view: { mode } };
}

const CHARGE_LIMITS: readonly (readonly [string, string, Partial<EnergySnapshot>])[] = [
  ["the operator's import limit", "grid-operator", { limits: [makeLimit({ watts: 3_000 })] }],
  ["the operator's limit of § 14a", "grid-operator", { limits: [makeLimit({ watts: 3_000, scope: "controllable" })] }],
  ["the main fuse", "fuse", { site: makeSite({ fuseA: 6 }) }],
  ["the contract", "contract", { site: makeSite({ importKw: 3 }) }],
];

describe.each(CHARGE_LIMITS)("%s", (_name, code, snapshot) => {
  test.each(BATTERY_ASKERS)("stops the charge from the grid by %s within 30 s", (asker) => {
    const { trace } = runHouse({ snapshot, battery: battery(asker, "IMPORT_FOCUS") }, SECONDS);
    expect(trace.filter(({ atS }) => atS >= 30).every(({ batteryW }) => batteryW <= 10)).toBe(true);
    expect(reasonsOf(trace, "battery").some((reason) => reason.startsWith(code))).toBe(true);
  });
});

const FEED_IN_LIMITS: readonly (readonly [string, string, Partial<EnergySnapshot>])[] = [
  ["the operator's feed-in limit", "grid-operator", { limits: [makeLimit({ direction: "export", watts: 3_000 })] }],
  ["the site's feed-in limit", "feed-in", { site: makeSite({ exportKw: 3 }) }],
];

describe.each(FEED_IN_LIMITS)("%s", (_name, code, snapshot) => {
  test.each(BATTERY_ASKERS)("stops the feed-in of a battery by %s within 30 s", (asker) => {
    const { trace } = runHouse({ snapshot, battery: battery(asker, "EXPORT_FOCUS") }, SECONDS);
    expect(trace.filter(({ atS }) => atS >= 30).every(({ gridW }) => gridW >= -3_000)).toBe(true);
    expect(codesOf(trace, "battery")).toContain(code);
  });

  test("limits the inverter, and is the reason", () => {
    const { trace } = runHouse({ snapshot, sunW: () => 9_000 }, SECONDS);
    expect(Math.min(...settled(trace).map(({ gridW }) => gridW))).toBeGreaterThanOrEqual(-3_000);
    expect(codesOf(trace, "inverter")).toEqual(new Set([code]));
  });
});

test.each([
  [2_000, 5, "grid-operator"],
  [5_000, 2, "feed-in"],
])(
  "Of an operator's feed-in limit of %d W and one of the site of %d kW the lower is kept and named",
  (watts, kw, code) => {
    const snapshot = { site: makeSite({ exportKw: kw }), limits: [makeLimit({ direction: "export", watts })] };
    const { trace } = runHouse({ snapshot, sunW: () => 9_000 }, SECONDS);
    expect(Math.min(...settled(trace).map(({ gridW }) => gridW))).toBeGreaterThanOrEqual(-2_000);
    expect(codesOf(trace, "inverter")).toEqual(new Set([code]));
  },
);

test("What a person sets on a battery goes before its plan, and before the hold for a car", () => {
  const view = { isOthers: true, askedMode: "EXPORT_FOCUS", mode: "EXPORT_FOCUS" } as const;
  const car: CarSpec = { startsOnA: 16, ask: () => inMode("FAST") };
  const { trace } = runHouse({ battery: { soc: 60, plannedMode: () => "IDLE", view }, cars: [car] }, SECONDS);
  expect(new Set(trace.map(({ mode }) => mode))).toEqual(new Set(["EXPORT_FOCUS"]));
});
