import { describe, expect, test } from "vitest";
import type { ConditionFacts, Ending } from "../../../src/domain/notifications/condition.ts";
import type { BackupFindings } from "../../../src/engine/contracts/backup.ts";
import type { CheckEntry } from "../../../src/engine/contracts/checks.ts";
import type { LimitSource } from "../../../src/engine/contracts/energy/energy.ts";
import type { Updates } from "../../../src/engine/contracts/updates.ts";
import { HouseConditions } from "../../../src/sync/notifications/house-conditions.ts";

const NOON = Date.parse("2026-06-21T10:00:00Z");
const DUE = "2026-06-22T05:00:00.000Z";
const BERLIN = { latitude: 52.5, longitude: 13.4 };

type Engine = ConstructorParameters<typeof HouseConditions>[0]["engine"];
interface PlannedVehicle {
  readonly id: string;
  readonly deviceType: string;
  readonly targets: readonly { readonly at: string; readonly energy: number; readonly short: number }[];
}

/** The states of a house, as its engine would report them. */
class House {
  nowMs = NOON;
  devices = [device("roof", "inverter", true), device("meter", "meter", true)];
  sources: LimitSource[] = [];
  vehicles: PlannedVehicle[] = [];
  isPlanned = true;
  findings: CheckEntry[] = [];
  backups: Pick<BackupFindings, "finding"> | null = { finding: () => null };
  updates: Pick<Updates, "available" | "rolledBack"> | null = null;

  get conditions(): HouseConditions {
    const services = {
      energyLimits: { sources: () => this.sources },
      energyPlans: { view: () => ({ isPlanned: this.isPlanned, devices: this.vehicles }) },
      checks: {
        list: () => this.findings,
        get: (id: string) => this.findings.find((each) => each.id === id) ?? null,
      },
      fleet: { get: () => null },
    };
    const engine = { devices: () => this.devices, assets: { get: () => null }, services } as unknown as Engine;
    const site = { timezone: "Europe/Berlin", place: BERLIN };
    const clock = { nowMs: () => this.nowMs, quality: () => "synced" as const };
    return new HouseConditions({
      engine,
      clock,
      backups: this.backups,
      updates: this.updates,
      config: { site, devices: [{ id: "meter", name: "Grid meter" }] },
    });
  }

  get keys(): readonly string[] {
    return this.conditions.now().map(({ key }) => key);
  }

  /** The facts of the only thing that is so. */
  get facts(): ConditionFacts {
    const [only, ...others] = this.conditions.now();
    if (only === undefined || others.length > 0) throw new Error("not one condition");
    return only.facts;
  }

  endingOf(facts: ConditionFacts): Ending {
    return this.conditions.endingOf(facts);
  }
}

function device(id: string, kind: string, isReachable: boolean) {
  const identity = { manufacturer: "Maker", model: "X1", serial: null, version: null };
  return { id, identity, isReachable, lastSeenMs: NOON - 60_000, assets: [{ kind, id: `${id}-asset` }] };
}

function source(id: string, kind: LimitSource["kind"], state: "limited" | "unknown" | "free", watts = 4_200) {
  const appliedW = state === "free" ? null : watts;
  const direction = {
    direction: "import",
    scope: "controllable",
    state,
    appliedW,
  } as LimitSource["directions"][number];
  return { id, kind, name: id, heartbeatLostMs: null, directions: [direction], warnings: [] };
}

function finding(state: CheckEntry["state"]): CheckEntry {
  const found = {
    check: "sign",
    deviceId: "meter",
    assetKind: "meter",
    against: null,
    measured: "",
    fix: null,
  } as const;
  return { id: "f1", finding: found, assetId: null, state, firstSeenAtMs: NOON, lastSeenAtMs: NOON };
}

describe("a silent device", () => {
  test("is named as the configuration names it, else by its make", () => {
    const house = new House();
    house.devices = [device("roof", "inverter", false), device("meter", "meter", false)];
    expect(house.conditions.now().map(({ facts }) => facts)).toMatchObject([
      { kind: "device-silent", device: "Maker X1", lastSeenMs: NOON - 60_000 },
      { kind: "device-silent", device: "Grid meter" },
    ]);
  });

  test("with panels is expected while the sun is up only", () => {
    const house = new House();
    house.devices = [device("roof", "inverter", false), device("meter", "meter", false)];
    house.nowMs = Date.parse("2026-06-21T19:00:00Z");
    expect(house.keys).toEqual(["device-silent:meter"]);
  });

  test("is over when it answers, unseen while it does not, and gone when it was removed", () => {
    const house = new House();
    house.devices = [device("meter", "meter", false)];
    const { facts } = house;
    expect(house.endingOf(facts)).toBe("unknown");
    house.devices = [device("meter", "meter", true)];
    expect(house.endingOf(facts)).toBe("over");
    house.devices = [];
    expect(house.endingOf(facts)).toBe("gone");
  });
});

