import { describe, expect, test } from "vitest";
import { feedInKw, hasNoImportLimit, resolveSite } from "../../../src/domain/energy/site/resolve-site.ts";
import { houseOf, siteMistakes, siteWarnings } from "../../../src/domain/energy/site/site-mistakes.ts";
import { SiteSettings } from "../../../src/domain/energy/site/site-settings.ts";

const HOUSE = houseOf(["meter", "wallbox", "second", "plug"], null);

function mistakes(settings: SiteSettings, panelsKw: number | null = null): readonly string[] {
  return siteMistakes(settings, { ...HOUSE, panelsKw }).map(({ path, problem }) => `${path.join(".")}: ${problem}`);
}

describe("mistakes in the settings of the connection", () => {
  test("a fuse of 0 A is refused", () => {
    expect(SiteSettings.safeParse({ fuseA: 0 }).success).toBe(false);
    expect(SiteSettings.safeParse({ circuits: [{ id: "garage", fuseA: 0 }] }).success).toBe(false);
  });

  test.each([
    [
      "a circuit behind itself",
      { circuits: [{ id: "a", parent: "a" }] },
      'circuits.0.parent: "a" cannot be behind itself',
    ],
    ["an unknown parent", { circuits: [{ id: "a", parent: "b" }] }, 'circuits.0.parent: there is no circuit "b"'],
    [
      "a circle",
      {
        circuits: [
          { id: "a", parent: "b" },
          { id: "b", parent: "a" },
        ],
      },
      "circuits.0.parent: the circuits are behind each other in a circle: a → b → a",
    ],
    ["an id twice", { circuits: [{ id: "a" }, { id: "a" }] }, 'circuits.1.id: circuits[0] has the id "a" already'],
    [
      "an unknown member",
      { circuits: [{ id: "a", members: ["none"] }] },
      'circuits.0.members.0: there is no device "none"',
    ],
    [
      "a member in two circuits",
      {
        circuits: [
          { id: "a", members: ["wallbox"] },
          { id: "b", members: ["wallbox"] },
        ],
      },
      'circuits.1.members.0: "wallbox" is in the circuit "a" already',
    ],
    [
      "an unknown meter of a circuit",
      { circuits: [{ id: "a", meter: "none" }] },
      'circuits.0.meter: there is no device "none"',
    ],
    ["an unknown meter", { meters: { none: "panels" } }, 'meters.none: there is no device "none"'],
    [
      "a meter at the connection that is inside the house",
      { gridMeter: "meter", meters: { meter: "inside" } },
      "meters.meter: gridMeter says that it is at the connection; leave it out in one of them",
    ],
    ["an unknown grid meter", { gridMeter: "none" }, 'gridMeter: there is no device "none"'],
    [
      "a phase that the site does not have",
      { phases: 1, phasesOf: { wallbox: ["L2"] } },
      "phasesOf.wallbox: the site has no L2",
    ],
    ["a phase twice", { phasesOf: { wallbox: ["L2", "L2"] } }, "phasesOf.wallbox: L2, L2 names a phase twice"],
    [
      "an unknown circuit of a load",
      { unmetered: [{ name: "Sauna", maxA: 16, circuit: "x" }] },
      'unmetered.0.circuit: there is no circuit "x"',
    ],
    ["two feed-in limits", { feedInKw: 5, feedInPreset: "60%" }, "feedInPreset: feedInKw limits the feed-in already"],
    ["a share of unknown panels", { feedInShare: 0.6 }, "feedInShare: needs the peak power of the panels"],
  ] as const)("%s is named with its place and what to do", (_what, settings, text) => {
    expect(mistakes(settings as unknown as SiteSettings).some((each) => each.startsWith(text))).toBe(true);
    expect(mistakes(settings as unknown as SiteSettings).every((each) => /; /.test(each))).toBe(true);
  });

  test("what fits is accepted, with devices that users linked and panels of the forecast", () => {
    const settings: SiteSettings = {
      fuseA: 35,
      feedInPreset: "70%",
      circuits: [{ id: "garage", fuseA: 20, members: ["wallbox", "1e0e8a3c-53f3-4bd5-9ec4-3e3d1c3b2a10"] }],
      phasesOf: { wallbox: ["L2", "L3", "L1"] },
    };
    expect(mistakes(settings, 9.8)).toEqual([]);
  });

  test("a fuse above that of its parent, and a limit above the one above it, are warnings", () => {
    const circuits = [
      { id: "sub", fuseA: 32 },
      { id: "garage", parent: "sub", fuseA: 40 },
      { id: "shed", parent: "sub" },
    ];
    const warned = siteWarnings({ fuseA: 25, importKw: 30, circuits }, { inverters: [], meterless: [] });
    expect(warned.map(({ path }) => path.join("."))).toEqual([
      "circuits.0.fuseA",
      "circuits.1.fuseA",
      "circuits.2",
      "importKw",
    ]);
  });

  test("a device without a meter that is named as the meter of the connection or of a circuit is a warning", () => {
    const circuits = [
      { id: "garage", fuseA: 20, meter: "wallbox" },
      { id: "shed", fuseA: 16, meter: "plug" },
    ];
    const warned = siteWarnings({ gridMeter: "wallbox", circuits }, { inverters: [], meterless: ["wallbox"] });
    expect(warned.map(({ path, problem }) => `${path.join(".")}: ${problem}`)).toEqual([
      'gridMeter: "wallbox" is to measure the connection and has no meter; name a device that has one',
      'circuits.0.meter: "wallbox" is to measure "garage" and has no meter; name a device that has one',
    ]);
  });
});