describe("a limit of the grid operator", () => {
  test("is one that somebody sets; not the daily schedule, nor a source that has not spoken since the start", () => {
    const house = new House();
    house.sources = [source("box", "contacts", "limited")];
    expect(house.facts).toEqual({ kind: "grid-limit", direction: "import", scope: "controllable", watts: 4_200 });
    expect(house.endingOf(house.facts)).toBe("over");
    house.sources = [source("box", "schedule", "limited")];
    expect(house.keys).toEqual([]);
    house.sources = [source("box", "eebus", "unknown")];
    expect(house.keys).toEqual([]);
  });

  test("lasts while the daily schedule allows still less", () => {
    const house = new House();
    house.sources = [source("box", "eebus", "limited")];
    house.sources = [source("box", "eebus", "limited"), source("evening", "schedule", "limited", 3_000)];
    expect(house.keys).toEqual(["grid-limit:import:controllable"]);
    house.sources = [source("box", "eebus", "free"), source("evening", "schedule", "limited", 3_000)];
    expect(house.keys).toEqual([]);
  });
});

describe("a vehicle's target", () => {
  const planned = (short: number, at = DUE): PlannedVehicle[] => [
    { id: "zoe", deviceType: "vehicle", targets: [{ at, energy: 20, short }] },
  ];

  test("is missed from half a kWh on, and over only when nearly nothing is missing", () => {
    const house = new House();
    house.vehicles = planned(0.4);
    expect(house.keys).toEqual([]);
    house.vehicles = planned(3);
    const { facts } = house;
    expect(facts).toMatchObject({ kind: "target-missed", shortKwh: 3, atMs: Date.parse(DUE) });
    house.vehicles = planned(0.3);
    expect(house.endingOf(facts)).toBe("unknown");
    house.vehicles = planned(0);
    expect(house.endingOf(facts)).toBe("over");
  });

  test("is not over while there is no plan, and gone with the vehicle, another time, or its own time", () => {
    const house = new House();
    house.vehicles = planned(3);
    const { facts } = house;
    house.isPlanned = false;
    expect(house.endingOf(facts)).toBe("unknown");
    house.isPlanned = true;
    house.vehicles = planned(0, "2026-06-22T06:00:00.000Z");
    expect(house.endingOf(facts)).toBe("gone");
    house.vehicles = [];
    expect(house.endingOf(facts)).toBe("gone");
    house.nowMs = Date.parse(DUE);
    house.vehicles = planned(3);
    expect([house.keys, house.endingOf(facts)]).toEqual([[], "gone"]);
  });
});

test("a finding is reported while it is open; its end only if physics and no person ended it", () => {
  const house = new House();
  house.findings = [finding("OPEN")];
  const { facts } = house;
  expect(facts).toMatchObject({ kind: "finding", check: "sign", device: "Grid meter" });
  for (const state of ["CONFIRMED", "DISMISSED"] as const) {
    house.findings = [finding(state)];
    expect([house.keys, house.endingOf(facts)]).toEqual([[], "gone"]);
  }
  house.findings = [];
  expect(house.endingOf(facts)).toBe("over");
  house.devices = [];
  expect(house.endingOf(facts)).toBe("gone");
});

test("a failed backup is over when nothing is found any more, and ends silently when somebody has seen it", () => {
  const house = new House();
  const found = {
    id: "backup-schedule",
    text: "the disk is full",
    words: { key: "backupNone", values: {} },
    sinceMs: NOON,
  } as const;
  house.backups = { finding: () => ({ ...found, state: "OPEN" }) };
  const { facts } = house;
  expect(house.keys).toEqual(["backup-failed"]);
  house.backups = { finding: () => ({ ...found, state: "DISMISSED" }) };
  expect([house.keys, house.endingOf(facts)]).toEqual([[], "gone"]);
  house.backups = { finding: () => null };
  expect([house.keys, house.endingOf(facts)]).toEqual([[], "over"]);
  house.backups = null;
  expect(house.endingOf(facts)).toBe("gone");
});

describe("a later version", () => {
  test("is one thing for each version, and nobody is told when it is installed", () => {
    const house = new House();
    house.updates = { available: () => ({ version: "1.1.0", isAutomatic: false }), rolledBack: () => null };
    expect(house.keys).toEqual(["update-available:1.1.0"]);
    const { facts } = house;
    expect(house.endingOf(facts)).toBe("unknown");
    house.updates = { available: () => ({ version: "1.2.0", isAutomatic: false }), rolledBack: () => null };
    expect(house.keys).toEqual(["update-available:1.2.0"]);
    expect(house.endingOf(facts)).toBe("gone");
    house.updates = { available: () => null, rolledBack: () => "1.2.0" };
    expect(house.keys).toEqual(["update-rolled-back:1.2.0"]);
    const { facts: rolledBack } = house;
    expect(house.endingOf(rolledBack)).toBe("unknown");
    house.updates = { available: () => null, rolledBack: () => null };
    expect([house.keys, house.endingOf(rolledBack)]).toEqual([[], "gone"]);
  });
});