describe("the connection in force", () => {
  const lookup = {
    panelsKw: 10,
    assetsOf: (id: string) =>
      ({
        meter: [{ id: "asset-meter", kind: "meter" as const }],
        wallbox: [{ id: "asset-charger", kind: "charger" as const }],
        plug: [{ id: "asset-plug", kind: "meter" as const }],
        hybrid: [
          { id: "asset-battery", kind: "battery" as const },
          { id: "asset-inverter", kind: "inverter" as const },
          { id: "asset-second-meter", kind: "meter" as const },
        ],
      })[id] ?? [],
  };

  test("names assets in the place of devices, and leaves out the meter of a device that has a load", () => {
    const site = resolveSite(
      {
        gridMeter: "meter",
        circuits: [{ id: "garage", parent: "sub", members: ["wallbox", "plug", "hybrid", "unknown"] }],
        phasesOf: { wallbox: ["L2"] },
        unmetered: [{ name: "Sauna", maxA: 16 }],
      },
      lookup,
    );
    expect(site.gridMeterId).toBe("asset-meter");
    expect(site.circuits[0]).toEqual({
      id: "garage",
      name: "garage",
      parentId: "sub",
      fuseA: null,
      maxKw: null,
      meterId: null,
      memberIds: ["asset-charger", "asset-plug", "asset-battery", "asset-inverter"],
    });
    expect([...site.phasesOf]).toEqual([["asset-charger", ["L2"]]]);
    expect(site.unmetered).toEqual([{ name: "Sauna", circuitId: null, phases: ["L1", "L2", "L3"], maxA: 16 }]);
    expect([site.phases, hasNoImportLimit(site), hasNoImportLimit({ ...site, importKw: 5 })]).toEqual([3, true, false]);
  });

  test.each([
    [{ feedInKw: 5 }, 5],
    [{ feedInShare: 0.5 }, 5],
    [{ feedInPreset: "60%" }, 6],
    [{ feedInPreset: "70%", panelsKw: 20 }, 14],
    [{}, null],
  ] as const)("%o limits the feed-in to %s kW", (settings, kw) => {
    expect(feedInKw(settings, 10)).toBe(kw);
  });

  test("nothing is fed in where the share of unknown panels limits it", () => {
    expect(feedInKw({ feedInShare: 0.6 }, null)).toBe(0);
  });
});
